"""Running things at the same moment, each thread with a database connection of its own."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from django.db import OperationalError, connection

T = TypeVar("T")


def connect(seconds: float) -> None:
    """Connect this thread; a server that has no place free right now is asked again."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            return
        except OperationalError as error:
            if "too many clients" not in str(error) or time.monotonic() > deadline:
                raise
            threading.Event().wait(0.1)


def at_once(calls: Sequence[Callable[[], T]], *, seconds: float = 60) -> list[T]:
    """Start all calls together and return their results in order; an error in one is raised here."""
    barrier = threading.Barrier(len(calls))
    results: list[T | None] = [None] * len(calls)
    errors: list[BaseException] = []

    def run(place: int, call: Callable[[], T]) -> None:
        try:
            connect(seconds)
            barrier.wait(seconds)
            results[place] = call()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [
        threading.Thread(target=run, args=(place, call), daemon=True) for place, call in enumerate(calls)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds)
        assert not thread.is_alive(), "a thread did not come back"
    if errors:
        raise errors[0]
    return results  # type: ignore[return-value]


def until_somebody_waits(seconds: float = 10, *, number: int = 1) -> None:
    """Return once so many other transactions of this database are seen waiting for a lock."""
    statement = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()"
    )
    deadline = time.monotonic() + seconds
    with connection.cursor() as cursor:
        while True:
            # Inside a transaction PostgreSQL would go on showing what it showed first.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(statement)
            row = cursor.fetchone()
            if row is not None and row[0] >= number:
                return
            assert time.monotonic() < deadline, "nobody waited"
            threading.Event().wait(0.01)
