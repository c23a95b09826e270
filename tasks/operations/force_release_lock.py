"""An admin ends somebody's lock, with a reason."""

from uuid import UUID

from locks import operations as leases
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import NotFound
from tasks.domain.matrix import Role
from tasks.models import Task, User
from tasks.operations.idempotency import NO_CONTENT, keep_reply, known_reply
from tasks.operations.reasons import required_reason
from tasks.operations.row_locks import lock_task
from tasks.operations.task_locks import note_expiry, note_release
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_manage, visible_project


@operation
def force_release_lock(
    *,
    actor: User,
    project_id: UUID,
    task_id: UUID,
    reason: str,
    context: RequestContext,
    request: RequestKey | None = None,
) -> bool:
    """Whether a live lock was ended. A repeated `request` ends nobody's: another may hold the task now.

    Raises NotFound, RoleForbidden, IdempotencyConflict, ValidationFailed (422, no reason).
    """
    project = visible_project(user=actor, project_id=project_id)
    role = check_manage(user=actor, project=project)
    if not Task.objects.filter(pk=task_id, project=project).exists():
        raise NotFound
    if request is not None and known_reply(request) is not None:
        return False
    task = lock_task(task_id)
    if request is not None and known_reply(request) is not None:
        return False
    released = force_release_within(
        task=task, actor=actor, role=role, reason=required_reason(reason), context=context
    )
    if request is not None:
        keep_reply(request, NO_CONTENT)
    return released


def force_release_within(
    *, task: Task, actor: User, role: Role, reason: str, context: RequestContext
) -> bool:
    """End whoever's lock of the row-locked task inside the caller's transaction; whether it was live."""
    lock = leases.force_release(task_id=task.pk)
    if lock is None:
        return False
    if lock.expire_at <= db_now():
        note_expiry(task=task, lock=lock, is_free=True)
        return False
    note_release(
        task=task,
        lock=lock,
        actor=actor,
        role=role,
        context=context,
        action="lock.force_release",
        reason=reason,
    )
    return True
