"""`GET /api/v1/jobs/{id}/events`: a job's events as text/event-stream (page 04, Streams)."""

import json
from collections.abc import Callable
from urllib.parse import parse_qs
from uuid import UUID

from django.http import HttpResponse
from rest_framework.exceptions import AuthenticationFailed

from review.domain.job_states import TERMINAL
from review.domain.stream_cursor import StreamStart, stream_start
from review.queries.job_stream import JobStreamOpening, open_job_stream
from review.queries.stream_snapshots import job_snapshot
from review.realtime.event_stream_format import COMMENT, HEADERS, cursor_block, event_block, retry_line
from tasks.domain.errors import NotAuthenticated, NotFound, Problem
from tasks.queries.stream_events import StoredEvent
from tasks.realtime.first_to_end import first_to_end
from tasks.realtime.hub import Hub
from tasks.realtime.mailbox import Reader
from tasks.realtime.socket import Receive, Scope, Send
from tasks.realtime.threads import DATABASE_DOWN
from tasks.realtime.visitor import Visitor, authenticate, header

COMMENT_SECONDS = 15.0


class StreamUnavailable(Problem):
    """The stream cannot be opened right now."""

    code, status, title = "BUSY", 503, "Try again in a moment"


class OnlyRead(Problem):
    """A stream is read, and nothing else."""

    code, status, title = "METHOD_NOT_ALLOWED", 405, "Method not allowed"


async def job_stream(
    scope: Scope,
    receive: Receive,
    send: Send,
    *,
    hub: Hub,
    job_id: UUID | None,
    render_problem: Callable[[Problem], HttpResponse],
) -> None:
    """Serve one stream until the job's end, the client's, or the person's right to see it.

    `job_id` None: the address holds no id.
    """
    if scope["method"] != "GET":
        refusal = render_problem(OnlyRead(f"The method {scope['method']} is not allowed here. Use GET."))
        refusal["Allow"] = "GET"
        await _respond(send, refusal)
        return
    try:
        visitor, opening = await _open(scope, hub, job_id)
    except Problem as problem:
        await _respond(send, render_problem(problem))
        return
    assert job_id is not None
    start = stream_start(cursor=_cursor(scope), span=opening.span)
    if start.is_finished:
        # 204 is what makes an EventSource stop coming back.
        await _respond(send, HttpResponse(status=204))
        return
    stream = _Stream(send, hub, visitor, job_id, opening, start)
    await first_to_end(stream.serve(), _gone(receive))


async def _open(scope: Scope, hub: Hub, job_id: UUID | None) -> tuple[Visitor, JobStreamOpening]:
    try:
        visitor = await hub.threads.run(authenticate, scope["headers"])
        if visitor is None:
            raise NotAuthenticated("Sign in, or send the header Authorization: Token <token>.")
        if job_id is None:
            raise NotFound
        return visitor, await hub.threads.run(open_job_stream, user_id=visitor.user_id, job_id=job_id)
    except AuthenticationFailed as error:
        raise NotAuthenticated(str(error.detail)) from error
    except DATABASE_DOWN as error:
        raise StreamUnavailable(
            "The database does not answer right now. Open the stream again in a moment.", retry_after=2
        ) from error


def _cursor(scope: Scope) -> str | None:
    """The header of a returning EventSource, which wins over the address that it was opened with."""
    sent = header(scope["headers"], b"last-event-id")
    if sent:
        return sent.strip()
    values = parse_qs(scope["query_string"].decode("latin-1")).get("last_event_id")
    return values[-1].strip() if values else None


async def _gone(receive: Receive) -> None:
    """Returns when the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _respond(send: Send, response: HttpResponse) -> None:
    headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in response.items()]
    if response.status_code == 204:
        headers = [(name, value) for name, value in headers if name != b"content-type"]
    else:
        headers.append((b"content-length", str(len(response.content)).encode()))
    headers.append((b"cache-control", b"no-store"))
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})


class _Stream:
    def __init__(
        self,
        send: Send,
        hub: Hub,
        visitor: Visitor,
        job_id: UUID,
        opening: JobStreamOpening,
        start: StreamStart,
    ) -> None:
        self._send = send
        self._hub = hub
        self._job_id = str(job_id)
        self._span = opening.span
        self._needs_snapshot = start.needs_snapshot
        self._reader = Reader(visitor, task_id=opening.task_id, cursor=start.after)

    async def serve(self) -> None:
        """Subscribe, then snapshot, then every event once."""
        self._hub.open_reader(self._reader, kind="job")
        try:
            await self._send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await self._write(retry_line())
            if self._needs_snapshot and not await self._write_snapshot():
                return
            if self._span.is_forgotten:
                # An ended job of which no event is kept. The client learns the end's number, so that it is
                # answered 204 when it comes back.
                await self._write(cursor_block(self._span.end or 0))
            else:
                await self._write_events()
        finally:
            self._hub.close(self._reader)
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _write_snapshot(self) -> bool:
        try:
            body = await self._hub.threads.run(job_snapshot, job_id=UUID(self._job_id))
        except (*DATABASE_DOWN, Problem):
            # Ends before anything was promised: the client comes back as it came.
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
            return False
        await self._write(event_block(kind="snapshot", data=json.dumps(body)))
        return True

    async def _write_events(self) -> None:
        while True:
            if not await self._reader.wait(COMMENT_SECONDS):
                await self._write(COMMENT)
            if self._reader.ending is not None:
                return
            for event in self._reader.take():
                await self._write(event_block(kind=event.type, data=event.body, seq=event.seq))
                if self._is_terminal(event):
                    return
            self._hub.took(self._reader)

    def _is_terminal(self, event: StoredEvent) -> bool:
        if event.type != "job.status":
            return False
        body = json.loads(event.body)
        return body["job_id"] == self._job_id and body["status"] in TERMINAL

    async def _write(self, block: bytes) -> None:
        # Waits while the client's connection is full; meanwhile events stay in PostgreSQL.
        await self._send({"type": "http.response.body", "body": block, "more_body": True})
