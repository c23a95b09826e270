"""Processes that a killed supervisor left behind: found by what it wrote down and by a mark, and ended."""

import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import psutil

MARK = "COUNTERSIGN_STACK"


def identity(pid: int) -> dict[str, Any] | None:
    """A process told apart from a later one with the same number: its pid and the time it was created."""
    try:
        return {"pid": pid, "created": psutil.Process(pid).create_time()}
    except psutil.Error:
        return None


def recorded(entries: Iterable[Any]) -> list[psutil.Process]:
    """The processes of an earlier state file that still run."""
    found = []
    for entry in entries:
        try:
            process = psutil.Process(int(entry["pid"]))
            if abs(process.create_time() - float(entry["created"])) < 1:
                found.append(process)
        except (psutil.Error, KeyError, TypeError, ValueError):
            continue
    return found


def marked(folder: Path) -> list[psutil.Process]:
    """Processes whose environment names this data folder; never ourselves or our parents."""
    own = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid not in own and process.environ().get(MARK) == str(folder):
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def is_alive(process: psutil.Process) -> bool:
    """Whether it still runs; one that has ended and was not yet collected by its parent does not."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def wait_gone(processes: Iterable[psutil.Process], seconds: float) -> None:
    """Wait until none of them runs, at most `seconds`."""
    waiting = list(processes)
    deadline = time.monotonic() + seconds
    while any(is_alive(process) for process in waiting) and time.monotonic() < deadline:
        time.sleep(0.02)


def end(processes: Iterable[psutil.Process]) -> None:
    """End processes at once; returns when they are gone or after five seconds."""
    alive = list(processes)
    for process in alive:
        try:
            process.kill()
        except psutil.Error:
            continue
    wait_gone(alive, 5)


def end_postmaster(folder: Path) -> None:
    """Stop a PostgreSQL that still serves this folder, and remove what blocks the next start.

    The pid in `postmaster.pid` may by now belong to some other program: only a process that names the
    folder in its command line is ours.
    """
    pid_file = folder / "postmaster.pid"
    try:
        pid = int(pid_file.read_text().splitlines()[0])
    except (OSError, ValueError, IndexError):
        return
    try:
        process = psutil.Process(pid)
        ours = str(folder) in process.cmdline()
    except psutil.Error:
        ours = False
    if ours:
        os.kill(pid, signal.SIGQUIT)
        wait_gone([process], 5)
        end([process])
    pid_file.unlink(missing_ok=True)
