"""The only assigner of a task's status."""

from typing import Any

from django.db import connection

from tasks.domain.actor import RequestContext
from tasks.domain.errors import Busy, NotFound
from tasks.domain.event_types import TaskStatusEvent
from tasks.domain.matrix import Role
from tasks.domain.statuses import Status
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.batch_moves import after_task_moved
from tasks.operations.events import append_event
from tasks.operations.journal import written_together
from tasks.queries.user_body import user_body_or_none


def move_task(
    *,
    task: Task,
    target: Status,
    audit_action: str,
    actor: User | None,
    role: Role | str,
    context: RequestContext,
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    changes: dict[str, Any] | None = None,
) -> None:
    """Move the row-locked task: version + 1, counters, audit, `task.status` event, the batch's own moves.

    `changes`: further columns written by the same UPDATE. `before` and `after` are added to what the audit
    row says of the status. Raises Busy where the row is not as the caller read it (it did not lock it),
    NotFound where the task was archived after the caller looked: the counters have left it out already.
    """
    if task.archived_at is not None:
        raise NotFound
    source, version = Status(task.status), task.version
    with written_together(task) as journal:
        columns = {**(changes or {}), "status": target, "version": version + 1, "updated_at": journal.moment}
        moved = Task.objects.filter(pk=task.pk, status=source, version=version).update(**columns)
        if not moved:
            raise Busy
        for column, value in columns.items():
            setattr(task, column, value)
        count_move(task=task, source=source, target=target)
        audit_task(
            task=task,
            action=audit_action,
            actor=actor,
            role=role,
            reason=reason,
            before={"status": source.value, "version": version, **(before or {})},
            after={"status": target.value, "version": task.version, **(after or {})},
            context=context,
        )
        append_event(
            task=task,
            data=TaskStatusEvent(
                status=target.value,
                version=task.version,
                action=audit_action.removeprefix("task."),
                actor=user_body_or_none(actor),
            ),
        )
    after_task_moved(batch=task.batch, source=source, target=target)


def count_move(*, task: Task, source: Status | None, target: Status | None) -> None:
    """The batch's counters as delta rows, so that claims do not queue behind one row."""
    deltas = [(status, delta) for status, delta in ((source, -1), (target, 1)) if status is not None]
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO batch_counts (batch_id, status, delta)"
            " SELECT %s, * FROM unnest(%s::text[], %s::int[])",
            [task.batch_id, [status.value for status, _ in deltas], [delta for _, delta in deltas]],
        )
