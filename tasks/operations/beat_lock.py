"""One heartbeat of one client; neither audited nor an event."""

from datetime import datetime
from uuid import UUID

from locks import operations as leases
from locks.errors import LeaseLost
from tasks.models import User
from tasks.operations.task_locks import lost_to
from tasks.queries.access import visible_task


def beat_lock(*, actor: User, task_id: UUID) -> datetime:
    """The new `expire_at`. Never revives an expired lock. Raises NotFound, LockLost."""
    visible_task(user=actor, task_id=task_id)
    try:
        return leases.heartbeat(task_id=task_id, user_id=actor.pk)
    except LeaseLost as error:
        raise lost_to(error.lock) from error
