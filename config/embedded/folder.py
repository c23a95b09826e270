"""The data folder: what lies where, the secrets of the embedded servers, and the lock on it."""

import fcntl
import json
import os
import secrets
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from config.embedded.failure import PlainFailure, from_os_error

# For logs, pid files and the state file of a start.
LEAST_FREE = 16_000_000


@dataclass
class DataFolder:
    """One data folder. `open()` makes it and proves that it can be written."""

    path: Path
    _lock: IO[str] | None = field(default=None, repr=False)

    @property
    def postgres(self) -> Path:
        return self.path / "postgres"

    @property
    def valkey(self) -> Path:
        return self.path / "valkey"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    @property
    def metrics(self) -> Path:
        """What the web processes count, for whichever of them is asked for all."""
        return self.path / "metrics"

    @property
    def stamps(self) -> Path:
        return self.path / "stamps"

    @property
    def state(self) -> Path:
        """`server.json`: pids, port and addresses of what runs, for tests and for the next start."""
        return self.path / "server.json"

    def open(self) -> "DataFolder":
        """Make the folder. Raises PlainFailure where it cannot be written."""
        try:
            for folder in (self.path, self.logs, self.stamps):
                folder.mkdir(parents=True, exist_ok=True)
            probe = self.path / ".probe"
            probe.write_bytes(b"\0" * 65536)
            probe.unlink()
        except OSError as error:
            raise from_os_error(error) from error
        self.need_space(LEAST_FREE)
        return self

    def need_space(self, needed: int) -> None:
        """Raises PlainFailure where fewer than `needed` bytes are free on the folder's disk."""
        free = shutil.disk_usage(self.path).free
        if free < needed:
            raise PlainFailure(
                f"The disk is full: {self.path} has {free / 1e6:.0f} MB left and needs {needed / 1e6:.0f}. "
                "Free some space, or set DATA_DIR to a folder on another disk, and start again."
            )

    def try_lock(self) -> bool:
        """Take the folder for this process until it ends; False where another process has it."""
        try:
            handle = (self.path / "server.lock").open("a+")
        except OSError as error:
            raise from_os_error(error) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            handle.close()
            return False
        self._lock = handle
        return True

    def lock(self) -> None:
        """Take the folder. Raises PlainFailure where another server has it."""
        if self.try_lock():
            return
        address = self.read_state().get("url")
        seen = f" It answers at {address}." if address else ""
        raise PlainFailure(
            f"A server is already running on the data folder {self.path}.{seen} "
            "Stop it first, or set DATA_DIR and PORT to start a second one."
        )

    def unlock(self) -> None:
        """Let the folder go."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def secret(self, name: str) -> str:
        """A password of this folder's own, made once, readable by its owner only."""
        path = self.path / f"{name}.secret"
        try:
            return path.read_text().strip()
        except FileNotFoundError:
            value = secrets.token_urlsafe(24)
            partial = path.with_suffix(".part")
            partial.touch(mode=0o600)
            partial.write_text(value)
            partial.replace(path)
            return value

    def read_state(self) -> dict[str, Any]:
        """What the last server wrote down; empty where there is nothing readable."""
        try:
            state = json.loads(self.state.read_text())
        except (OSError, ValueError):
            return {}
        return state if isinstance(state, dict) else {}

    def write_state(self, state: dict[str, Any]) -> None:
        """Replace what is written down, whole or not at all. It holds passwords: owner only."""
        partial = self.state.with_suffix(".part")
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as handle:
            json.dump(state, handle, indent=1)
        partial.replace(self.state)
