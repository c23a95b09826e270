"""Reopen: finished work goes back to the queue, with a reason."""

from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.matrix import TRANSITIONS, Action
from tasks.domain.statuses import Status
from tasks.models import User
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.move_task import move_task
from tasks.operations.reasons import required_reason
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import operation
from tasks.queries.access import check_action, check_source, visible_task
from tasks.queries.task_body import task_body


@operation
def reopen(*, actor: User, task_id: UUID, reason: str, request: RequestKey, context: RequestContext) -> Reply:
    """The reply is {task}. The assignee stays, without the task being reserved for them.

    Raises NotFound, RoleForbidden, IdempotencyConflict, IllegalTransition, ValidationFailed (422, no reason).
    """
    role = check_action(user=actor, task=visible_task(user=actor, task_id=task_id), action=Action.REOPEN)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    check_source(task=task, action=Action.REOPEN, viewer=actor)
    move_task(
        task=task,
        target=Status.PENDING,
        audit_action=TRANSITIONS[Action.REOPEN].audit,
        actor=actor,
        role=role,
        reason=required_reason(reason),
        context=context,
        changes={"is_reserved": False, "reviewer": None},
    )
    return keep_reply(request, render_reply(200, {"task": task_body(task.pk, viewer=actor)}))
