"""Server-sent events as bytes."""

import random

HEADERS: list[tuple[bytes, bytes]] = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    # nginx buffers responses otherwise; no-transform keeps proxies from compressing, which holds events back.
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    (b"vary", b"Cookie, Authorization"),
]

#: A line that clients skip; keeps proxies from closing a quiet stream.
COMMENT = b": still here\n\n"

_RETRY_FROM_MS, _RETRY_TO_MS = 1_000, 4_000


def retry_line() -> bytes:
    """When to come back, differently for each client, so that a restart is not followed by a stampede."""
    return b"retry: %d\n\n" % random.randint(_RETRY_FROM_MS, _RETRY_TO_MS)


def event_block(*, kind: str, data: str, seq: int | None = None) -> bytes:
    """One event. `data` is JSON text without line breaks; no `seq` leaves the client's cursor alone."""
    id_line = "" if seq is None else f"id: {seq}\n"
    return f"{id_line}event: {kind}\ndata: {data}\n\n".encode()


def cursor_block(seq: int) -> bytes:
    """Moves the client's cursor without an event (no data, so nothing is dispatched)."""
    return b"id: %d\n\n" % seq
