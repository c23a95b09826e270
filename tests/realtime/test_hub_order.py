"""The hub subscribes a reader before it reads for it: what is committed meanwhile is not missed.

A whole hub in this process, on the real database and channel; it sweeps so rarely that only hints bring news.
"""

import asyncio
import os
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from redis.asyncio import Redis

from tasks.models import ApiToken, Task
from tasks.operations.hints import CHANNEL
from tasks.queries.stream_events import events_after
from tasks.realtime.hub import Hub
from tasks.realtime.mailbox import Reader
from tasks.realtime.threads import HubThreads
from tasks.realtime.visitor import Visitor
from tests.realtime.world import World, add_events

P = ParamSpec("P")
R = TypeVar("R")
SECONDS = 20
#: For a hint to be heard; too short makes these tests blind, never red.
HEARD = 0.5


class SlowStatements(HubThreads):
    """Threads that have read the events, and bring them to the hub only when they are let go."""

    def __init__(self) -> None:
        super().__init__(4)
        self.has_read, self.is_let_go = asyncio.Event(), asyncio.Event()

    async def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        found = await super().run(function, *args, **kwargs)
        if function is events_after:
            self.has_read.set()
            await self.is_let_go.wait()
        return found


def anna(world: World) -> Visitor:
    """One of the project's people, signed in by token."""
    user = world.people["anna"]
    token = ApiToken.objects.get(user=user)
    return Visitor(
        user_id=user.pk, username="anna", name="Anna", session_key=None, token_id=token.pk, password_stamp=""
    )


async def listening_hub() -> Hub:
    """A hub that hears hints from now on."""
    url = os.environ["CHANNEL_URL"]
    channel = Redis.from_url(url)

    async def listeners() -> int:
        ((_, number),) = await channel.pubsub_numsub(CHANNEL)
        return int(number)

    before = await listeners()
    hub = Hub(channel_url=url, sweep_seconds=600, threads=2)
    hub.start()
    while await listeners() == before:
        await asyncio.sleep(0.02)
    await channel.aclose()
    # Its first comparison of all cursors is over, too.
    await asyncio.sleep(HEARD)
    return hub


async def numbers_read(task: Task, visitor: Visitor, *, committed_before: int) -> list[int]:
    """Open a reader; one more event is committed between its first read and that read's arrival."""
    hub = await listening_hub()
    threads = hub.threads = SlowStatements()
    try:
        async with asyncio.timeout(SECONDS):
            await threads.run(add_events, task, committed_before)
            reader = Reader(visitor, task_id=task.pk, cursor=0)
            hub.open_reader(reader, kind="task")
            await threads.has_read.wait()
            await threads.run(add_events, task, 1)
            await asyncio.sleep(HEARD)
            threads.is_let_go.set()
            seen: list[int] = []
            while len(seen) <= committed_before:
                await reader.wait()
                seen += [event.seq for event in reader.take()]
                hub.took(reader)
            return seen
    finally:
        await hub.stop()


def test_the_first_page_is_empty(world: World) -> None:
    task, visitor = world.new_task(), anna(world)
    assert asyncio.run(numbers_read(task, visitor, committed_before=0)) == [1]


def test_the_first_page_brings_older_events(world: World) -> None:
    task, visitor = world.new_task(), anna(world)
    assert asyncio.run(numbers_read(task, visitor, committed_before=3)) == [1, 2, 3, 4]
