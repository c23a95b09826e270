"""What can go wrong, as the API says it. One handler (config/problems.py) renders every class here."""

from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class FieldError:
    """One field that is not acceptable."""

    field: str
    message: str
    code: str = "invalid"

    def as_dict(self) -> dict[str, str]:
        """The form in a problem's `errors`."""
        return {"field": self.field, "message": self.message, "code": self.code}


class Problem(Exception):
    """An error that a client can act on: a stable code, an HTTP status, a sentence, data fields."""

    code: ClassVar[str] = "ERROR"
    status: int = 400
    title: ClassVar[str] = "Error"

    def __init__(
        self,
        detail: str,
        *,
        errors: list[FieldError] | None = None,
        retry_after: int | None = None,
        **fields: Any,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = errors or []
        self.retry_after = retry_after
        self.fields = fields


class ValidationFailed(Problem):
    """The request is not acceptable; `errors` names each field. 400 for shape, 422 for content."""

    code = "VALIDATION_FAILED"
    title = "The request is not acceptable"

    def __init__(self, errors: list[FieldError], *, status: int = 400, detail: str = "") -> None:
        named = "; ".join(f"{error.field}: {error.message}" for error in errors[:5])
        super().__init__(detail or named, errors=errors)
        self.status = status


class NotAuthenticated(Problem):
    """Nobody is signed in."""

    code, status, title = "NOT_AUTHENTICATED", 401, "Sign in first"


class NotFound(Problem):
    """There is no such thing, or not for this person."""

    code, status, title = "NOT_FOUND", 404, "Not found"

    def __init__(self, detail: str = "There is no such thing here, or you may not see it.") -> None:
        super().__init__(detail)


class RoleForbidden(Problem):
    """The person may see it, but their role may not do this."""

    code, status, title = "ROLE_FORBIDDEN", 403, "Your role may not do this"

    def __init__(self, detail: str, *, required_roles: list[str]) -> None:
        super().__init__(detail, required_roles=required_roles)


class FourEyes(Problem):
    """Nobody decides on an annotation that they confirmed."""

    code, status, title = "FOUR_EYES", 403, "Somebody else has to decide"


class LockHeld(Problem):
    """Somebody else is live in the task. Fields: holder, acquired_at, heartbeat_at, stale_at, expire_at."""

    code, status, title = "LOCK_HELD", 409, "Somebody else holds this task"


class LockLost(Problem):
    """The caller's lock is gone. Field: holder, or null where nobody holds it."""

    code, status, title = "LOCK_LOST", 409, "You no longer hold this task"


class IllegalTransition(Problem):
    """The action does not start from the task's (or job's, batch's) status. Field: snapshot."""

    code, status, title = "ILLEGAL_TRANSITION", 409, "Not possible in this status"


class NotConfirmed(Problem):
    """The draft has changed since it was last confirmed, or never was."""

    code, status, title = "NOT_CONFIRMED", 409, "Confirm first"


class JobActive(Problem):
    """A job of this task is still alive."""

    code, status, title = "JOB_ACTIVE", 409, "A job is still running"


class PinsOpen(Problem):
    """Pins of the last rejection are not answered."""

    code, status, title = "PINS_OPEN", 409, "Answer the pins first"


class StaleRevision(Problem):
    """A newer annotation revision exists."""

    code, status, title = "STALE_REVISION", 409, "A newer revision exists"


class BatchOnHold(Problem):
    """The batch takes no new claims."""

    code, status, title = "BATCH_ON_HOLD", 409, "The batch is on hold"


class VersionConflict(Problem):
    """It was changed meanwhile. Field: snapshot."""

    code, status, title = "VERSION_CONFLICT", 409, "It has changed meanwhile"


class IdempotencyConflict(Problem):
    """The id was used before with other content, or by another person."""

    code, status, title = "IDEMPOTENCY_CONFLICT", 409, "This id was used before"


class Busy(Problem):
    """The rows are locked by another transaction for too long."""

    code, status, title = "BUSY", 409, "Busy, try again"

    def __init__(
        self, detail: str = "Somebody is writing here right now. Send the same request again in a moment."
    ) -> None:
        super().__init__(detail, retry_after=1)


class RateLimited(Problem):
    """Too many failed attempts."""

    code, status, title = "RATE_LIMITED", 429, "Too many attempts"


class TooLarge(Problem):
    """The body or the picture is over the limit."""

    code, status, title = "TOO_LARGE", 413, "Too large"
