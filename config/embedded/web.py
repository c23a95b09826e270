"""One web process: python -m config.embedded.web PORT. Several of them share the port.

Each has a listening socket of its own there (SO_REUSEPORT), and the kernel spreads connections over them: one
that is killed takes nobody else's with it, and its place is filled while the others answer.
"""

import os
import re
import socket
import sys
from pathlib import Path

import psutil
import uvicorn

from config.embedded import ports


def listening(port: int) -> socket.socket:
    """A socket of this process's own at `port`, which others may share. Raises OSError."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.bind((ports.LOOPBACK, port))
    return listener


def forget_the_dead(folder: Path) -> None:
    """Remove what killed processes counted as theirs: nobody else does, and it would count for ever."""
    for file in folder.glob("gauge_live*.db"):
        pid = re.fullmatch(r"gauge_live\w*_(\d+)\.db", file.name)
        if pid is not None and not psutil.pid_exists(int(pid[1])):
            file.unlink(missing_ok=True)


def main() -> None:
    """Serve until a signal."""
    if figures := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        # Before the application is imported: its gauges open their files here.
        Path(figures).mkdir(parents=True, exist_ok=True)
        forget_the_dead(Path(figures))
    config = uvicorn.Config(
        "config.asgi:application",
        timeout_graceful_shutdown=1,
        access_log=False,
        ws_per_message_deflate=False,
        log_level="warning",
    )
    uvicorn.Server(config).run(sockets=[listening(int(sys.argv[1]))])


if __name__ == "__main__":
    main()
