"""A client that is cut off two hundred times, anywhere, gets every event once and in order (I9)."""

import random
import socket
import threading
from collections.abc import Iterator
from itertools import cycle

import httpx
import pytest
from django.db import connection
from websockets.exceptions import WebSocketException

from review.models import Job
from tasks.models import Task
from tests.realtime import event_source, sockets
from tests.realtime.web_process import WebProcess
from tests.realtime.world import World, add_events, end_job

pytestmark = pytest.mark.slow
CUTS = 200
#: Written meanwhile, in bursts, so that the client is behind as often as it waits for news.
BURSTS = 150


@pytest.fixture(scope="module")
def pair(
    web: WebProcess, database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[WebProcess]]:
    """Two web processes: a client that comes back seldom finds the one that it left."""
    second = WebProcess(
        tmp_path_factory.mktemp("second") / "web.log", database=database, HUB_SWEEP_SECONDS="60"
    )
    second.start()
    yield [web, second]
    second.kill()


class Writer(threading.Thread):
    """Writes events until it has written them all; then ends the job."""

    def __init__(self, task: Task, job: Job, chance: random.Random) -> None:
        super().__init__()
        self.task, self.job, self.chance = task, job, chance
        self.written = 0

    def run(self) -> None:
        try:
            for _ in range(BURSTS):
                number = self.chance.randint(1, 6)
                add_events(self.task, number, job_id=self.job.pk)
                self.written += number
                threading.Event().wait(self.chance.uniform(0, 0.02))
            end_job(self.job)
        finally:
            connection.close()


@pytest.fixture
def written(world: World) -> Iterator[Writer]:
    """A job whose events are being written."""
    task = world.new_task()
    writer = Writer(task, world.new_job(task), random.Random())
    writer.start()
    yield writer
    writer.join()


def test_event_stream(pair: list[WebProcess], world: World, written: Writer) -> None:
    got: list[int] = []
    addresses = cycle(process.base_url for process in pair)

    def cursor() -> int:
        return got[-1] if got else 0

    for _ in range(CUTS):
        # A limit in events, or in time: then whatever is half read is thrown away, as an EventSource does.
        limit, seconds = random.choice(
            [(0, 5), (random.randint(1, 5), 5), (10**6, random.uniform(0.001, 0.05))]
        )
        try:
            with event_source.opened(
                next(addresses), written.job.pk, world.headers("anna"), cursor=cursor(), seconds=seconds
            ) as stream:
                for _, block in zip(range(limit), stream.events(), strict=False):
                    assert block.event != "snapshot", "a valid cursor needs no snapshot"
                    got.append(int(block.id or 0))
        except httpx.TimeoutException:
            continue
    with event_source.opened(
        next(addresses), written.job.pk, world.headers("anna"), cursor=cursor()
    ) as stream:
        got += [int(block.id or 0) for block in stream.events()]
    written.join()
    assert got == list(range(1, written.written + 2)), "the last one is the job's end"


def test_socket(pair: list[WebProcess], world: World, written: Writer) -> None:
    got: list[int] = []
    processes = cycle(pair)
    path = f"/ws/tasks/{written.task.pk}/"

    def read(process: WebProcess, number: int, seconds: float) -> None:
        with sockets.opened(process, path, world.headers("anna"), resume=got[-1] if got else 0) as opened:
            try:
                for _ in range(number):
                    event = opened.receive("event", seconds)["event"]
                    got.append(event["seq"])
            finally:
                assert not any(message["type"] == "snapshot" for message in opened.kept)
                # No goodbye: the line is gone.
                opened.connection.socket.shutdown(socket.SHUT_RDWR)

    for _ in range(CUTS):
        number, seconds = random.choice([(0, 5), (random.randint(1, 5), 0.05), (10**6, 0.01)])
        try:
            read(next(processes), number, seconds)
        except (TimeoutError, WebSocketException):
            continue
    written.join()
    read(next(processes), written.written + 1 - len(got), 5)
    assert got == list(range(1, written.written + 2))
