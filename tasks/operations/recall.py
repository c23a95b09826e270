"""Recall: take back what was handed in, before a reviewer has claimed it."""

from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import IllegalTransition
from tasks.domain.matrix import TRANSITIONS, Action
from tasks.domain.statuses import Status
from tasks.models import User
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.move_task import move_task
from tasks.operations.row_locks import lock_task
from tasks.operations.task_locks import hold
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_action, check_source, visible_task
from tasks.queries.lock_body import lock_body
from tasks.queries.task_body import task_body


@operation
def recall(
    *, actor: User, task_id: UUID, client_id: str, request: RequestKey, context: RequestContext
) -> Reply:
    """The task is in progress again, with the actor as assignee and holder; the reply is {task, lock}.

    Raises NotFound, RoleForbidden, IdempotencyConflict, LockHeld, IllegalTransition (wrong status, or a
    reviewer has claimed it).
    """
    role = check_action(user=actor, task=visible_task(user=actor, task_id=task_id), action=Action.RECALL)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    held = hold(task=task, actor=actor, role=role, client_id=client_id, context=context)
    check_source(task=task, action=Action.RECALL, viewer=actor)
    if task.reviewer_id is not None:
        raise IllegalTransition(
            "A reviewer has claimed this task already. Ask them to send it back.",
            snapshot=task_body(task.pk, viewer=actor),
        )
    move_task(
        task=task,
        target=Status.IN_PROGRESS,
        audit_action=TRANSITIONS[Action.RECALL].audit,
        actor=actor,
        role=role,
        context=context,
        before={"assignee": task.assignee.username if task.assignee else None},
        after={"assignee": actor.username},
        changes={"assignee": actor, "last_worked_at": db_now()},
    )
    body = {"task": task_body(task.pk, viewer=actor), "lock": lock_body(held.lock)}
    return keep_reply(request, render_reply(200, body))
