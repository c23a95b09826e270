"""Reading events for streams: one statement for all readers of a process."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from tasks.models import Event, Task

#: Events that one reader gets at a time.
PAGE = 100

_NEW_EVENTS = """
SELECT position.task_id, position.after, event.seq, event.type, event.payload::text
FROM unnest(%s::uuid[], %s::bigint[]) AS position (task_id, after)
CROSS JOIN LATERAL (
    SELECT seq, type, payload FROM events
    WHERE events.task_id = position.task_id AND events.seq > position.after
    ORDER BY events.seq LIMIT %s
) AS event
ORDER BY position.task_id, position.after, event.seq
"""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event; `body` is its payload as JSON text, as it goes out."""

    seq: int
    type: str
    body: str


def events_after(positions: Collection[tuple[UUID, int]]) -> dict[tuple[UUID, int], list[StoredEvent]]:
    """For each (task, cursor) the events after the cursor, in order, at most PAGE of them."""
    found: dict[tuple[UUID, int], list[StoredEvent]] = {position: [] for position in positions}
    with connection.cursor() as cursor:
        cursor.execute(
            _NEW_EVENTS, [[task for task, _ in positions], [after for _, after in positions], PAGE]
        )
        for task_id, after, seq, kind, body in cursor.fetchall():
            found[task_id, after].append(StoredEvent(seq, kind, body))
    return found


def newest_seqs(task_ids: Collection[UUID]) -> dict[UUID, int]:
    """Each task's last event number; tasks that are gone are missing."""
    return dict(Task.objects.filter(pk__in=task_ids).values_list("pk", "event_seq"))


def oldest_kept_seq(*, task_id: UUID, after: int) -> int | None:
    """The number of the oldest kept event after `after`; None where there is none."""
    events = Event.objects.filter(task_id=task_id, seq__gt=after).order_by("seq")
    return events.values_list("seq", flat=True).first()


def can_resume(*, task_id: UUID, after: int) -> bool:
    """Whether every event after `after` is still kept, so that a reader there misses nothing."""
    newest = newest_seqs([task_id]).get(task_id)
    if newest is None or not 0 <= after <= newest:
        return False
    return after == newest or oldest_kept_seq(task_id=task_id, after=after) == after + 1


def as_event_message(event: StoredEvent) -> str:
    """The WebSocket's message for one event, as JSON text."""
    return f'{{"type": "event", "event": {event.body}}}'


def withheld(event: StoredEvent) -> StoredEvent:
    """What a person who may not see this event gets: its number and time, so that they see no gap."""
    whole = json.loads(event.body)
    kept = {name: whole[name] for name in ("seq", "task_id", "at")}
    return StoredEvent(event.seq, "withheld", json.dumps({**kept, "type": "withheld", "job_id": None}))
