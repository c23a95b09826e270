"""The real web process, uvicorn with `config.asgi`, on a test's database: no worker, no relay."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from config.embedded import ports
from config.embedded.stack import ROOT


def address_of(database: str) -> str:
    """The session's DATABASE_URL, leading to another database of the same server."""
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{database}"))


class WebProcess:
    """`start()` returns when it answers."""

    def __init__(self, log: Path, *, database: str, **environ: str) -> None:
        self.port = ports.free_port()
        self.log = log
        self.environ = os.environ | {
            "DJANGO_SETTINGS_MODULE": "config.settings.test",
            "DATABASE_URL": address_of(database),
            "DATABASE_POOL": "1",
            "PORT": str(self.port),
            **environ,
        }
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def base_url(self) -> str:
        """Where it answers."""
        return f"http://{ports.LOOPBACK}:{self.port}"

    @property
    def socket_url(self) -> str:
        """Where its WebSockets are."""
        return f"ws://{ports.LOOPBACK}:{self.port}"

    def start(self) -> None:
        """Start as config/embedded/stack.py does. Raises AssertionError with the log where it fails."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable, "-m", "uvicorn", "config.asgi:application",
                    "--host", ports.LOOPBACK, "--port", str(self.port), "--timeout-graceful-shutdown", "10",
                    "--no-access-log", "--ws-per-message-deflate", "false", "--log-level", "warning",
                ],
                cwd=ROOT, env=self.environ, stdout=log, stderr=log,
            )  # fmt: skip
        deadline = time.monotonic() + 30
        while not self._answers():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)

    def stop(self) -> float:
        """Ask it to stop; the seconds that took. Raises AssertionError where it has to be killed."""
        assert self.process is not None
        started = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"it did not stop\n{self.log.read_text()}") from None
        return time.monotonic() - started

    def kill(self) -> None:
        """End it at once, where it still runs."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def _answers(self) -> bool:
        # It listens once its lifespan has begun.
        with socket.socket() as probe:
            return probe.connect_ex((ports.LOOPBACK, self.port)) == 0
