"""A page goes: its lock ends, if it still is that page's."""

from locks import operations as leases
from locks.models import TaskLock
from tasks.domain.actor import RequestContext
from tasks.models import Task, User
from tasks.operations.row_locks import lock_task
from tasks.operations.task_locks import note_expiry, note_release
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import known_role


def release_lock(*, actor: User, seen: Task, client_id: str, context: RequestContext) -> bool:
    """Whether something was released: the late release of a left page does nothing.

    `seen`: the task as `visible_task` gave it. Raises NotFound.
    """
    # Looked at without the task's row first, so that a late release never waits for a save.
    if not TaskLock.objects.filter(task=seen, user=actor, client_id=client_id).exists():
        return False
    return _release(actor=actor, seen=seen, client_id=client_id, context=context)


@operation
def _release(*, actor: User, seen: Task, client_id: str, context: RequestContext) -> bool:
    role = known_role(user=actor, project=seen.project)
    task = lock_task(seen.pk)
    lock = leases.release(task_id=task.pk, user_id=actor.pk, client_id=client_id)
    if lock is None:
        return False
    if lock.expire_at <= db_now():
        note_expiry(task=task, lock=lock, is_free=True)
    else:
        note_release(task=task, lock=lock, actor=actor, role=role, context=context)
    return True
