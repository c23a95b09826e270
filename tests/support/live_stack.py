"""The real server as a subprocess, with its own data folder: for realtime, faults and browser tests."""

import json
import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import psycopg

from config.embedded import leftovers, ports, privileges
from config.embedded.stack import ROOT
from tests.support import prepared_folder
from tests.support.servers import shared

# A line for each poll would hide what a failing test says.
logging.getLogger("httpx").setLevel(logging.WARNING)

PASSWORD = "countersign-demo"
DROPPED = {
    "DATABASE_URL",
    "BROKER_URL",
    "CHANNEL_URL",
    "DATABASE_POOL",
    "DJANGO_SETTINGS_MODULE",
    "PYTEST_CURRENT_TEST",
}
START_SECONDS = 100.0


def stack_environment(folder: Path, **more: str) -> dict[str, str]:
    """Ours without the test session's own servers, for processes on this data folder."""
    environ = {name: value for name, value in os.environ.items() if name not in DROPPED}
    return environ | {
        "DATA_DIR": str(folder),
        "COUNTERSIGN_NOT_DURABLE": "1",
        "COUNTERSIGN_MODELS_DIR": os.environ.get("COUNTERSIGN_MODELS_DIR", str(shared("models"))),
        "COUNTERSIGN_PICTURES_DIR": os.environ.get("COUNTERSIGN_PICTURES_DIR", str(shared("pictures"))),
        "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR", str(shared("numba"))),
        **more,
    }


class LiveStack:
    """`config.embedded.server` on a free port. `start()` returns when it is ready."""

    def __init__(
        self, folder: Path, *, port: int | None = None, prepared: bool = True, **environ: str
    ) -> None:
        self.folder = folder
        # A copy of a set-up folder saves ten seconds; `prepared=False` starts from nothing.
        self.prepared = prepared
        self.chosen = port is not None or "PORT" in environ
        self.port = port or ports.free_port()
        self.environ = stack_environment(folder, **{"PORT": str(self.port), **environ})
        self.process: subprocess.Popen[str] | None = None
        self.output = folder.parent / f"{folder.name}.out"

    @property
    def base_url(self) -> str:
        """Where it answers."""
        return f"http://{ports.LOOPBACK}:{self.port}"

    @property
    def state(self) -> dict[str, Any]:
        """What it wrote down: pids, ports, addresses."""
        try:
            found: dict[str, Any] = json.loads((self.folder / "server.json").read_text())
        except (OSError, ValueError):
            return {}
        return found

    def start(self) -> None:
        """Start it and wait until it is ready. Raises AssertionError with its output where it fails.

        A free port is free when it is chosen; one that somebody took meanwhile is exchanged, once.
        """
        try:
            self._start()
        except AssertionError as error:
            if self.chosen or "is taken by another program" not in str(error):
                raise
            self.port = ports.free_port()
            self.environ["PORT"] = str(self.port)
            self._start()

    def _start(self) -> None:
        if self.prepared and not self.folder.exists():
            prepared_folder.copy_to(self.folder, self.environ)
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.embedded.server"],
                cwd=ROOT,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
                # A test run that is killed leaves no server behind.
                preexec_fn=privileges.in_child(parent=os.getpid(), death_signal=signal.SIGTERM),
            )
        deadline = time.monotonic() + START_SECONDS
        while "Countersign is ready" not in self.output.read_text():
            assert self.process.poll() is None, self.output.read_text()
            assert time.monotonic() < deadline, self.output.read_text()
            time.sleep(0.05)

    def wait_ready(self, seconds: float = 30.0) -> None:
        """Wait until `/readyz` says 200."""
        self.wait_for(lambda: self._get_readyz() == 200, "the server was not ready", seconds)

    def _get_readyz(self) -> int:
        try:
            return httpx.get(f"{self.base_url}/readyz", timeout=5).status_code
        except httpx.HTTPError:
            return 0

    def wait_for(self, condition: Any, what: str, seconds: float = 30.0) -> None:
        """Wait until `condition()` is true. Raises AssertionError with `what` and the server's output."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, (
                f"{what} within {seconds:g} s\n{self.output.read_text()[-3000:]}"
            )
            time.sleep(0.05)

    def pid(self, name: str) -> int | None:
        """The process id of web, worker, relay, postgres or valkey."""
        entry = self.state.get("processes", {}).get(name)
        return int(entry["pid"]) if entry else None

    def kill(self, name: str, number: signal.Signals = signal.SIGKILL) -> int:
        """Signal a process, all of them where there are several of the kind; the pid of the first."""
        pid = self.pid(name)
        assert pid is not None, f"{name} does not run"
        for kind, entry in self.state["processes"].items():
            if kind == name or kind.startswith(f"{name}-"):
                os.kill(int(entry["pid"]), number)
        return pid

    def wait_restarted(self, name: str, old_pid: int, seconds: float = 20.0) -> int:
        """Wait until the supervisor runs `name` again; its new pid."""
        self.wait_for(lambda: self.pid(name) not in {None, old_pid}, f"{name} was not started again", seconds)
        pid = self.pid(name)
        assert pid is not None
        return pid

    def database(self) -> psycopg.Connection:
        """A connection of one's own to its database, committing each statement."""
        return psycopg.connect(self.state["database_url"], autocommit=True)

    def manage(self, *arguments: str, stdin: str | None = None) -> str:
        """Run a management command with its environment; what it printed."""
        return self._python("manage.py", *arguments, stdin=stdin)

    def run_module(self, module: str, *arguments: str, stdin: str | None = None) -> str:
        """Run a module of ours with its environment; what it printed."""
        return self._python("-m", module, *arguments, stdin=stdin)

    def _python(self, *arguments: str, stdin: str | None) -> str:
        state = self.state
        environ = self.environ | {
            "DATABASE_URL": state["database_url"],
            "BROKER_URL": state["broker_url"],
            "CHANNEL_URL": state["channel_url"],
            "DJANGO_SETTINGS_MODULE": "config.settings.local",
        }
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environ,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def login(self, username: str, password: str = PASSWORD) -> httpx.Client:
        """A client with that person's session, its CSRF header set for writes."""
        client = httpx.Client(base_url=self.base_url, timeout=30, follow_redirects=False)
        client.get("/login/").raise_for_status()
        answer = client.post(
            "/login/",
            data={
                "username": username,
                "password": password,
                "csrfmiddlewaretoken": client.cookies["csrftoken"],
            },
            headers={"Referer": f"{self.base_url}/login/"},
        )
        assert answer.status_code == 302, f"{username} could not sign in: {answer.status_code}"
        client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
        client.headers["Referer"] = self.base_url
        return client

    def token(self, username: str) -> str:
        """A new API token of that person."""
        return self.manage("create_token", username).strip().splitlines()[-1]

    def stop(self, number: signal.Signals = signal.SIGTERM) -> float:
        """Stop it; the seconds that took. Raises AssertionError where it takes over five."""
        if self.process is None:
            return 0.0
        started = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            self.process.wait(timeout=10)
        finally:
            self.kill_all()
        return time.monotonic() - started

    def kill_all(self) -> None:
        """End everything of this stack at once, as a power cut would."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        state = self.state
        leftovers.end(leftovers.recorded(state.get("processes", {}).values()))
        leftovers.end(leftovers.marked(self.folder))
        leftovers.end_postmaster(self.folder / "postgres")

    def still_running(self) -> list[int]:
        """Processes of this stack that are alive."""
        return [process.pid for process in leftovers.marked(self.folder) if leftovers.is_alive(process)]
