"""A plain reader of text/event-stream."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx


@dataclass
class Block:
    """What came between two empty lines."""

    id: str | None = None
    event: str | None = None
    data: dict[str, Any] | None = None
    retry: int | None = None
    comments: list[str] = field(default_factory=list)


class EventSource:
    """An open stream: `blocks()` gives what comes, in order, until the server ends it."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response

    def blocks(self) -> Iterator[Block]:
        """Each block. Raises httpx.ReadTimeout where nothing comes for the client's time-out."""
        block = Block()
        for line in self.response.iter_lines():
            if not line:
                yield block
                block = Block()
                continue
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "":
                block.comments.append(value)
            elif name == "id":
                block.id = value
            elif name == "event":
                block.event = value
            elif name == "data":
                block.data = json.loads(value)
            elif name == "retry":
                block.retry = int(value)

    def events(self) -> Iterator[Block]:
        """The blocks that an EventSource would dispatch."""
        return (block for block in self.blocks() if block.data is not None)

    def take(self, number: int) -> list[Block]:
        """The next `number` events."""
        found: list[Block] = []
        for block in self.events():
            found.append(block)
            if len(found) == number:
                break
        return found


@contextmanager
def opened(
    base_url: str,
    job_id: object,
    headers: dict[str, str],
    *,
    cursor: object = None,
    query: str = "",
    seconds: float = 5,
) -> Iterator[EventSource]:
    """GET the job's stream."""
    sent = dict(headers)
    if cursor is not None:
        sent["Last-Event-ID"] = str(cursor)
    with (
        httpx.Client(base_url=base_url, timeout=seconds) as client,
        client.stream("GET", f"/api/v1/jobs/{job_id}/events{query}", headers=sent) as response,
    ):
        yield EventSource(response)
