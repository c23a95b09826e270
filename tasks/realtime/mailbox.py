"""What waits for one open stream: events from its cursor on, the latest notes, and its end."""

import asyncio
from collections import deque
from enum import IntEnum
from typing import Any
from uuid import UUID

from tasks.queries.stream_events import StoredEvent, withheld
from tasks.realtime.visitor import Visitor


class Ending(IntEnum):
    """Why a stream ends, as the WebSocket close code."""

    #: This server is going down; connect again.
    RESTART = 1012
    #: The database does not answer; connect again in a moment.
    TRY_LATER = 1013
    #: The session or token is no longer good.
    SIGNED_OUT = 4401
    #: The person may no longer see it (or the page is of another origin).
    FORBIDDEN = 4403
    #: There is no such thing, or not for this person.
    UNKNOWN = 4404


class Mailbox:
    """Notes for one client. Of each kind only the latest is kept, so a slow client costs nothing."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.ending: Ending | None = None
        self._notes: dict[str, dict[str, Any]] = {}
        self._wake = asyncio.Event()

    def note(self, kind: str, message: dict[str, Any]) -> None:
        """Leave `message`, in place of an older one of this kind that was not yet taken."""
        self._notes[kind] = message
        self._wake.set()

    def end(self, ending: Ending) -> None:
        """Tell the stream to end. The first reason stays."""
        if self.ending is None:
            self.ending = ending
        self._wake.set()

    def take_notes(self) -> list[dict[str, Any]]:
        """The notes, which are then gone."""
        notes = list(self._notes.values())
        self._notes.clear()
        return notes

    async def wait(self, seconds: float | None = None) -> bool:
        """Wait until there is something to take; False where nothing came within `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return False
        self._wake.clear()
        return True


class Reader(Mailbox):
    """A stream of one task's events. It holds one page at most: the next is read, from the cursor, once
    this one was taken. So a slow reader costs a page, and its events wait in PostgreSQL."""

    def __init__(
        self, visitor: Visitor, *, task_id: UUID, cursor: int, hidden: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(visitor)
        self.task_id = task_id
        #: The seq of the last event that was put here.
        self.cursor = cursor
        #: Event types of which this person's role sees the number only.
        self.hidden = hidden
        #: Gets nothing until `move_to` says from where: the client has not yet told where it was.
        self.is_paused = False
        #: There may be more to read once the page was taken.
        self.is_behind = False
        self._events: deque[StoredEvent] = deque()

    @property
    def has_room(self) -> bool:
        """Whether the last page was taken."""
        return not self._events

    def put(self, events: list[StoredEvent]) -> None:
        """Add a page of events that follow the cursor; older ones are dropped."""
        for event in events:
            if event.seq > self.cursor:
                self.cursor = event.seq
                self._events.append(withheld(event) if event.type in self.hidden else event)
        if self._events:
            self._wake.set()

    def take(self) -> list[StoredEvent]:
        """The page, in order, which is then gone."""
        events = list(self._events)
        self._events.clear()
        return events

    def move_to(self, cursor: int) -> None:
        """Read on after `cursor`; what was not yet taken is read again."""
        self._events.clear()
        self.cursor = cursor
        self.is_paused = False
