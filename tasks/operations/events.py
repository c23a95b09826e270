"""Writing an event: numbered under the task's row lock, so gapless and in commit order (I9)."""

from uuid import UUID

from django.db.models import F

from tasks.domain.event_types import EventData
from tasks.domain.times import iso
from tasks.models import Event, Task
from tasks.operations.hints import hint_task
from tasks.operations.transactions import db_now


def append_event(*, task: Task, data: EventData, job_id: UUID | None = None) -> Event:
    """Append `data` to the task's events. The caller holds the task's row lock or takes it hereby.

    The counter is raised by UPDATE, which locks the row even where a caller did not: a second writer
    waits, so numbers become visible in their order.
    """
    Task.objects.filter(pk=task.pk).update(event_seq=F("event_seq") + 1)
    seq = Task.objects.values_list("event_seq", flat=True).get(pk=task.pk)
    task.event_seq = seq
    at = db_now()
    payload = {
        "seq": seq,
        "type": data.type,
        "task_id": str(task.pk),
        "job_id": str(job_id) if job_id else None,
        "at": iso(at),
        **data.model_dump(mode="json"),
    }
    event = Event.objects.create(
        task_id=task.pk, job_id=job_id, seq=seq, type=data.type, payload=payload, at=at
    )
    hint_task(task.pk, task.project_id)
    return event
