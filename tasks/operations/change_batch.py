"""Changing a batch: name, priority, who works on it, and its moves by hand."""

from typing import Any
from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import IllegalTransition
from tasks.domain.statuses import BATCH_MOVES_BY_HAND, BatchStatus
from tasks.domain.system_reasons import SystemReason
from tasks.models import Batch, BatchAssignee, Task, User
from tasks.operations.audit import audit_project
from tasks.operations.create_batch import assignable, checked_name
from tasks.operations.free_tasks import annotators_without, free_tasks
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.reasons import required_reason
from tasks.operations.row_locks import lock_batch, lock_project
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_manage
from tasks.queries.batch_body import batch_body, visible_batch


@operation
def change_batch(
    *, actor: User, batch_id: UUID, values: dict[str, Any], request: RequestKey, context: RequestContext
) -> Reply:
    """`values`: any of name, priority, open, assignees, status, and the reason that some moves need.

    Whom the batch is taken away from lets go of its tasks. The reply is the batch. Raises NotFound,
    RoleForbidden, IdempotencyConflict, IllegalTransition, ValidationFailed (422).
    """
    seen = visible_batch(user=actor, batch_id=batch_id)
    role = check_manage(user=actor, project=seen.project)
    if (reply := known_reply(request)) is not None:
        return reply
    free_tasks(
        tasks=Task.objects.filter(batch=batch_id),
        people=_left_out(seen, values),
        actor=actor,
        role=role,
        reason=SystemReason.GIVEN_AWAY,
        context=context,
    )
    batch = lock_batch(batch_id)
    if (reply := known_reply(request)) is not None:
        return reply
    project = lock_project(batch.project_id)
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    reason = values.get("reason", "")
    if "status" in values and values["status"] != batch.status:
        reason = check_move_by_hand(batch=batch, target=BatchStatus(values["status"]), reason=reason)
        before["status"], after["status"] = batch.status, values["status"]
        batch.status = values["status"]
        batch.archived_at = db_now() if batch.status == BatchStatus.ARCHIVED else None
    if "name" in values:
        values = {**values, "name": checked_name(values["name"])}
    for name in ("name", "priority", "open"):
        if name in values and values[name] != getattr(batch, name):
            before[name], after[name] = getattr(batch, name), values[name]
            setattr(batch, name, values[name])
    if "assignees" in values:
        people = assignable(project, values["assignees"])
        names = sorted(BatchAssignee.objects.filter(batch=batch).values_list("user__username", flat=True))
        wanted = sorted(user.username for user in people)
        if names != wanted:
            before["assignees"], after["assignees"] = names, wanted
            BatchAssignee.objects.filter(batch=batch).exclude(user__in=people).delete()
            BatchAssignee.objects.bulk_create(
                [BatchAssignee(batch=batch, user=user) for user in people], ignore_conflicts=True
            )
    if after:
        batch.save(update_fields=["name", "priority", "open", "status", "archived_at"])
        audit_project(
            project=project,
            action="batch.change",
            actor=actor,
            role=role,
            reason=reason.strip(),
            before={"batch": str(batch.pk), **before},
            after={"batch": str(batch.pk), **after},
            context=context,
        )
    return keep_reply(request, render_reply(200, batch_body(batch)))


def _left_out(batch: Batch, values: dict[str, Any]) -> set[UUID]:
    """Whom `values` take the batch away from: nobody while it is open to everyone."""
    if values.get("open", batch.open) or not {"open", "assignees"} & set(values):
        return set()
    if "assignees" in values:
        names = values["assignees"]
    else:
        names = BatchAssignee.objects.filter(batch=batch).values_list("user__username", flat=True)
    return annotators_without(project=batch.project, names=names)


def check_move_by_hand(*, batch: Batch, target: BatchStatus, reason: str) -> str:
    """The reason, where the table has the move. Raises IllegalTransition, ValidationFailed (422)."""
    needs_reason = BATCH_MOVES_BY_HAND.get((BatchStatus(batch.status), target))
    if needs_reason is None:
        raise IllegalTransition(
            f"A batch that is {batch.status} cannot be made {target} by hand.", snapshot=batch_body(batch)
        )
    if batch.is_default and target in {BatchStatus.ARCHIVED, BatchStatus.DRAFT}:
        raise IllegalTransition(
            "The Inbox stays open: uploads without a batch go there.", snapshot=batch_body(batch)
        )
    return required_reason(reason) if needs_reason else reason
