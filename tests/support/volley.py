"""Many HTTP requests at the same instant: every connection is open, and every request sent but for its last
byte, before the first one is let go."""

import asyncio
import json
import resource
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    body: bytes

    def json(self) -> Any:
        """The body's content."""
        return json.loads(self.body)


def post_request(path: str, body: dict[str, Any], *, token: str) -> bytes:
    """A whole POST as bytes."""
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + content


def at_once(addresses: Sequence[str], requests: Sequence[bytes], *, seconds: float = 100) -> list[Answer]:
    """The answers in the order of the requests, which are dealt out to the addresses in turn."""
    _allow_files(len(requests) + 500)
    return asyncio.run(asyncio.wait_for(_at_once(addresses, requests), seconds))


async def _at_once(addresses: Sequence[str], requests: Sequence[bytes]) -> list[Answer]:
    barrier = asyncio.Barrier(len(requests))
    return await asyncio.gather(
        *(
            _send(addresses[number % len(addresses)], request, barrier)
            for number, request in enumerate(requests)
        )
    )


async def _send(address: str, request: bytes, barrier: asyncio.Barrier) -> Answer:
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.write(request[:-1])
    await writer.drain()
    await barrier.wait()
    writer.write(request[-1:])
    answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"chunked" not in head.lower(), "this reader takes whole bodies"
    return Answer(int(head.split(b" ", 2)[1]), body)


def _allow_files(number: int) -> None:
    """Room for that many connections, here and in the servers started from here."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < number:
        resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
