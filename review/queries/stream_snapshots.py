"""The snapshots that streams begin with. Each is read at one moment, with the number of the last event that
is in it: a body put together while events commit would claim events that it does not show."""

from typing import Any
from uuid import UUID

from review.queries.editor_body import editor_body
from review.queries.job_body import job_body
from tasks.domain.times import iso
from tasks.models import Task
from tasks.queries.access import visible_task
from tasks.queries.one_moment import one_moment
from tasks.queries.stream_opening import active_user


def job_snapshot(*, job_id: UUID) -> dict[str, Any]:
    """The `snapshot` of a job's stream; `seq` and `last_event_id` are the last event that it includes."""
    with one_moment() as moment:
        body = job_body(job_id)
        return {
            "seq": body["last_event_id"],
            "type": "snapshot",
            "task_id": body["task_id"],
            "job_id": str(job_id),
            "at": iso(moment),
            "last_event_id": body["last_event_id"],
            "job": body,
        }


def task_snapshot(*, task_id: UUID, user_id: UUID) -> dict[str, Any]:
    """The snapshot of a task's stream: its editor. Raises NotFound where the person does not see it."""
    with one_moment() as moment:
        user = active_user(user_id)
        visible_task(user=user, task_id=task_id)
        editor = editor_body(task_id, viewer=user)
        return {
            "task_id": str(task_id),
            "at": iso(moment),
            "last_event_id": Task.objects.values_list("event_seq", flat=True).get(pk=task_id),
            "editor": editor,
            "job": editor["job"],
        }
