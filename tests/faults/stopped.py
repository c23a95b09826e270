"""Processes that are there and do nothing: their sockets take what comes, and who talks to them waits."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stopped(*pids: int) -> Iterator[None]:
    """Stopped inside the block."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
