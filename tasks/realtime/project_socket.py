"""`WS /ws/projects/{id}/`: a project's summary, at once and on change."""

from uuid import UUID

from tasks.domain.errors import Problem
from tasks.queries.stream_opening import open_project
from tasks.realtime.first_to_end import first_to_end
from tasks.realtime.hub import Hub
from tasks.realtime.mailbox import Ending, Mailbox
from tasks.realtime.socket import Receive, Scope, Send, Socket, SocketClosed
from tasks.realtime.threads import DATABASE_DOWN


async def project_socket(
    scope: Scope, receive: Receive, send: Send, *, hub: Hub, project_id: UUID | None
) -> None:
    """Serve one connection until it ends. `project_id` None: the address holds no id."""
    socket = Socket(scope, receive, send)
    try:
        visitor = await socket.enter(hub)
        if project_id is None:
            await socket.close(Ending.UNKNOWN)
            return
        await hub.threads.run(open_project, user_id=visitor.user_id, project_id=project_id)
    except SocketClosed:
        return
    except Problem:
        await socket.close(Ending.UNKNOWN)
        return
    except DATABASE_DOWN:
        await socket.close(Ending.TRY_LATER)
        return
    watcher = Mailbox(visitor)
    hub.open_watcher(watcher, project_id=project_id)
    try:
        await first_to_end(_incoming(socket), _outgoing(socket, watcher))
    except SocketClosed:
        return
    finally:
        hub.close(watcher)


async def _incoming(socket: Socket) -> None:
    # Nothing is expected; reading notices the client's end.
    while True:
        await socket.receive()


async def _outgoing(socket: Socket, watcher: Mailbox) -> None:
    while True:
        await watcher.wait()
        if watcher.ending is not None:
            await socket.close(watcher.ending)
            return
        for note in watcher.take_notes():
            await socket.send(note)
