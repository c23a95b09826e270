"""Claim: a pending task becomes the claimer's; an unfinished one goes on with a new holder."""

from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import IllegalTransition, RoleForbidden
from tasks.domain.matrix import TRANSITIONS, Action, Role
from tasks.domain.statuses import WORKABLE, Status
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.events import tell_of_change
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.journal import written_together
from tasks.operations.move_task import move_task
from tasks.operations.row_locks import lock_task
from tasks.operations.task_locks import HeldLock, hold, on_hold
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_action, check_source, visible_task
from tasks.queries.lock_body import lock_body
from tasks.queries.task_body import body_with, task_body


@operation
def claim(
    *, actor: User, task_id: UUID, client_id: str, request: RequestKey, context: RequestContext
) -> Reply:
    """Claim for `actor`; the reply is {task, lock}.

    Raises NotFound, RoleForbidden, IdempotencyConflict, LockHeld, IllegalTransition, BatchOnHold.
    """
    role = check_action(user=actor, task=visible_task(user=actor, task_id=task_id), action=Action.CLAIM)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    held = claim_within(task=task, actor=actor, role=role, client_id=client_id, context=context)
    body = {"task": body_with(task, lock=held.lock), "lock": lock_body(held.lock)}
    return keep_reply(request, render_reply(200, body))


def claim_within(
    *, task: Task, actor: User, role: Role, client_id: str | None, context: RequestContext
) -> HeldLock:
    """Claim the row-locked task inside the caller's transaction; the caller has authorised.

    Pending: in progress from now on. In progress without a live lock: kept, with a new holder. In progress
    and held by the actor: nothing but the renewal. Raises LockHeld, IllegalTransition, BatchOnHold,
    RoleForbidden (reserved for somebody else).
    """
    with written_together(task) as journal:
        held = hold(task=task, actor=actor, role=role, client_id=client_id, context=context)
        check_source(task=task, action=Action.CLAIM, viewer=actor)
        if task.status == Status.IN_PROGRESS:
            if task.assignee_id != actor.pk:
                check_claimable(task=task, actor=actor)
                take_over(task=task, actor=actor, role=role, context=context)
            return held
        check_claimable(task=task, actor=actor)
        check_not_reserved(task=task, actor=actor, role=role)
        move_task(
            task=task,
            target=Status.IN_PROGRESS,
            audit_action=TRANSITIONS[Action.CLAIM].audit,
            actor=actor,
            role=role,
            context=context,
            before={"assignee": task.assignee.username if task.assignee else None},
            after={"assignee": actor.username},
            changes={"assignee": actor, "is_reserved": False, "last_worked_at": journal.moment},
        )
    return held


def take_over(*, task: Task, actor: User, role: Role, context: RequestContext) -> None:
    """Give an unfinished task to `actor`, who holds its lock; the draft stays, the one before is told."""
    before = task.assignee.username if task.assignee else None
    moment = db_now()
    Task.objects.filter(pk=task.pk).update(assignee=actor, last_worked_at=moment, updated_at=moment)
    task.assignee, task.last_worked_at, task.updated_at = actor, moment, moment
    audit_task(
        task=task,
        action="task.takeover",
        actor=actor,
        role=role,
        before={"assignee": before},
        after={"assignee": actor.username},
        context=context,
    )
    tell_of_change(task=task, action="takeover", actor=actor)


def check_claimable(*, task: Task, actor: User) -> None:
    """The batch takes new claims. Raises BatchOnHold or IllegalTransition, with the task."""
    batch = task.batch
    if batch.held_at is not None:
        raise on_hold(task=task, viewer=actor)
    if batch.status not in WORKABLE:
        raise IllegalTransition(
            f"The batch “{batch.name}” is {batch.status}; its tasks cannot be claimed now.",
            snapshot=task_body(task.pk, viewer=actor),
        )


def check_not_reserved(*, task: Task, actor: User, role: Role) -> None:
    """A task that was sent back waits for its annotator. Raises RoleForbidden for other annotators."""
    if task.is_reserved and task.assignee_id not in {None, actor.pk} and role == Role.ANNOTATOR:
        raise RoleForbidden(
            "This task was sent back and waits for the person who worked on it. An admin may reassign it.",
            required_roles=[Role.SUPER_ADMIN, Role.PROJECT_ADMIN, Role.REVIEWER],
        )
