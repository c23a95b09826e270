"""The ASGI application: which part of the house answers which connection."""

import asyncio
import functools
import re
import signal
import threading
from collections.abc import Callable
from typing import Any
from uuid import UUID

from a2wsgi import WSGIMiddleware
from django.conf import settings

from config.problems import render_problem
from review.queries.stream_snapshots import task_snapshot
from review.realtime.job_stream import job_stream
from tasks.realtime.hub import Hub
from tasks.realtime.project_socket import project_socket
from tasks.realtime.socket import Receive, Scope, Send, Socket
from tasks.realtime.task_socket import task_socket

_TASK = re.compile(r"/ws/tasks/([^/]+)/")
_PROJECT = re.compile(r"/ws/projects/([^/]+)/")
_JOB_EVENTS = re.compile(r"/api/v1/jobs/([^/]+)/events")
_UNKNOWN_ADDRESS = 4404


class Dispatcher:
    """Sends each connection to its application, and starts and stops the hub with the server."""

    def __init__(self, *, wsgi: Callable[..., Any], threads: int, make_hub: Callable[[], Hub]) -> None:
        # Its declared types are narrower than what servers hand over.
        self._http: Any = WSGIMiddleware(wsgi, workers=threads)
        self._make_hub = make_hub
        self._started: Hub | None = None

    @classmethod
    def from_settings(cls, wsgi: Callable[..., Any]) -> "Dispatcher":
        """The dispatcher that Django's settings describe."""
        make_hub = functools.partial(
            Hub,
            channel_url=settings.CHANNEL_URL,
            sweep_seconds=settings.HUB_SWEEP_SECONDS,
            threads=settings.HUB_THREADS,
        )
        return cls(wsgi=wsgi, threads=settings.HTTP_THREADS, make_hub=make_hub)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, or the server's life."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        elif match := _JOB_EVENTS.fullmatch(scope["path"]):
            await job_stream(
                scope, receive, send, hub=self._hub(), job_id=_uuid(match[1]), render_problem=render_problem
            )
        elif scope["path"] == "/healthz":
            await _alive(send)
        else:
            await self._http(_for_wsgi(scope), _whole_bodies(receive), send)

    def _hub(self) -> Hub:
        """The hub; started here where the server has no lifespan."""
        if self._started is None:
            self._started = self._make_hub()
            self._started.start()
        return self._started

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        hub = self._hub()
        _end_streams_on_signal(hub)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await hub.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if match := _TASK.fullmatch(scope["path"]):
            await task_socket(
                scope, receive, send, hub=self._hub(), task_id=_uuid(match[1]), snapshot=task_snapshot
            )
        elif match := _PROJECT.fullmatch(scope["path"]):
            await project_socket(scope, receive, send, hub=self._hub(), project_id=_uuid(match[1]))
        else:
            socket = Socket(scope, receive, send)
            await socket.accept()
            await socket.close(_UNKNOWN_ADDRESS)


async def _alive(send: Send) -> None:
    """`/healthz` without a thread: all of them may be waiting for a database that is away, and that is no
    reason to kill the process."""
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b'{"status": "ok"}'})


def _end_streams_on_signal(hub: Hub) -> None:
    """End the streams when the server is asked to stop.

    A server waits for open responses before it says "shutdown" to the lifespan, and an event stream never
    ends by itself: told only then, each stop would last until the server's patience does.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def stop(caught: int, frame: Any, before: Any = before) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(hub.end_streams)
            if callable(before):
                before(caught, frame)

        # Only in front of a server's own handler: without one, the signal's default must keep its force.
        if callable(before):
            signal.signal(number, stop)


def _for_wsgi(scope: Scope) -> Scope:
    """The scope without headers that would pose as others in a WSGI environment.

    X_Forwarded_Proto and X-Forwarded-Proto are one name there, and a proxy replaces only the second.
    """
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    if any(b"_" in name for name, _ in headers):
        return {**scope, "headers": [(name, value) for name, value in headers if b"_" not in name]}
    return scope


def _whole_bodies(receive: Receive) -> Receive:
    """`receive` that fails where the client left before the end of its request.

    The bridge would take the disconnect for the body's end, and half a picture for a whole one.
    """
    is_complete = False

    async def receive_or_fail() -> Any:
        nonlocal is_complete
        message = await receive()
        if message["type"] == "http.disconnect" and not is_complete:
            raise OSError("the client left before the end of its request")
        is_complete = not message.get("more_body", False)
        return message

    return receive_or_fail


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
