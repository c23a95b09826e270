"""Putting projects, batches and tasks away: out of lists and queues, kept for the audit."""

from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import IllegalTransition, NotFound
from tasks.domain.statuses import BatchStatus, Status
from tasks.domain.system_reasons import SystemReason
from tasks.models import Task, User
from tasks.operations.audit import audit_project, audit_task
from tasks.operations.batch_moves import settle_batch
from tasks.operations.change_batch import check_move_by_hand
from tasks.operations.force_release_lock import force_release_within
from tasks.operations.idempotency import NO_CONTENT, Reply, keep_reply, known_reply, render_reply
from tasks.operations.move_task import count_move
from tasks.operations.reasons import required_reason
from tasks.operations.row_locks import lock_batch, lock_project, lock_task
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_manage, project_to_archive, task_to_archive
from tasks.queries.batch_body import batch_body, visible_batch
from tasks.queries.project_body import project_body
from tasks.queries.task_body import task_body


@operation
def archive_project(
    *, actor: User, project_id: UUID, reason: str, request: RequestKey, context: RequestContext
) -> Reply:
    """Raises NotFound, RoleForbidden, IdempotencyConflict, ValidationFailed (422, no reason)."""
    role = check_manage(user=actor, project=project_to_archive(user=actor, project_id=project_id))
    if (reply := known_reply(request)) is not None:
        return reply
    project = lock_project(project_id)
    if (reply := known_reply(request)) is not None:
        return reply
    if project.archived_at is not None:
        raise NotFound
    why = required_reason(reason)
    project.archived_at = db_now()
    project.save(update_fields=["archived_at"])
    audit_project(
        project=project, action="project.archive", actor=actor, role=role, reason=why, context=context
    )
    return keep_reply(request, NO_CONTENT)


@operation
def restore_project(
    *, actor: User, project_id: UUID, reason: str, request: RequestKey, context: RequestContext
) -> Reply:
    """The reply is the project, in the lists again.

    Raises NotFound, RoleForbidden, IdempotencyConflict, IllegalTransition.
    """
    role = check_manage(user=actor, project=project_to_archive(user=actor, project_id=project_id))
    if (reply := known_reply(request)) is not None:
        return reply
    project = lock_project(project_id)
    if (reply := known_reply(request)) is not None:
        return reply
    if project.archived_at is None:
        raise IllegalTransition("The project is not archived.", snapshot=project_body(project, viewer=actor))
    project.archived_at = None
    project.save(update_fields=["archived_at"])
    audit_project(
        project=project,
        action="project.restore",
        actor=actor,
        role=role,
        reason=reason.strip(),
        context=context,
    )
    return keep_reply(request, render_reply(200, project_body(project, viewer=actor)))


@operation
def archive_batch(
    *, actor: User, batch_id: UUID, reason: str, request: RequestKey, context: RequestContext
) -> Reply:
    """Raises NotFound, RoleForbidden, IdempotencyConflict, IllegalTransition (the Inbox stays),
    ValidationFailed (422)."""
    role = check_manage(user=actor, project=visible_batch(user=actor, batch_id=batch_id).project)
    if (reply := known_reply(request)) is not None:
        return reply
    batch = lock_batch(batch_id)
    if (reply := known_reply(request)) is not None:
        return reply
    check_move_by_hand(batch=batch, target=BatchStatus.ARCHIVED, reason=reason)
    why = required_reason(reason)
    before, batch.status, batch.archived_at = batch.status, BatchStatus.ARCHIVED, db_now()
    batch.save(update_fields=["status", "archived_at"])
    audit_project(
        project=lock_project(batch.project_id),
        action="batch.archive",
        actor=actor,
        role=role,
        reason=why,
        before={"batch": str(batch.pk), "status": before},
        after={"batch": str(batch.pk), "status": batch.status},
        context=context,
    )
    return keep_reply(request, NO_CONTENT)


@operation
def restore_batch(
    *, actor: User, batch_id: UUID, reason: str, request: RequestKey, context: RequestContext
) -> Reply:
    """The reply is the batch: active again, then wherever its tasks put it.

    Raises NotFound, RoleForbidden, IdempotencyConflict, IllegalTransition.
    """
    role = check_manage(user=actor, project=visible_batch(user=actor, batch_id=batch_id).project)
    if (reply := known_reply(request)) is not None:
        return reply
    batch = lock_batch(batch_id)
    if (reply := known_reply(request)) is not None:
        return reply
    if batch.status != BatchStatus.ARCHIVED:
        raise IllegalTransition("The batch is not archived.", snapshot=batch_body(batch))
    batch.status, batch.archived_at = BatchStatus.ACTIVE, None
    batch.save(update_fields=["status", "archived_at"])
    audit_project(
        project=lock_project(batch.project_id),
        action="batch.restore",
        actor=actor,
        role=role,
        reason=reason.strip(),
        before={"batch": str(batch.pk), "status": BatchStatus.ARCHIVED},
        after={"batch": str(batch.pk), "status": batch.status},
        context=context,
    )
    settle_batch(batch)
    return keep_reply(request, render_reply(200, batch_body(batch)))


@operation
def archive_task(
    *, actor: User, task_id: UUID, reason: str, request: RequestKey, context: RequestContext
) -> Reply:
    """Somebody's lock in it ends.

    Raises NotFound, RoleForbidden, IdempotencyConflict, ValidationFailed (422, no reason).
    """
    role = check_manage(user=actor, project=task_to_archive(user=actor, task_id=task_id).project)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    if task.archived_at is not None:
        raise NotFound
    why = required_reason(reason)
    ended = SystemReason.ARCHIVED.because(why)
    force_release_within(task=task, actor=actor, role=role, reason=ended, context=context)
    Task.objects.filter(pk=task.pk).update(archived_at=db_now())
    count_move(task=task, source=Status(task.status), target=None)
    audit_task(task=task, action="task.archive", actor=actor, role=role, reason=why, context=context)
    settle_batch(lock_batch(task.batch_id))
    return keep_reply(request, NO_CONTENT)


@operation
def restore_task(
    *, actor: User, task_id: UUID, reason: str, request: RequestKey, context: RequestContext
) -> Reply:
    """The reply is the task: in lists and queues again, in the status it had.

    Raises NotFound, RoleForbidden, IdempotencyConflict, IllegalTransition.
    """
    role = check_manage(user=actor, project=task_to_archive(user=actor, task_id=task_id).project)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    if task.archived_at is None:
        raise IllegalTransition("The task is not archived.", snapshot=task_body(task_id, viewer=actor))
    Task.objects.filter(pk=task.pk).update(archived_at=None)
    count_move(task=task, source=None, target=Status(task.status))
    audit_task(
        task=task, action="task.restore", actor=actor, role=role, reason=reason.strip(), context=context
    )
    settle_batch(lock_batch(task.batch_id))
    return keep_reply(request, render_reply(200, task_body(task_id, viewer=actor)))
