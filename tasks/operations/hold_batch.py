"""A batch on hold takes no new claims and does not move by itself; running work may finish."""

from collections.abc import Iterator
from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import IllegalTransition
from tasks.domain.system_reasons import SystemReason
from tasks.models import Task, User
from tasks.operations.audit import audit_project
from tasks.operations.batch_moves import settle_batch
from tasks.operations.force_release_lock import force_release_within
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.reasons import required_reason
from tasks.operations.row_locks import lock_batch, lock_project, lock_task
from tasks.operations.transactions import db_now, operation, wait_for_running_transactions
from tasks.queries.access import check_manage
from tasks.queries.batch_body import batch_body, visible_batch

HOLD = ("held_by", "held_at", "hold_reason", "hold_stops_work")


def hold_batch(
    *,
    actor: User,
    batch_id: UUID,
    reason: str,
    release_locks: bool,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Put it on hold; with `release_locks` running work stops as well. The reply is the batch.

    Raises NotFound, RoleForbidden, IdempotencyConflict, IllegalTransition, ValidationFailed (422, no reason).
    """
    reply = _hold(
        actor=actor,
        batch_id=batch_id,
        reason=reason,
        release_locks=release_locks,
        request=request,
        context=context,
    )
    if release_locks:
        # A claim reads the batch without a lock on it: one that read it before the commit may take its lock
        # after it, and would work on all through the hold.
        wait_for_running_transactions()
        _release_late(actor=actor, batch_id=batch_id, reason=reason, context=context)
    return reply


@operation
def _hold(
    *,
    actor: User,
    batch_id: UUID,
    reason: str,
    release_locks: bool,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    role = check_manage(user=actor, project=visible_batch(user=actor, batch_id=batch_id).project)
    if (reply := known_reply(request)) is not None:
        return reply
    released: list[str] = []
    if release_locks and reason.strip():
        # Tasks come before their batch in the order of row locks, and among themselves by key.
        for task in _with_locks(batch_id):
            why = SystemReason.ON_HOLD.because(reason)
            if force_release_within(task=task, actor=actor, role=role, reason=why, context=context):
                released.append(str(task.pk))
    batch = lock_batch(batch_id)
    if (reply := known_reply(request)) is not None:
        return reply
    if batch.held_at is not None:
        raise IllegalTransition("The batch is on hold already.", snapshot=batch_body(batch))
    batch.held_by, batch.held_at, batch.hold_reason = actor, db_now(), required_reason(reason)
    batch.hold_stops_work = release_locks
    batch.save(update_fields=HOLD)
    audit_project(
        project=lock_project(batch.project_id),
        action="batch.hold",
        actor=actor,
        role=role,
        reason=batch.hold_reason,
        after={"batch": str(batch.pk), "released_locks": released},
        context=context,
    )
    return keep_reply(request, render_reply(200, batch_body(batch)))


@operation
def _release_late(*, actor: User, batch_id: UUID, reason: str, context: RequestContext) -> None:
    role = check_manage(user=actor, project=visible_batch(user=actor, batch_id=batch_id).project)
    why = SystemReason.ON_HOLD.because(reason)
    for task in _with_locks(batch_id):
        # The hold of a repeated request may be over by now.
        if task.batch.held_at is not None and task.batch.hold_stops_work:
            force_release_within(task=task, actor=actor, role=role, reason=why, context=context)


def _with_locks(batch_id: UUID) -> Iterator[Task]:
    """The batch's tasks in which somebody has a lock, row-locked one by one."""
    held = Task.objects.filter(batch=batch_id, lock__isnull=False).order_by("pk")
    for task_id in held.values_list("pk", flat=True):
        yield lock_task(task_id)


@operation
def release_batch(*, actor: User, batch_id: UUID, request: RequestKey, context: RequestContext) -> Reply:
    """End the hold, and make up for the moves that it stopped. The reply is the batch.

    Raises NotFound, RoleForbidden, IdempotencyConflict, IllegalTransition.
    """
    role = check_manage(user=actor, project=visible_batch(user=actor, batch_id=batch_id).project)
    if (reply := known_reply(request)) is not None:
        return reply
    batch = lock_batch(batch_id)
    if (reply := known_reply(request)) is not None:
        return reply
    if batch.held_at is None:
        raise IllegalTransition("The batch is not on hold.", snapshot=batch_body(batch))
    before = {"batch": str(batch.pk), "reason": batch.hold_reason}
    batch.held_by, batch.held_at, batch.hold_reason, batch.hold_stops_work = None, None, "", False
    batch.save(update_fields=HOLD)
    audit_project(
        project=lock_project(batch.project_id),
        action="batch.release",
        actor=actor,
        role=role,
        before=before,
        context=context,
    )
    settle_batch(batch)
    return keep_reply(request, render_reply(200, batch_body(batch)))
