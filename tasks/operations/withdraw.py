"""Withdraw: give an unfinished task back to the queue; the draft stays."""

from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.matrix import TRANSITIONS, Action
from tasks.domain.statuses import Status
from tasks.models import User
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.lock_for_action import lock_for_action
from tasks.operations.move_task import move_task
from tasks.operations.row_locks import lock_task
from tasks.operations.task_locks import let_go, require_held
from tasks.operations.transactions import operation
from tasks.queries.access import check_action, check_source, visible_task
from tasks.queries.task_body import task_body


@operation
def withdraw(
    *, actor: User, task_id: UUID, lock_token: int | None, request: RequestKey, context: RequestContext
) -> Reply:
    """The reply is {task}. The task is nobody's afterwards, and not reserved for anybody.

    Raises NotFound, RoleForbidden, IdempotencyConflict, LockHeld, LockLost, IllegalTransition.
    """
    role = check_action(user=actor, task=visible_task(user=actor, task_id=task_id), action=Action.WITHDRAW)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    if lock_token is not None:
        require_held(task=task, actor=actor, lock_token=lock_token)
    else:
        lock_for_action(task=task, actor=actor, role=role, action=Action.WITHDRAW, context=context)
    check_source(task=task, action=Action.WITHDRAW, viewer=actor)
    move_task(
        task=task,
        target=Status.PENDING,
        audit_action=TRANSITIONS[Action.WITHDRAW].audit,
        actor=actor,
        role=role,
        context=context,
        before={"assignee": task.assignee.username if task.assignee else None},
        after={"assignee": None},
        changes={"assignee": None, "is_reserved": False},
    )
    let_go(task=task, actor=actor, role=role, context=context)
    return keep_reply(request, render_reply(200, {"task": task_body(task.pk, viewer=actor)}))
