"""One heartbeat of one client; neither audited nor an event."""

from datetime import datetime

from locks import operations as leases
from locks.errors import LeaseLost
from tasks.models import Task, User
from tasks.operations.task_locks import lost_to


def beat_lock(*, actor: User, task: Task) -> datetime:
    """The new `expire_at`. Never revives an expired lock. Raises LockLost.

    `task`: as `visible_task` gave it.
    """
    try:
        return leases.heartbeat(task_id=task.pk, user_id=actor.pk)
    except LeaseLost as error:
        raise lost_to(error.lock) from error
