"""One supervised process: started in its own process group, restarted with back-off, stopped for certain."""

import os
import pwd
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from config.embedded import failure, privileges

LOG_LIMIT = 5_000_000
BACK_OFF = (0.2, 1.0, 2.0, 5.0, 10.0)
# A process that ran this long has recovered: its next restart is quick again.
SETTLED_SECONDS = 30.0


@dataclass
class Child:
    """What to run and how to end it. `stop_signals`: the polite one, then the firm one, then SIGKILL."""

    name: str
    command: list[str]
    env: Mapping[str, str]
    log: Path
    cwd: Path
    stop_signals: tuple[signal.Signals, signal.Signals] = (signal.SIGTERM, signal.SIGKILL)
    death_signal: signal.Signals = signal.SIGTERM
    user: pwd.struct_passwd | None = None
    before_restart: Callable[[], None] = lambda: None
    process: subprocess.Popen[bytes] | None = None
    failures: int = 0
    started_at: float = 0.0
    restart_at: float | None = None
    _log_start: int = field(default=0, repr=False)

    def start(self) -> None:
        """Start it, its output going to its log. Raises OSError where the system refuses."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.replace(self.log.with_suffix(".old.log"))
        with self.log.open("ab") as output:
            self._log_start = output.tell()
            self.process = subprocess.Popen(
                self.command,
                env=dict(self.env),
                cwd=self.cwd,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=privileges.in_child(
                    parent=os.getpid(), death_signal=self.death_signal, user=self.user
                ),
            )
        self.started_at = time.monotonic()
        self.restart_at = None

    @property
    def pid(self) -> int | None:
        """Its process id while it runs."""
        return self.process.pid if self.process is not None and self.poll() is None else None

    def poll(self) -> int | None:
        """Its exit code, or None while it runs; -1 where it never started."""
        return self.process.poll() if self.process is not None else -1

    def last_output(self) -> str:
        """What it wrote since its last start, at most the last 20 kB."""
        try:
            with self.log.open("rb") as handle:
                size = handle.seek(0, os.SEEK_END)
                handle.seek(max(self._log_start, size - 20_000))
                return handle.read().decode(errors="replace")
        except OSError:
            return ""

    def tend(self, now: float, say: Callable[[str], None]) -> bool:
        """Restart it where it has ended and its back-off is over; True where its pid changed."""
        code = self.poll()
        if code is None:
            return False
        if self.restart_at is None:
            if now - self.started_at > SETTLED_SECONDS:
                self.failures = 0
            delay = BACK_OFF[min(self.failures, len(BACK_OFF) - 1)]
            self.failures += 1
            self.restart_at = now + delay
            say(f"{self.name} ended ({describe(code)}); starting it again in {delay:g} s. Log: {self.log}")
            if self.failures > 1:
                say(failure.tail(self.last_output(), 5))
            # Its own children (a worker's pool) must not outlive it beside the new one.
            self.signal_group(signal.SIGKILL)
            return True
        if now < self.restart_at:
            return False
        self.before_restart()
        self.start()
        return True

    def signal_group(self, number: signal.Signals) -> None:
        """Signal it and everything that it started."""
        if self.process is None:
            return
        try:
            os.killpg(self.process.pid, number)
        except (ProcessLookupError, PermissionError):
            return

    def signal(self, number: signal.Signals) -> None:
        """Signal the process alone."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)


def describe(code: int) -> str:
    """An exit code in words."""
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def stop_all(children: list[Child], *, polite: float, firm: float) -> None:
    """Stop children side by side: polite signal, after `polite` s the firm one, after `firm` s SIGKILL."""
    for child in children:
        child.signal(child.stop_signals[0])
    wait_for(children, polite)
    for child in children:
        child.signal(child.stop_signals[1])
    wait_for(children, firm)
    for child in children:
        # The group as well when the process itself has ended: nothing it started may stay.
        child.signal_group(signal.SIGKILL)
    wait_for(children, 1.0)


def wait_for(children: list[Child], seconds: float) -> None:
    """Wait until all have ended, at most `seconds`."""
    deadline = time.monotonic() + seconds
    while any(child.poll() is None for child in children) and time.monotonic() < deadline:
        time.sleep(0.02)
