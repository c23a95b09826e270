"""`WS /ws/tasks/{id}/`: a task's events, its people, and the page's heartbeats."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

from tasks.domain.errors import Problem
from tasks.queries.stream_events import as_event_message, can_resume
from tasks.queries.stream_opening import open_task
from tasks.realtime.first_to_end import first_to_end
from tasks.realtime.hub import Hub
from tasks.realtime.mailbox import Ending, Reader
from tasks.realtime.socket import Receive, Scope, Send, Socket, SocketClosed
from tasks.realtime.threads import DATABASE_DOWN
from tasks.realtime.visitor import Visitor

#: The task as the page shows it, with `last_event_id`: (task_id, user_id) → message without its type.
SnapshotReader = Callable[..., dict[str, Any]]

#: A page that comes back says so in its first message; a new one gets a snapshot after this long.
RESUME_WAIT_SECONDS = 0.3
CLIENT_ID_MAX = 100


async def task_socket(
    scope: Scope, receive: Receive, send: Send, *, hub: Hub, task_id: UUID | None, snapshot: SnapshotReader
) -> None:
    """Serve one connection until it ends. `task_id` None: the address holds no id."""
    socket = Socket(scope, receive, send)
    try:
        visitor = await socket.enter(hub)
        if task_id is None:
            await socket.close(Ending.UNKNOWN)
            return
        await _Connection(socket, hub, visitor, task_id, snapshot).serve()
    except SocketClosed:
        return


class _Connection:
    def __init__(
        self, socket: Socket, hub: Hub, visitor: Visitor, task_id: UUID, snapshot: SnapshotReader
    ) -> None:
        self._socket = socket
        self._hub = hub
        self._visitor = visitor
        self._task_id = task_id
        self._snapshot = snapshot

    async def serve(self) -> None:
        """Look whether the person may, subscribe, then both directions at once."""
        try:
            opening = await self._hub.threads.run(
                open_task, user_id=self._visitor.user_id, task_id=self._task_id
            )
        except Problem:
            await self._socket.close(Ending.UNKNOWN)
            return
        except DATABASE_DOWN:
            await self._socket.close(Ending.TRY_LATER)
            return
        reader = Reader(
            self._visitor, task_id=self._task_id, cursor=opening.last_event_id, hidden=opening.hidden
        )
        reader.is_paused = True
        self._hub.open_reader(reader, kind="task")
        try:
            await self._hub.presence.enter(reader)
            await first_to_end(self._incoming(reader), self._outgoing(reader))
        finally:
            self._hub.close(reader)
            await self._hub.presence.leave(reader)

    async def _incoming(self, reader: Reader) -> None:
        first: dict[str, Any] | None
        receiving = asyncio.ensure_future(self._socket.receive())
        try:
            # Shielded: a message that comes a moment later is the next one, not a lost one.
            first = await asyncio.wait_for(asyncio.shield(receiving), RESUME_WAIT_SECONDS)
        except TimeoutError:
            first = None
        except BaseException:
            receiving.cancel()
            raise
        try:
            if first is None or first.get("type") != "resume":
                await self._send_snapshot(reader)
            message = first if first is not None else await receiving
        finally:
            receiving.cancel()
        while True:
            await self._obey(message, reader)
            message = await self._socket.receive()

    async def _obey(self, message: dict[str, Any], reader: Reader) -> None:
        kind = message.get("type")
        if kind == "resume":
            after = message.get("after")
            if isinstance(after, int) and not isinstance(after, bool) and await self._can_resume(after):
                self._hub.move(reader, cursor=after)
            else:
                await self._send_snapshot(reader)
        elif kind == "heartbeat":
            client_id = message.get("client_id")
            if isinstance(client_id, str) and 0 < len(client_id) <= CLIENT_ID_MAX and "\0" not in client_id:
                holding = (self._task_id, self._visitor.user_id)
                self._hub.heartbeats.add(holding, client_id=client_id, mailbox=reader)

    async def _can_resume(self, after: int) -> bool:
        try:
            return await self._hub.threads.run(can_resume, task_id=self._task_id, after=after)
        except DATABASE_DOWN:
            await self._socket.close(Ending.TRY_LATER)
            raise SocketClosed from None

    async def _send_snapshot(self, reader: Reader) -> None:
        try:
            body = await self._hub.threads.run(
                self._snapshot, task_id=self._task_id, user_id=self._visitor.user_id
            )
        except Problem:
            reader.end(Ending.FORBIDDEN)
            return
        except DATABASE_DOWN:
            reader.end(Ending.TRY_LATER)
            return
        # Through the mailbox, so that it goes out before the events that follow it.
        reader.note("snapshot", {"type": "snapshot", **body})
        self._hub.move(reader, cursor=body["last_event_id"])

    async def _outgoing(self, reader: Reader) -> None:
        while True:
            await reader.wait()
            if reader.ending is not None:
                await self._socket.close(reader.ending)
                return
            for note in reader.take_notes():
                await self._socket.send(note)
            for event in reader.take():
                await self._socket.send_text(as_event_message(event))
            self._hub.took(reader)
