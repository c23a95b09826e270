"""Writing an event: numbered under the task's row lock, so gapless and in commit order (I9)."""

from uuid import UUID

from django.db import connection

from tasks.domain.event_types import EventData
from tasks.domain.times import iso
from tasks.models import Event, Task
from tasks.operations.hints import hint_task

# One round trip for the number and the database's clock: several events belong to most operations.
_NEXT = "UPDATE tasks SET event_seq = event_seq + 1 WHERE id = %s RETURNING event_seq, clock_timestamp()"


def append_event(*, task: Task, data: EventData, job_id: UUID | None = None) -> Event:
    """Append `data` to the task's events. The caller holds the task's row lock or takes it hereby.

    The counter is raised by UPDATE, which locks the row even where a caller did not: a second writer
    waits, so numbers become visible in their order.
    """
    with connection.cursor() as cursor:
        cursor.execute(_NEXT, [task.pk])
        row = cursor.fetchone()
    assert row is not None, "the task is gone"
    seq, at = row
    task.event_seq = seq
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
