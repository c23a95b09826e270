"""`script/server` itself: refusals in plain words, restarts, a quick end, starts after crashes."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest

from config.embedded import leftovers, ports
from config.embedded.stack import ROOT
from tests.support.live_stack import LiveStack

PROCESSES = ("web", "worker", "relay", "postgres", "valkey")


def refused(stack: LiveStack) -> str:
    """Start a server that must refuse; what it said. It leaves with exit code 1 and no traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "config.embedded.server"],
        cwd=ROOT,
        env=stack.environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "Traceback" not in said
    return said


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """A small file system of its own at `folder`; skips where this user may not mount."""
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("only root may mount a small file system")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_second_server_on_the_same_folder_is_refused(live_stack: LiveStack) -> None:
    before = live_stack.state
    said = refused(LiveStack(live_stack.folder))
    assert "already running" in said
    assert live_stack.base_url in said
    assert live_stack.state == before
    live_stack.wait_ready()


def test_a_taken_port_is_told_before_anything_starts(live_stack: LiveStack, tmp_path: Path) -> None:
    second = LiveStack(tmp_path / "data", port=live_stack.port)
    said = refused(second)
    assert f"Port {live_stack.port} is taken" in said
    assert second.still_running() == []
    assert not (second.folder / "postgres").exists()


def test_a_port_that_is_no_number_is_refused(tmp_path: Path) -> None:
    stack = LiveStack(tmp_path / "data", PORT="http")
    assert "PORT is 'http'" in refused(stack)


def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        with mounted(tmp_path / "disk", "ro"):
            said = refused(LiveStack(tmp_path / "disk" / "data"))
    else:
        (tmp_path / "disk").mkdir(mode=0o500)
        said = refused(LiveStack(tmp_path / "disk" / "data"))
    assert "may not be written" in said


@pytest.mark.parametrize("size", ["16k", "20m"])
def test_a_full_disk_is_told(tmp_path: Path, size: str) -> None:
    """Too full for anything, and too full for a database."""
    with mounted(tmp_path / "disk", f"size={size}"):
        stack = LiveStack(tmp_path / "disk" / "data")
        said = refused(stack)
        assert "disk is full" in said.lower()
        assert stack.still_running() == []


@pytest.mark.parametrize("name", PROCESSES)
def test_what_is_killed_is_started_again(live_stack: LiveStack, name: str) -> None:
    old = live_stack.kill(name)
    live_stack.wait_restarted(name, old)
    live_stack.wait_ready()
    with live_stack.database() as connection:
        assert connection.execute("SELECT count(*) > 0 FROM django_migrations").fetchone() == (True,)


def test_given_servers_are_used_and_none_is_embedded(live_stack: LiveStack, tmp_path: Path) -> None:
    state = live_stack.state
    with live_stack.database() as connection:
        connection.execute("CREATE DATABASE given")
    given = state["database_url"].rpartition("/")[0] + "/given"
    stack = LiveStack(
        tmp_path / "data",
        DATABASE_URL=given,
        BROKER_URL=state["broker_url"].rpartition("/")[0] + "/4",
        CHANNEL_URL=state["channel_url"],
    )
    try:
        stack.start()
        assert set(stack.state["processes"]) - {"web-2"} == {"web", "worker", "relay"}
        with psycopg.connect(given) as connection:
            assert connection.execute("SELECT count(*) > 0 FROM django_migrations").fetchone() == (True,)
    finally:
        stack.stop()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_within_five_seconds_with_connections_open(
    live_stack: LiveStack, number: signal.Signals
) -> None:
    client = live_stack.login("anna")
    streams = [socket.create_connection((ports.LOOPBACK, live_stack.port)) for _ in range(5)]
    for stream in streams:
        # A request that never ends holds a connection as an open event stream does.
        stream.sendall(b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n")
    seconds = live_stack.stop(number)
    assert seconds < 5.0
    assert live_stack.still_running() == []
    with pytest.raises(httpx.HTTPError):
        client.get("/login/")
    for stream in streams:
        stream.close()
    started = time.monotonic()
    live_stack.start()
    assert time.monotonic() - started < 10.0, "the second start must be quick"


def test_it_starts_after_everything_was_killed(live_stack: LiveStack) -> None:
    with live_stack.database() as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS n")
    assert live_stack.process is not None
    live_stack.process.kill()
    live_stack.process.wait()
    for name in PROCESSES:
        pid = live_stack.pid(name)
        if pid is not None:
            kill_if_running(pid)
    live_stack.start()
    with live_stack.database() as connection:
        assert connection.execute("SELECT n FROM kept").fetchone() == (42,)


def kill_if_running(pid: int) -> None:
    """SIGKILL, whether or not the process still is."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def test_its_processes_end_when_the_supervisor_alone_is_killed(live_stack: LiveStack) -> None:
    assert live_stack.process is not None
    live_stack.process.kill()
    live_stack.process.wait()
    live_stack.wait_for(lambda: live_stack.still_running() == [], "processes outlived their supervisor", 15)
    live_stack.start()


def test_a_stale_pid_file_that_names_another_program_is_no_obstacle(live_stack: LiveStack) -> None:
    live_stack.kill_all()
    pid_file = live_stack.folder / "postgres" / "postmaster.pid"
    # The number now belongs to a program that is not PostgreSQL, and that must not be ended.
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        pid_file.write_text(f"{bystander.pid}\n{live_stack.folder / 'postgres'}\n")
        live_stack.start()
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_half_a_database_folder_is_made_again(tmp_path: Path) -> None:
    stack = LiveStack(tmp_path / "data")
    (stack.folder / "postgres").mkdir(parents=True)
    (stack.folder / "postgres" / "PG_VERSION").write_text("18\n")
    (stack.folder / "postgres.making").touch()
    try:
        stack.start()
        assert not (stack.folder / "postgres.making").exists()
    finally:
        stack.stop()


def test_a_folder_with_a_long_path_works() -> None:
    with tempfile.TemporaryDirectory() as place:
        stack = LiveStack(Path(place) / ("a-long-name-" * 8) / ("and-another " * 8) / "data")
        stack.output = Path(place) / "out"
        try:
            stack.start()
            assert leftovers.identity(stack.pid("postgres") or 0) is not None
        finally:
            stack.stop()
