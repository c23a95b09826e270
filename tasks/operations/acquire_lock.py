"""Take a task's lock, or renew it."""

from typing import Any
from uuid import UUID

from locks import operations as leases
from tasks.domain.actor import RequestContext
from tasks.domain.matrix import Operation, Role
from tasks.domain.statuses import Status
from tasks.models import User
from tasks.operations.claim import check_claimable, check_not_reserved, take_over
from tasks.operations.row_locks import lock_task
from tasks.operations.task_locks import hold
from tasks.operations.transactions import operation
from tasks.queries.access import check_operation, check_operation_status, visible_task
from tasks.queries.lock_body import lock_body


def acquire_lock(*, actor: User, task_id: UUID, client_id: str, context: RequestContext) -> dict[str, Any]:
    """Page 06's lock. A renewal by the holder touches the lock row alone; anything else takes the task's row.

    Raises NotFound, RoleForbidden, LockHeld, IllegalTransition, BatchOnHold.
    """
    role = check_operation(
        user=actor, task=visible_task(user=actor, task_id=task_id), operation=Operation.LOCK
    )
    renewed = leases.renew(task_id=task_id, user_id=actor.pk, client_id=client_id, device=context.device)
    if renewed is not None:
        return lock_body(renewed)
    return _take(actor=actor, task_id=task_id, role=role, client_id=client_id, context=context)


@operation
def _take(
    *, actor: User, task_id: UUID, role: Role, client_id: str, context: RequestContext
) -> dict[str, Any]:
    task = lock_task(task_id)
    held = hold(task=task, actor=actor, role=role, client_id=client_id, context=context)
    check_operation_status(task=task, operation=Operation.LOCK, role=role, viewer=actor)
    if task.status == Status.PENDING:
        check_not_reserved(task=task, actor=actor, role=role)
    elif task.status == Status.IN_PROGRESS and task.assignee_id != actor.pk:
        # Whoever works on an unfinished task is its assignee.
        check_claimable(task=task, actor=actor)
        take_over(task=task, actor=actor, role=role, context=context)
    return lock_body(held.lock)
