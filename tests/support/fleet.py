"""Several web processes, workers and relays on one PostgreSQL and one Valkey, each to be killed at will.

The commands are `script/server`'s; only the models are stood in for (tests/support/quick_models.py), and what
waits for lost work waits seconds. Nothing is started again by itself: a test says when.
"""

import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from config.embedded import commands, leftovers, ports
from config.embedded.child import Child, stop_all
from config.embedded.folder import DataFolder
from config.embedded.stack import ROOT, Stack
from tests.support import prepared_folder
from tests.support.databases import close_connections, led_to
from tests.support.live_stack import stack_environment

START_SECONDS = 60.0
QUIET_SECONDS = 60.0


class Fleet:
    """`processes` by name: web-1, web-2, worker-1, worker-2, relay-1, relay-2."""

    def __init__(self, folder: Path, *, each: int = 2) -> None:
        self.failpoints = folder.parent / f"{folder.name}-failpoints"
        self.environ = stack_environment(
            folder,
            WARM_MODELS="0",
            FAILPOINTS=str(self.failpoints),
            RUN_LEASE_SECONDS="4",
            SWEEP_SECONDS="1",
            HUB_SWEEP_SECONDS="1",
        )
        if not folder.exists():
            prepared_folder.copy_to(folder, self.environ)
        self.failpoints.mkdir()
        self.folder = DataFolder(folder).open()
        self.servers = Stack(self.folder, environ=self.environ, durable=False)
        self.web_ports = {f"web-{number}": ports.free_port() for number in range(1, each + 1)}
        self.processes: dict[str, Child] = {}
        self._own: dict[str, dict[str, str]] = {}
        for number in range(1, each + 1):
            name = f"web-{number}"
            self._add(name, *commands.web(self.web_ports[name]), DATABASE_POOL="1")
            self._add(
                f"worker-{number}", *commands.WORKER, "-n", f"worker-{number}@%h",
                "--include", "tests.support.quick_models",
            )  # fmt: skip
            self._add(f"relay-{number}", *commands.RELAY)

    def _add(self, name: str, *command: str, **more: str) -> None:
        self._own[name] = more
        self.processes[name] = Child(
            name=name,
            command=[sys.executable, *command],
            env=self.servers.child_environment() | more,
            log=self.folder.logs / f"{name}.log",
            cwd=ROOT,
            stop_signals=(signal.SIGTERM, signal.SIGKILL),
            death_signal=signal.SIGKILL,
        )

    @property
    def addresses(self) -> list[str]:
        """Where the web processes answer."""
        return [f"http://{ports.LOOPBACK}:{port}" for port in self.web_ports.values()]

    @property
    def postgres(self) -> Child:
        """The database server."""
        return next(child for child in self.servers.servers if child.name == "postgres")

    @property
    def valkey(self) -> Child:
        """The broker and hint channel."""
        return next(child for child in self.servers.servers if child.name == "valkey")

    @property
    def broker_url(self) -> str:
        """The broker's address."""
        return self.servers.child_environment()["BROKER_URL"]

    def start(self) -> None:
        """Start whatever does not run; returns when the web processes answer."""
        for left in self.failpoints.iterdir():
            left.unlink()
        if not self.servers.servers:
            self.servers.start_servers()
        for child in self.processes.values():
            if child.pid is None:
                # What a killed worker's parent left: its supervisor would end it as well.
                child.signal_group(signal.SIGKILL)
                child.start()
        for name, port in self.web_ports.items():
            self.wait_for(lambda port=port: _answers(port), f"{name} does not answer", START_SECONDS)

    def stop(self) -> None:
        """End everything at once."""
        stop_all(list(self.processes.values()), polite=0.0, firm=0.0)
        self.servers.stop()

    @contextmanager
    def database(self) -> Iterator[None]:
        """Django's connections in this process lead to the fleet's database."""
        with led_to(self.servers.child_environment()["DATABASE_URL"]):
            yield

    def arm(self, moment: str, action: str = "kill") -> None:
        """Whichever process comes to that moment first has it done to it (tasks/operations/failpoints.py)."""
        partial = self.failpoints / ".new"
        partial.write_text(action)
        partial.rename(self.failpoints / moment)

    def wait_taken(self, moment: str) -> int:
        """Wait until a process has come to the moment; its pid."""
        self.wait_for(lambda: list(self.failpoints.glob(f"{moment}.*[0-9]")), f"nobody came to {moment}")
        (taken,) = self.failpoints.glob(f"{moment}.*[0-9]")
        taken.unlink()
        return int(taken.suffix[1:])

    def wait_dead(self) -> str:
        """Wait until one of the processes has ended; its name."""
        self.wait_for(self._dead, "no process ended")
        (name,) = self._dead()
        return name

    def _dead(self) -> list[str]:
        return [name for name, child in self.processes.items() if child.pid is None]

    def kill(self, name: str) -> None:
        """kill -9 of that process alone."""
        child = self.processes[name]
        child.signal(signal.SIGKILL)
        assert child.process is not None
        child.process.wait()

    def restart_with(self, environ: dict[str, dict[str, str]]) -> None:
        """Kill the named processes and start them with these variables beside the usual ones."""
        for name, more in environ.items():
            self.kill(name)
            self.processes[name].env = {**self.servers.child_environment(), **self._own[name], **more}
        self.start()

    def restart_postgres(self) -> None:
        """What `pg_ctl restart -m immediate` does: no checkpoint, no goodbye; crash recovery at the start."""
        child = self.postgres
        child.signal(signal.SIGQUIT)
        assert child.process is not None
        child.process.wait()
        leftovers.end_postmaster(self.folder.postgres)
        child.start()
        # This process's own connection is gone with it.
        close_connections()

    def restart_valkey(self) -> None:
        """kill -9; it keeps nothing, so everything in it is gone."""
        child = self.valkey
        child.signal(signal.SIGKILL)
        assert child.process is not None
        child.process.wait()
        child.start()

    def wait_for(self, condition: Callable[[], object], what: str, seconds: float = QUIET_SECONDS) -> None:
        """Wait until `condition()` is true. Raises AssertionError with `what` and the logs' last lines."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"{what} within {seconds:g} s\n{self.last_lines()}"
            time.sleep(0.05)

    def last_lines(self) -> str:
        """The end of each log."""
        logs = [child.log for child in [*self.servers.servers, *self.processes.values()]]
        return "\n".join(
            f"--- {log.name}\n{log.read_text(errors='replace')[-1500:]}" for log in logs if log.exists()
        )


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((ports.LOOPBACK, port)) == 0
