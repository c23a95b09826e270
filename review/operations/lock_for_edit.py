"""What an edit needs of the task's lock and status (page 03: the lock comes first)."""

from tasks.domain.matrix import Operation, Role
from tasks.models import Task, User
from tasks.operations.task_locks import require_held
from tasks.queries.access import check_operation_status
from tasks.queries.lock_body import live_lock


def lock_for_edit(*, task: Task, actor: User, role: Role, lock_token: int | None) -> None:
    """The row-locked task's lock is the actor's until the commit (I2), and its status takes edits from them.

    Where nobody is live in the task and the request names no lock of its own, a wrong status is the better
    answer than a lock that nobody has. Raises LockLost, LockHeld, IllegalTransition.
    """
    if lock_token is None and live_lock(task.pk) is None:
        check_operation_status(task=task, operation=Operation.EDIT, role=role, viewer=actor)
    require_held(task=task, actor=actor, lock_token=lock_token)
    check_operation_status(task=task, operation=Operation.EDIT, role=role, viewer=actor)
