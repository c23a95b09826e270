"""What is written down of a task, its events and its audit rows: numbered in memory, stored in one statement.

`append_event` and `audit_task` are the ways in. Each writes at once; inside `written_together` all of a block
go out at its end. The task's row is locked all the while, so event numbers are gapless and in commit order
(I9), and the audit chain has one head.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import connection

from tasks.models import AuditEntry, Event, Task
from tasks.operations.hints import hint_task

# The row lock is the mutex of the numbers and of the chain, also where a caller did not take it.
_BEGIN = """
SELECT event_seq, audit_count, audit_head, clock_timestamp() FROM tasks WHERE id = %s FOR NO KEY UPDATE
"""
_EVENT = ("job_id", "seq", "type", "payload")
_ENTRY = (
    "number", "actor_id", "actor_name", "role", "action", "reason", "before", "after", "request_id",
    "address", "prev_hash", "hash",
)  # fmt: skip
_WRITE = """
WITH changed AS (
  UPDATE tasks SET event_seq = %(event_seq)s, audit_count = %(audit_count)s, audit_head = %(audit_head)s
   WHERE id = %(task_id)s
), told AS (
  INSERT INTO events (task_id, at, job_id, seq, type, payload)
  SELECT %(task_id)s, %(at)s, * FROM unnest(
    %(job_id)s::uuid[], %(seq)s::bigint[], %(type)s::text[], %(payload)s::text[]::jsonb[])
)
INSERT INTO audit (task_id, project_id, at, number, actor_id, actor_name, role, action, reason, before, after,
                   request_id, address, prev_hash, hash)
SELECT %(task_id)s, %(project_id)s, %(at)s, * FROM unnest(
  %(number)s::bigint[], %(actor_id)s::uuid[], %(actor_name)s::text[], %(role)s::text[], %(action)s::text[],
  %(reason)s::text[], %(before)s::text[]::jsonb[], %(after)s::text[]::jsonb[], %(request_id)s::text[],
  %(address)s::text[], %(prev_hash)s::text[], %(hash)s::text[])
"""


@dataclass
class Journal:
    """What waits to be written of one task, and the numbers so far. `moment`: the database's, for all."""

    task_id: UUID
    project_id: UUID
    event_seq: int
    audit_count: int
    audit_head: str
    moment: datetime
    events: list[Event] = field(default_factory=list)
    entries: list[AuditEntry] = field(default_factory=list)

    def tell(self, event: Event) -> None:
        """Keep an event that has the next number."""
        self.events.append(event)
        self.event_seq = event.seq

    def note(self, entry: AuditEntry) -> None:
        """Keep an audit row that has the next number."""
        self.entries.append(entry)
        self.audit_count, self.audit_head = entry.number, entry.hash


_open: ContextVar[dict[UUID, Journal] | None] = ContextVar("journals", default=None)


@contextmanager
def written_together(task: Task) -> Iterator[Journal]:
    """The task's journal; everything of the block is written at its end, nothing where it raises.

    A block inside another one of the same task belongs to the outer one. Nothing inside may read the task's
    events, audit rows or their counters from the database.
    """
    journals = _open.get() or {}
    if (joined := journals.get(task.pk)) is not None:
        yield joined
        return
    journal = _begin(task)
    before = _open.set({**journals, task.pk: journal})
    try:
        yield journal
    finally:
        _open.reset(before)
    if journal.events or journal.entries:
        _write(journal)
    task.event_seq, task.audit_count, task.audit_head = (
        journal.event_seq,
        journal.audit_count,
        journal.audit_head,
    )


def _begin(task: Task) -> Journal:
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN, [task.pk])
        row = cursor.fetchone()
    assert row is not None, "the task is gone"
    return Journal(task.pk, task.project_id, *row)


def _write(journal: Journal) -> None:
    events = {name: [getattr(event, name) for event in journal.events] for name in _EVENT}
    entries = {name: [getattr(entry, name) for entry in journal.entries] for name in _ENTRY}
    events["payload"] = [json.dumps(payload) for payload in events["payload"]]
    for name in ("before", "after"):
        entries[name] = [None if value is None else json.dumps(value) for value in entries[name]]
    own = {
        name: getattr(journal, name)
        for name in ("task_id", "project_id", "event_seq", "audit_count", "audit_head")
    }
    with connection.cursor() as cursor:
        cursor.execute(_WRITE, {**own, **events, **entries, "at": journal.moment})
    if journal.events:
        hint_task(journal.task_id, journal.project_id)
