"""Mark a sample as normal, difficult, for later or invalid; each change is kept as a row of its own."""

from uuid import UUID

from review.models import ReviewMarkChange
from review.operations.lock_for_edit import lock_for_edit
from review.queries.editor_body import editor_body, mark_body
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import VersionConflict
from tasks.domain.matrix import Operation
from tasks.domain.statuses import Mark
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.events import tell_of_change
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_operation, visible_task


@operation
def mark_task(
    *,
    actor: User,
    task_id: UUID,
    mark: Mark,
    reason: str,
    note: str,
    expected_version: int,
    lock_token: int | None,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Mark; the reply is {mark, reason, note, version, by, at}. The same mark again keeps its version.

    Raises NotFound, RoleForbidden, IdempotencyConflict, LockLost, LockHeld, IllegalTransition,
    VersionConflict (with the editor).
    """
    role = check_operation(
        user=actor, task=visible_task(user=actor, task_id=task_id), operation=Operation.EDIT
    )
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    lock_for_edit(task=task, actor=actor, role=role, lock_token=lock_token)
    before = mark_body(task)
    if expected_version != before["version"]:
        raise VersionConflict(
            "Somebody changed the mark meanwhile. Look at it, then set yours again.",
            snapshot=editor_body(task.pk, viewer=actor),
        )
    wanted = {"mark": mark.value, "reason": reason, "note": note}
    if wanted != {name: before[name] for name in wanted}:
        now = db_now()
        ReviewMarkChange.objects.create(task=task, version=expected_version + 1, by=actor, at=now, **wanted)
        Task.objects.filter(pk=task.pk).update(mark=mark, updated_at=now)
        task.mark, task.updated_at = mark, now
        audit_task(
            task=task,
            action="mark",
            actor=actor,
            role=role,
            reason=reason,
            before={"mark": before["mark"], "note": before["note"]},
            after={"mark": mark.value, "note": note},
            context=context,
        )
        tell_of_change(task=task, action="mark", actor=actor)
    return keep_reply(request, render_reply(200, mark_body(task)))
