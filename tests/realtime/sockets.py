"""A WebSocket client for the tests."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.realtime.web_process import WebProcess


class TestSocket:
    """An open socket; messages are kept by type until they are asked for."""

    __test__ = False

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.kept: list[dict[str, Any]] = []

    def send(self, **message: Any) -> None:
        """Send one message."""
        self.connection.send(json.dumps(message))

    def receive(self, kind: str, seconds: float = 4) -> dict[str, Any]:
        """The next message of that type; others are kept. Raises TimeoutError and ConnectionClosed."""
        for index, message in enumerate(self.kept):
            if message["type"] == kind:
                return self.kept.pop(index)
        while True:
            message = json.loads(self.connection.recv(timeout=seconds))
            if message["type"] == kind:
                return message
            self.kept.append(message)

    def events(self, number: int) -> list[int]:
        """The numbers of the next events."""
        return [self.receive("event")["event"]["seq"] for _ in range(number)]

    def close_code(self, seconds: float = 4) -> int:
        """Read on until the server closes; its code. Raises TimeoutError where it does not."""
        with pytest.raises(ConnectionClosed) as closed:
            self._read_to_the_end(seconds)
        assert closed.value.rcvd is not None, "cut instead of closed"
        return closed.value.rcvd.code

    def _read_to_the_end(self, seconds: float) -> None:
        while True:
            self.connection.recv(timeout=seconds)


@contextmanager
def opened(
    web: WebProcess,
    path: str,
    headers: dict[str, str],
    *,
    resume: int | None = None,
    origin: str | None = None,
) -> Iterator[TestSocket]:
    """Connect; with `resume`, say at once where the page was."""
    with connect(f"{web.socket_url}{path}", additional_headers=headers, origin=origin) as connection:  # type: ignore[arg-type]
        socket = TestSocket(connection)
        if resume is not None:
            socket.send(type="resume", after=resume)
        yield socket
