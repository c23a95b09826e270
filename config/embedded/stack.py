"""The servers and processes of one data folder: which ones, with which addresses, and their supervision."""

import os
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from config.embedded import commands, leftovers, ports
from config.embedded.child import Child, stop_all
from config.embedded.folder import DataFolder
from config.embedded.postgres import Postgres
from config.embedded.valkey import Valkey

ROOT = Path(__file__).resolve().parent.parent.parent
DROPPED = ("PYTHONDONTWRITEBYTECODE",)


class Stack:
    """Starts what is needed, keeps it running, stops it. One per data folder, held by the folder's lock."""

    def __init__(
        self, folder: DataFolder, *, environ: Mapping[str, str], port: int = 8000, durable: bool = True
    ) -> None:
        self.folder = folder
        self.environ = dict(environ)
        self.port = port
        # Python runs on one core for each process.
        self.web_processes = int(environ.get("WEB_PROCESSES") or min(2, os.cpu_count() or 1))
        self.servers: list[Child] = []
        self.processes: list[Child] = []
        self.postgres = None if environ.get("DATABASE_URL") else Postgres(folder, durable=durable)
        needs_valkey = not (environ.get("BROKER_URL") and environ.get("CHANNEL_URL"))
        self.valkey = Valkey(folder) if needs_valkey else None
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        os.set_blocking(self._wake_read, False)
        self.stopping = False

    @property
    def url(self) -> str:
        """Where the web process answers."""
        return f"http://{ports.LOOPBACK}:{self.port}"

    def child_environment(self) -> dict[str, str]:
        """The environment of Django processes: the caller's, with the embedded servers filled in."""
        env = {name: value for name, value in self.environ.items() if name not in DROPPED}
        env["DATA_DIR"] = str(self.folder.path)
        env["PORT"] = str(self.port)
        env.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")
        env.setdefault("NUMBA_CACHE_DIR", str(self.folder.path / "numba"))
        env[leftovers.MARK] = str(self.folder.path)
        env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env.get('PATH', os.defpath)}"
        env["PYTHONUNBUFFERED"] = "1"
        if self.postgres is not None:
            env["DATABASE_URL"] = self.postgres.url()
        if self.valkey is not None:
            env["BROKER_URL"] = env.get("BROKER_URL") or self.valkey.url(0)
            env["CHANNEL_URL"] = env.get("CHANNEL_URL") or self.valkey.url(1)
        return env

    def clear_leftovers(self) -> None:
        """End what a killed supervisor of this folder left running."""
        state = self.folder.read_state()
        old = leftovers.recorded(state.get("processes", {}).values())
        leftovers.end([*old, *leftovers.marked(self.folder.path)])
        self.folder.state.unlink(missing_ok=True)

    def start_servers(self) -> None:
        """PostgreSQL and Valkey, where no address was given. Raises PlainFailure."""
        if self.valkey is not None:
            self.servers.append(self.valkey.child())
            self.servers[-1].start()
        if self.postgres is not None:
            self.postgres.initialise()
            child = self.postgres.child()
            self.servers.append(child)
            child.start()
            self.write_state()
            self.postgres.wait_ready(child)
        if self.valkey is not None:
            self.valkey.wait_ready(self.servers[0])
        self.write_state()

    def start_processes(self) -> None:
        """Web, worker and relay."""
        env = self.child_environment()
        python = sys.executable

        def add(name: str, *command: str, death_signal: signal.Signals = signal.SIGTERM, **more: str) -> None:
            child = Child(
                name=name,
                command=[python, *command],
                env={**env, **more},
                log=self.folder.logs / f"{name}.log",
                cwd=ROOT,
                stop_signals=(signal.SIGTERM, signal.SIGQUIT),
                death_signal=death_signal,
            )
            self.processes.append(child)
            child.start()

        shutil.rmtree(self.folder.metrics, ignore_errors=True)
        for number in range(1, self.web_processes + 1):
            name = "web" if number == 1 else f"web-{number}"
            add(
                name,
                *commands.web(self.port),
                DATABASE_POOL="1",
                PROMETHEUS_MULTIPROC_DIR=str(self.folder.metrics),
            )
        add("worker", *commands.WORKER, death_signal=signal.SIGQUIT)
        add("relay", *commands.RELAY)
        self.write_state()

    def write_state(self) -> None:
        """Write down pids, ports and addresses."""
        env = self.child_environment()
        processes: dict[str, Any] = {}
        for child in [*self.servers, *self.processes]:
            if child.pid is not None:
                processes[child.name] = leftovers.identity(child.pid)
        self.folder.write_state(
            {
                "supervisor": os.getpid(),
                "url": self.url,
                "port": self.port,
                "postgres_port": self.postgres.port if self.postgres else None,
                "valkey_port": self.valkey.port if self.valkey else None,
                "database_url": env.get("DATABASE_URL"),
                "broker_url": env.get("BROKER_URL"),
                "channel_url": env.get("CHANNEL_URL"),
                "processes": processes,
            }
        )

    def catch_signals(self) -> None:
        """From here on SIGINT, SIGTERM and SIGHUP ask for an orderly stop."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self.request_stop())
        # Without a handler a child's end would not interrupt the wait.
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)

    def request_stop(self) -> None:
        """Leave the supervision at the next turn."""
        self.stopping = True

    def turn(self, say: Callable[[str], None], *, timeout: float = 1.0) -> None:
        """Wait for a signal, a child's end or the time-out, and restart what has ended."""
        due = [child.restart_at for child in [*self.servers, *self.processes] if child.restart_at is not None]
        if due:
            timeout = max(0.0, min(timeout, min(due) - time.monotonic()))
        if select.select([self._wake_read], [], [], timeout)[0]:
            os.read(self._wake_read, 4096)
        if self.stopping:
            return
        now = time.monotonic()
        changed = [child.tend(now, say) for child in [*self.servers, *self.processes]]
        if any(changed):
            self.write_state()

    def stop(self) -> None:
        """Stop everything that was started, within five seconds: our processes first, then the servers."""
        stop_all(self.processes, polite=1.7, firm=0.2)
        stop_all(self.servers, polite=0.7, firm=0.2)
        self.processes.clear()
        self.servers.clear()
        leftovers.end(leftovers.marked(self.folder.path))
        state = self.folder.read_state()
        kept = {name: state.get(name) for name in ("postgres_port", "valkey_port")}
        self.folder.write_state(kept)
