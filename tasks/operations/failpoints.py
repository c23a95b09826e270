"""Named moments at which a test may have a process killed or stopped. Without `settings.FAILPOINTS` nothing
happens.

The setting names a folder. A test arms a moment by writing a file of its name there, holding what is to
happen; the first process that comes by takes the file, so that it happens to one process, once. Production
settings do not read the setting.
"""

import os
import signal
from collections.abc import Callable
from pathlib import Path

from django.conf import settings

#: What a file may hold. A worker's child can so take its parent away and go on as an orphan.
ACTIONS: dict[str, Callable[[], None]] = {
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "kill parent": lambda: os.kill(os.getppid(), signal.SIGKILL),
}


def failpoint(name: str) -> None:
    """This moment has come."""
    if settings.FAILPOINTS:
        _come_to(Path(settings.FAILPOINTS) / name)


def _come_to(armed: Path) -> None:
    taken = armed.with_name(f"{armed.name}.{os.getpid()}")
    try:
        # Only one of all processes and threads can rename it.
        armed.rename(taken)
    except FileNotFoundError:
        return
    ACTIONS[taken.read_text()]()
