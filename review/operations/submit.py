"""Submit: the confirmed annotation goes to review, and the lock goes with it."""

from uuid import UUID

from review.models import Job, Pin
from review.queries.confirmation import confirmation_of, draft_version
from review.queries.editor_body import editor_body
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import JobActive, NotConfirmed, PinsOpen, VersionConflict
from tasks.domain.matrix import TRANSITIONS, Action
from tasks.domain.statuses import Status
from tasks.models import Task, User
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.lock_for_action import lock_for_action
from tasks.operations.move_task import move_task
from tasks.operations.row_locks import lock_task
from tasks.operations.task_locks import let_go, require_held
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_action, check_source, visible_task
from tasks.queries.task_body import task_body


@operation
def submit(
    *,
    actor: User,
    task_id: UUID,
    expected_draft_version: int | None,
    lock_token: int | None,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Submit; the reply is {task}.

    Raises NotFound, RoleForbidden, IdempotencyConflict, LockLost, LockHeld, IllegalTransition,
    VersionConflict, and in this order JobActive, NotConfirmed, PinsOpen.
    """
    role = check_action(user=actor, task=visible_task(user=actor, task_id=task_id), action=Action.SUBMIT)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    if lock_token is not None:
        require_held(task=task, actor=actor, lock_token=lock_token)
    else:
        lock_for_action(task=task, actor=actor, role=role, action=Action.SUBMIT, context=context)
    check_source(task=task, action=Action.SUBMIT, viewer=actor)
    if expected_draft_version is not None and expected_draft_version != draft_version(task.pk):
        raise VersionConflict(
            "The draft changed since you looked. Look at the snapshot, confirm, then submit again.",
            snapshot=editor_body(task.pk, viewer=actor),
        )
    _check_ready(task, actor=actor)
    move_task(
        task=task,
        target=Status.REVIEW,
        audit_action=TRANSITIONS[Action.SUBMIT].audit,
        actor=actor,
        role=role,
        context=context,
        after={"annotation_revision": task.annotation_revision},
        changes={
            "submitted_by": actor,
            "submitted_at": db_now(),
            "is_reserved": False,
            "reviewer": None,
        },
    )
    let_go(task=task, actor=actor, role=role, context=context)
    return keep_reply(request, render_reply(200, {"task": task_body(task.pk, viewer=actor)}))


def _check_ready(task: Task, *, actor: User) -> None:
    if Job.objects.filter(task_id=task.pk).live().exists():
        raise JobActive(
            "A job is still running on this task. Answer its question, wait for it, or cancel it.",
            snapshot=task_body(task.pk, viewer=actor),
        )
    if not confirmation_of(task).is_confirmed:
        raise NotConfirmed(
            "The draft is not confirmed as it stands. Confirm it first.",
            snapshot=task_body(task.pk, viewer=actor),
        )
    last = task.last_decision or {}
    pins = [pin["id"] for pin in last.get("pins", [])] if last.get("decision") == "reject" else []
    left = Pin.objects.filter(task_id=task.pk, pk__in=pins, answered_at=None).count()
    if left:
        raise PinsOpen(
            f"The reviewer's pins wait for an answer ({left} left). Answer each of them first.",
            snapshot=task_body(task.pk, viewer=actor),
        )
