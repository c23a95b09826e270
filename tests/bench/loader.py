"""A small closed-loop HTTP loader: N connections, each sends its next request when the last is answered.

Loopback only, bounded in count, stops by itself. Its own cost is measured against a bare socket server
(`own_cost`) and stated beside every figure, since it shares the two cores with the server.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Request:
    """One request, ready to be sent."""

    method: str
    path: str
    cookies: str = ""
    body: bytes = b""

    def encode(self, host: str, csrf: str) -> bytes:
        """The bytes on the wire."""
        head = [f"{self.method} {self.path} HTTP/1.1", f"Host: {host}", "Accept: application/json"]
        if self.cookies:
            head += [
                f"Cookie: {self.cookies}; csrftoken={csrf}",
                f"X-CSRFToken: {csrf}",
                f"Referer: http://{host}/",
            ]
        if self.method != "GET":
            head += ["Content-Type: application/json", f"Content-Length: {len(self.body)}"]
        return "\r\n".join([*head, "", ""]).encode() + self.body


@dataclass
class Result:
    """What a run of the loader saw."""

    seconds: float = 0.0
    statuses: dict[int, int] = field(default_factory=dict)
    latencies: list[float] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.latencies) / self.seconds

    def quantile(self, share: float) -> float:
        """Latency in milliseconds below which `share` of the answers lie."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000


async def _read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    status = int(lines[0].split(" ", 2)[1])
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = b""
        while size := int((await reader.readline()).strip() or b"0", 16):
            body += await reader.readexactly(size)
            await reader.readline()
        await reader.readline()
        return status, body
    return status, await reader.readexactly(int(headers.get("content-length", "0")))


async def _worker(
    host: str, port: int, csrf: str, requests: Iterator[Request], result: Result, keep_bodies: bool
) -> None:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        for request in requests:
            started = time.perf_counter()
            writer.write(request.encode(f"{host}:{port}", csrf))
            await writer.drain()
            status, body = await _read_answer(reader)
            result.latencies.append(time.perf_counter() - started)
            result.statuses[status] = result.statuses.get(status, 0) + 1
            if keep_bodies:
                result.bodies.append(body)
    finally:
        writer.close()


async def _load(
    host: str, port: int, csrf: str, requests: list[Request], connections: int, keep_bodies: bool
) -> Result:
    result = Result()
    shared = iter(requests)
    started = time.perf_counter()
    await asyncio.gather(
        *(_worker(host, port, csrf, shared, result, keep_bodies) for _ in range(connections))
    )
    result.seconds = time.perf_counter() - started
    return result


def load(
    *, port: int, csrf: str, requests: list[Request], connections: int = 16, keep_bodies: bool = False
) -> Result:
    """Send all `requests` over `connections` keep-alive connections to the loopback port."""
    return asyncio.run(_load("127.0.0.1", port, csrf, requests, connections, keep_bodies))


async def _own_cost(make: Callable[[], list[Request]], connections: int) -> Result:
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        return await _load("127.0.0.1", port, "", make(), connections, False)
    finally:
        server.close()


def own_cost(*, count: int = 20_000, connections: int = 16) -> Result:
    """The loader against a server that does nothing, in the same process: its ceiling here."""
    return asyncio.run(_own_cost(lambda: [Request("GET", "/")] * count, connections))
