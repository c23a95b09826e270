"""Who is doing something, and from where."""

from dataclasses import dataclass
from uuid import UUID

from tasks.domain.matrix import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext:
    """What an audit row says of the request; empty for the system's own acts."""

    request_id: str = ""
    address: str = ""
    #: Short, from the user agent.
    device: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestKey:
    """What makes a request the same request (I4). `key` None: judged by the present state alone."""

    key: str | None
    #: "request", or "job:<id>" for intervention ids.
    scope: str
    actor_id: UUID
    role: Role
    operation: str
    payload_hash: str
