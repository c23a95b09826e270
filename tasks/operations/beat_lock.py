"""One heartbeat of one client; neither audited nor an event."""

from datetime import datetime
from uuid import UUID

from locks import operations as leases
from locks.errors import LeaseLost
from tasks.models import User
from tasks.operations.task_locks import lost_to


def beat_lock(*, actor: User, task_id: UUID) -> datetime:
    """The new `expire_at`. Never revives an expired lock. Raises LockLost.

    `task_id`: of a task that the caller has found `actor` to see.
    """
    try:
        return leases.heartbeat(task_id=task_id, user_id=actor.pk)
    except LeaseLost as error:
        raise lost_to(error.lock) from error
