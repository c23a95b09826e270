"""The same request gets the same reply (I4): looked up before any lock, and again under the locks."""

import json
from dataclasses import dataclass
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection

from tasks.domain.actor import RequestKey
from tasks.domain.errors import IdempotencyConflict
from tasks.models import IdempotentRequest
from tasks.queries.database_clock import ClockTimestamp

# Asked twice by every write.
_KNOWN = """
SELECT actor_id, role, operation, payload_hash, status, reply FROM idempotent_requests
 WHERE scope = %s AND key = %s
"""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as bytes: stored once, sent again byte for byte."""

    status: int
    body: bytes


#: Done, and nothing to say about it.
NO_CONTENT = Reply(status=204, body=b"")


def render_reply(status: int, body: Any) -> Reply:
    """`body` (JSON-able; dates and UUIDs allowed) as a reply."""
    return Reply(status=status, body=json.dumps(body, cls=DjangoJSONEncoder, separators=(",", ":")).encode())


def known_reply(request: RequestKey, *, snapshot: Any = None) -> Reply | None:
    """The stored reply of this very request, or None for a new one.

    Raises IdempotencyConflict where the key was used with other content or by another actor or role.
    """
    if request.key is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, [request.scope, request.key])
        stored = cursor.fetchone()
    if stored is None:
        return None
    *sent, status, reply = stored
    if sent != [request.actor_id, request.role, request.operation, request.payload_hash]:
        fields = {} if snapshot is None else {"snapshot": snapshot() if callable(snapshot) else snapshot}
        raise IdempotencyConflict(
            "This id was used before with other content or by another person. A new request takes a new id.",
            **fields,
        )
    return Reply(status=status, body=bytes(reply))


def keep_reply(request: RequestKey, reply: Reply) -> Reply:
    """Store the reply in the caller's transaction and hand it back. Only 2xx replies get here."""
    if request.key is not None:
        IdempotentRequest.objects.create(
            scope=request.scope,
            key=request.key,
            actor_id=request.actor_id,
            role=request.role,
            operation=request.operation,
            payload_hash=request.payload_hash,
            status=reply.status,
            reply=reply.body,
            created_at=ClockTimestamp(),
        )
    return reply
