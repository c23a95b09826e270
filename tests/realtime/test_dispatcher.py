"""The way from the port to Django: bodies, headers and addresses arrive as they were sent."""

import hashlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
import uvicorn

from config.dispatcher import Dispatcher
from config.embedded import ports
from tests.realtime.web_process import WebProcess

MEBIBYTE = 1024 * 1024


class Echo:
    """A WSGI application that says what reached it, piece by piece read."""

    def __init__(self) -> None:
        self.broken: list[str] = []
        self.longest_piece = 0
        self.failed = threading.Event()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        digest, size = hashlib.sha256(), 0
        try:
            while piece := environ["wsgi.input"].read(64 * 1024):
                digest.update(piece)
                size += len(piece)
        except OSError as error:
            self.broken.append(str(error))
            self.failed.set()
            raise
        lines = [
            digest.hexdigest(),
            str(size),
            environ["QUERY_STRING"],
            environ.get("HTTP_X_FORWARDED_PROTO", ""),
        ]
        start_response("200 OK", [("Content-Type", "text/plain")])
        return ["\n".join(lines).encode()]


class NoHub:
    """Stands where the streams' hub would."""

    def start(self) -> None:
        """Nothing to start."""

    def end_streams(self) -> None:
        """Nothing to end."""

    async def stop(self) -> None:
        """Nothing to stop."""


@pytest.fixture
def echo() -> Iterator[tuple[Echo, str, int]]:
    """The dispatcher around an echo, in a thread: (echo, address, port)."""
    application = Echo()
    make_hub: Any = NoHub
    port = ports.free_port()
    server = uvicorn.Server(
        uvicorn.Config(
            Dispatcher(wsgi=application, threads=2, make_hub=make_hub),
            host=ports.LOOPBACK,
            port=port,
            log_level="critical",
            timeout_graceful_shutdown=2,
        )
    )
    running = threading.Thread(target=server.run)
    running.start()
    while not server.started:
        assert running.is_alive()
        running.join(0.02)
    yield application, f"http://{ports.LOOPBACK}:{port}", port
    server.should_exit = True
    running.join()


def test_sixty_four_mebibytes_stream_through(echo: tuple[Echo, str, int]) -> None:
    body = b"picture." * (64 * MEBIBYTE // 8)
    answer = httpx.post(echo[1], content=body, timeout=60)
    digest, size, _, _ = answer.text.split("\n")
    assert (digest, int(size)) == (hashlib.sha256(body).hexdigest(), len(body))


def test_client_that_leaves_in_the_middle_is_an_error_not_a_shorter_body(echo: tuple[Echo, str, int]) -> None:
    application, _, port = echo
    with socket.create_connection((ports.LOOPBACK, port)) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 200_000)
    assert application.failed.wait(10)
    assert application.broken == ["the client left before the end of its request"]


def test_underscored_header_does_not_pose_as_another(echo: tuple[Echo, str, int]) -> None:
    assert httpx.get(echo[1], headers={"X_Forwarded_Proto": "https"}).text.split("\n")[3] == ""
    assert httpx.get(echo[1], headers={"X-Forwarded-Proto": "https"}).text.split("\n")[3] == "https"


def test_too_large_is_refused_before_it_is_read(web: WebProcess) -> None:
    with socket.create_connection((ports.LOOPBACK, web.port)) as connection:
        connection.settimeout(10)
        head = (
            f"POST /api/v1/jobs HTTP/1.1\r\nHost: {ports.LOOPBACK}\r\nContent-Length: {66 * MEBIBYTE}\r\n\r\n"
        )
        connection.sendall(head.encode())
        # Not one byte of the body was sent.
        assert connection.recv(4096).startswith(b"HTTP/1.1 413")
