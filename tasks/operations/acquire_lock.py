"""Take a task's lock, or renew it."""

from typing import Any

from locks import operations as leases
from tasks.domain.actor import RequestContext
from tasks.domain.matrix import Operation
from tasks.domain.statuses import Status
from tasks.models import Task, User
from tasks.operations.claim import check_claimable, check_not_reserved, take_over
from tasks.operations.row_locks import lock_task
from tasks.operations.task_locks import hold
from tasks.operations.transactions import operation
from tasks.queries.access import check_operation, check_operation_status
from tasks.queries.lock_body import lock_body


def acquire_lock(*, actor: User, seen: Task, client_id: str, context: RequestContext) -> dict[str, Any]:
    """Page 06's lock; `seen` is the task as `visible_task` gave it.

    A renewal by the holder touches the lock row alone; anything else takes the task's row. Raises NotFound,
    RoleForbidden, LockHeld, IllegalTransition, BatchOnHold.
    """
    check_operation(user=actor, task=seen, operation=Operation.LOCK)
    renewed = leases.renew(task_id=seen.pk, user_id=actor.pk, client_id=client_id, device=context.device)
    if renewed is not None:
        return lock_body(renewed)
    return _take(actor=actor, seen=seen, client_id=client_id, context=context)


@operation
def _take(*, actor: User, seen: Task, client_id: str, context: RequestContext) -> dict[str, Any]:
    role = check_operation(user=actor, task=seen, operation=Operation.LOCK)
    task = lock_task(seen.pk)
    held = hold(task=task, actor=actor, role=role, client_id=client_id, context=context)
    check_operation_status(task=task, operation=Operation.LOCK, role=role, viewer=actor)
    if task.status == Status.PENDING:
        check_not_reserved(task=task, actor=actor, role=role)
    elif task.status == Status.IN_PROGRESS and task.assignee_id != actor.pk:
        # Whoever works on an unfinished task is its assignee.
        check_claimable(task=task, actor=actor)
        take_over(task=task, actor=actor, role=role, context=context)
    return lock_body(held.lock)
