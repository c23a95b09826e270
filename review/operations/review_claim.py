"""Claiming a review: by the task's lock, or, where several approvals are needed, by an assignment row."""

from typing import Any
from uuid import UUID

from review.models import ReviewerAssignment
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.matrix import TRANSITIONS, Action, Role
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.events import tell_of_change
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.task_locks import check_not_stopped, hold
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_action, check_source, visible_task
from tasks.queries.lock_body import live_lock, lock_body
from tasks.queries.task_body import task_body


@operation
def review_claim(
    *, actor: User, task_id: UUID, client_id: str, request: RequestKey, context: RequestContext
) -> Reply:
    """The reply is {task, lock}; `lock` is null where nobody's is live (several approvals needed).

    Raises NotFound, RoleForbidden, IdempotencyConflict, LockHeld, IllegalTransition, BatchOnHold.
    """
    task = visible_task(user=actor, task_id=task_id)
    role = check_action(user=actor, task=task, action=Action.REVIEW_CLAIM)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    lock = review_claim_within(task=task, actor=actor, role=role, client_id=client_id, context=context)
    body = {"task": task_body(task.pk, viewer=actor), "lock": lock}
    return keep_reply(request, render_reply(200, body))


def review_claim_within(
    *, task: Task, actor: User, role: Role, client_id: str, context: RequestContext
) -> dict[str, Any] | None:
    """Claim the row-locked task's review inside the caller's transaction; its lock as the API shows it.

    Claiming again is a renewal. Raises LockHeld, IllegalTransition, BatchOnHold.
    """
    if task.project.required_approvals > 1:
        check_source(task=task, action=Action.REVIEW_CLAIM, viewer=actor)
        is_new = not ReviewerAssignment.objects.filter(task=task, reviewer=actor).exists()
        if is_new:
            check_not_stopped(task=task, viewer=actor)
            ReviewerAssignment.objects.create(task=task, reviewer=actor, claimed_at=db_now())
        lock = live_lock(task.pk)
    else:
        lock = hold(task=task, actor=actor, role=role, client_id=client_id, context=context).lock
        check_source(task=task, action=Action.REVIEW_CLAIM, viewer=actor)
        is_new = task.reviewer_id != actor.pk
    if is_new:
        _note(task, actor=actor, role=role, context=context)
    return None if lock is None else lock_body(lock)


def _note(task: Task, *, actor: User, role: Role, context: RequestContext) -> None:
    """The claim on the task's row (a recall looks there), in the audit and in the events."""
    before = task.reviewer.username if task.reviewer else None
    # With several reviewers the first one's name stays: it says that the review has begun.
    if task.project.required_approvals == 1 or task.reviewer_id is None:
        moment = db_now()
        Task.objects.filter(pk=task.pk).update(reviewer=actor, updated_at=moment)
        task.reviewer, task.updated_at = actor, moment
    audit_task(
        task=task,
        action=TRANSITIONS[Action.REVIEW_CLAIM].audit,
        actor=actor,
        role=role,
        before={"status": task.status, "reviewer": before},
        after={"status": task.status, "reviewer": actor.username},
        context=context,
    )
    tell_of_change(task=task, action="review_claim", actor=actor)
