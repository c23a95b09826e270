"""The hub: one per process, between the hints and the open streams.

A hint marks a task; one statement reads the new events of all marked tasks for all their readers. Hints may
all be lost: every few seconds one statement compares every cursor with its task's last number. Truth is
only ever read from PostgreSQL, each reader from its own cursor, so nothing is missed, doubled or buffered.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any
from uuid import UUID

from tasks.operations.hints import CHANNEL
from tasks.queries.stream_events import PAGE, StoredEvent, events_after, newest_seqs
from tasks.realtime.access_check import endings
from tasks.realtime.gauges import SUBSCRIBERS
from tasks.realtime.heartbeats import Heartbeats
from tasks.realtime.hint_listener import HintListener
from tasks.realtime.mailbox import Ending, Mailbox, Reader
from tasks.realtime.presence import Presence
from tasks.realtime.project_watch import ProjectWatch
from tasks.realtime.threads import DATABASE_DOWN, HubThreads

logger = logging.getLogger(__name__)

#: (task, cursor) pairs of one statement: bounds what is in memory after a mass reconnect.
POSITIONS_AT_ONCE = 100
#: After the database failed, until it is asked again.
RETRY_SECONDS = 0.5


class Hub:
    """Streams of one process. Used from its event loop only."""

    def __init__(self, *, channel_url: str, sweep_seconds: float, threads: int) -> None:
        self.threads = HubThreads(threads)
        self.heartbeats = Heartbeats(self.threads)
        self.projects = ProjectWatch(self.threads)
        self._listener = HintListener(
            channel_url, CHANNEL, on_hint=self._hear, on_subscribed=self._check_everything_soon
        )
        self.presence = Presence(self._listener.publish, repeat_seconds=sweep_seconds)
        self._sweep_seconds = sweep_seconds
        self._readers: dict[UUID, set[Reader]] = {}
        self._kinds: dict[Mailbox, str] = {}
        self._due: set[Reader] = set()
        self._has_due = asyncio.Event()
        self._sweep_now = asyncio.Event()
        #: People whose memberships changed since the last check.
        self._to_check: set[UUID] = set()
        self._has_to_check = asyncio.Event()
        self._running: list[asyncio.Task[None]] = []
        self.is_closing = False

    def start(self) -> None:
        """Start listening, reading and sweeping."""
        loops: list[Callable[[], Coroutine[Any, Any, None]]] = [
            self._listener.run,
            self._read_for_ever,
            self._sweep_for_ever,
            self._check_for_ever,
            self.heartbeats.run,
            self.projects.run,
        ]
        self._running = [asyncio.create_task(_keep_up(loop)) for loop in loops]

    def end_streams(self) -> None:
        """The process is asked to stop: end every stream, so that the server need not wait for them."""
        self.is_closing = True
        for mailbox in list(self._kinds):
            mailbox.end(Ending.RESTART)

    async def stop(self) -> None:
        """End everything."""
        self.end_streams()
        for running in self._running:
            running.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._listener.close()
        self.threads.shut_down()

    def open_reader(self, reader: Reader, *, kind: str) -> None:
        """Subscribe a reader; its first page is read at once. Before anything else of the stream is read,
        so that what is committed meanwhile is hinted to a reader that is already here."""
        self._open(reader, kind)
        self._readers.setdefault(reader.task_id, set()).add(reader)
        self._want(reader)

    def open_watcher(self, watcher: Mailbox, *, project_id: UUID) -> None:
        """Subscribe to a project's summary, which comes as a note."""
        self._open(watcher, "project")
        self.projects.enter(watcher, project_id)

    def close(self, mailbox: Mailbox) -> None:
        """The stream is over."""
        kind = self._kinds.pop(mailbox, None)
        if kind is None:
            return
        SUBSCRIBERS.labels(kind=kind).dec()
        if isinstance(mailbox, Reader):
            readers = self._readers.get(mailbox.task_id, set())
            readers.discard(mailbox)
            if not readers:
                self._readers.pop(mailbox.task_id, None)
            self._due.discard(mailbox)
        else:
            self.projects.leave(mailbox)

    def move(self, reader: Reader, *, cursor: int) -> None:
        """Let the reader go on after `cursor`."""
        reader.move_to(cursor)
        self._want(reader)

    def took(self, reader: Reader) -> None:
        """The reader's page was taken: read the next, if there may be one."""
        if reader.is_behind:
            self._want(reader)

    def _open(self, mailbox: Mailbox, kind: str) -> None:
        self._kinds[mailbox] = kind
        SUBSCRIBERS.labels(kind=kind).inc()
        if self.is_closing:
            mailbox.end(Ending.RESTART)

    def _want(self, reader: Reader) -> None:
        if reader.is_paused:
            return
        if reader.has_room:
            reader.is_behind = False
            self._due.add(reader)
            self._has_due.set()
        else:
            # Its page waits for a slow client. It is read again from its cursor, not buffered.
            reader.is_behind = True

    def _hear(self, hint: dict[str, Any]) -> None:
        if "presence" in hint:
            self.presence.hear(hint)
            return
        if project_id := _uuid(hint.get("project")):
            self.projects.changed(project_id)
        if task_id := _uuid(hint.get("task")):
            for reader in self._readers.get(task_id, ()):
                self._want(reader)
        if user_id := _uuid(hint.get("member")):
            self._to_check.add(user_id)
            self._has_to_check.set()

    def _check_everything_soon(self) -> None:
        # What was hinted before this subscription stood is found by comparing, once, now.
        self._sweep_now.set()

    async def _read_for_ever(self) -> None:
        while True:
            await self._has_due.wait()
            self._has_due.clear()
            while self._due:
                await self._read_due()

    async def _read_due(self) -> None:
        waiting: dict[tuple[UUID, int], list[Reader]] = {}
        for reader in list(self._due):
            position = (reader.task_id, reader.cursor)
            if position not in waiting and len(waiting) == POSITIONS_AT_ONCE:
                continue
            waiting.setdefault(position, []).append(reader)
            # Before the statement: a hint that comes while it runs marks the reader again.
            self._due.discard(reader)
        try:
            found = await self.threads.run(events_after, list(waiting))
        except DATABASE_DOWN as error:
            logger.warning("events not read, trying again: %s", error)
            self._due.update(reader for readers in waiting.values() for reader in readers)
            await asyncio.sleep(RETRY_SECONDS)
            return
        for position, readers in waiting.items():
            for reader in readers:
                self._deliver(reader, position, found[position])

    def _deliver(self, reader: Reader, position: tuple[UUID, int], events: list[StoredEvent]) -> None:
        if reader not in self._kinds or not events:
            return
        if (reader.task_id, reader.cursor) != position:
            # It moved while the statement ran.
            self._want(reader)
            return
        reader.put(events)
        if len(events) == PAGE:
            self._want(reader)

    async def _sweep_for_ever(self) -> None:
        while True:
            try:
                async with asyncio.timeout(self._sweep_seconds):
                    await self._sweep_now.wait()
            except TimeoutError:
                pass
            self._sweep_now.clear()
            try:
                await self._sweep()
            except DATABASE_DOWN as error:
                logger.warning("sweep put off: %s", error)
                await asyncio.sleep(RETRY_SECONDS)

    async def _sweep(self) -> None:
        if self._readers:
            newest = await self.threads.run(newest_seqs, list(self._readers))
            for task_id, seq in newest.items():
                for reader in self._readers.get(task_id, ()):
                    if reader.cursor < seq:
                        self._want(reader)
        self.projects.check_all()
        await self._check_access(list(self._kinds))
        await self.presence.repeat()

    async def _check_for_ever(self) -> None:
        while True:
            await self._has_to_check.wait()
            self._has_to_check.clear()
            people, self._to_check = self._to_check, set()
            try:
                await self._check_access([m for m in self._kinds if m.visitor.user_id in people])
            except DATABASE_DOWN as error:
                logger.warning("access not checked, trying again: %s", error)
                self._to_check |= people
                self._has_to_check.set()
                await asyncio.sleep(RETRY_SECONDS)

    async def _check_access(self, mailboxes: list[Mailbox]) -> None:
        if not mailboxes:
            return
        places = [
            (m, m.task_id if isinstance(m, Reader) else None, self.projects.project_of(m)) for m in mailboxes
        ]
        for mailbox, ending in (await self.threads.run(endings, places)).items():
            mailbox.end(ending)


async def _keep_up(loop: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run `loop` for ever: a fault in it is logged and must not silence every stream."""
    while True:
        try:
            await loop()
        except Exception:
            logger.exception("a loop of the hub broke and starts again")
            await asyncio.sleep(RETRY_SECONDS)


def _uuid(text: Any) -> UUID | None:
    try:
        return UUID(text) if isinstance(text, str) else None
    except ValueError:
        return None
