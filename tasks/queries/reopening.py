"""Why a task that was completed is open again."""

from typing import Any

from tasks.domain.matrix import TRANSITIONS, Action
from tasks.domain.statuses import Status
from tasks.models import AuditEntry, Task
from tasks.queries.audit_entries import audit_bodies

_REOPENED = TRANSITIONS[Action.REOPEN].audit
#: What ends it: the work was handed in again.
_HANDED_IN = TRANSITIONS[Action.SUBMIT].audit


def reopening_body(task: Task) -> dict[str, Any] | None:
    """`{reason, by, at}` until the task is handed in again; None where it was not reopened.

    The audit's row is the only record of the reason. What was never confirmed was never completed: for it no
    statement is made.
    """
    if task.status not in {Status.PENDING, Status.IN_PROGRESS} or task.annotation_revision is None:
        return None
    moves = AuditEntry.objects.filter(task_id=task.pk, action__in=[_REOPENED, _HANDED_IN])
    newest = moves.order_by("-number").first()
    if newest is None or newest.action != _REOPENED:
        return None
    row = audit_bodies([newest])[0]
    return {"reason": row["reason"], "by": row["actor"], "at": row["at"]}
