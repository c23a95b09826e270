"""Writing an event of a task."""

from uuid import UUID

from tasks.domain.event_types import EventData, TaskStatusEvent
from tasks.domain.times import iso
from tasks.models import Event, Task, User
from tasks.operations.journal import written_together
from tasks.queries.user_body import user_body_or_none


def append_event(*, task: Task, data: EventData, job_id: UUID | None = None) -> Event:
    """Append `data` to the task's events, with the next number (I9)."""
    with written_together(task) as journal:
        seq = journal.event_seq + 1
        payload = {
            "seq": seq,
            "type": data.type,
            "task_id": str(task.pk),
            "job_id": str(job_id) if job_id else None,
            "at": iso(journal.moment),
            **data.model_dump(mode="json"),
        }
        event = Event(
            task_id=task.pk, job_id=job_id, seq=seq, type=data.type, payload=payload, at=journal.moment
        )
        journal.tell(event)
    return event


def tell_of_change(*, task: Task, action: str, actor: User | None) -> Event:
    """Tell the task's readers that something of it changed while its status stayed."""
    data = TaskStatusEvent(
        status=task.status, version=task.version, action=action, actor=user_body_or_none(actor)
    )
    return append_event(task=task, data=data)
