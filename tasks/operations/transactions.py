"""How every mutation runs: one durable transaction, bounded lock waits, bounded retries."""

import functools
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import datetime
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import IntegrityError, OperationalError, connection, transaction

from tasks.domain.errors import Busy
from tasks.operations.failpoints import failpoint
from tasks.queries.database_clock import database_now

P = ParamSpec("P")
R = TypeVar("R")

LOCK_TIMEOUT_MS = 5_000
_DEADLOCK, _SERIALIZATION, _LOCK_TIMEOUT = "40P01", "40001", "55P03"
_MAX_RETRIES = 5
# For this transaction only, because PgBouncer hands the connection to somebody else afterwards. The id is
# what `wait_for_running_transactions` knows an operation by, before its first write or row lock too.
_BEGIN = "SELECT set_config('lock_timeout', %s, true), pg_current_xact_id()"
#: The unique key of `idempotent_requests`.
_ONE_REPLY = "idempotent_requests_once"


class ChosenInVain(Exception):
    """Somebody else changed what was chosen between the choice and its row lock: the operation starts again.

    Raised `from` the refusal, which is the answer if it happens every time.
    """


_undo: ContextVar[list[Callable[[], None]] | None] = ContextVar("undo", default=None)


def on_rollback(undo: Callable[[], None]) -> None:
    """Call `undo` if the running operation does not commit: what no database takes back, such as a file.

    Outside an operation there is nothing to wait for, and nothing is kept.
    """
    waiting = _undo.get()
    if waiting is not None:
        waiting.append(undo)


def sqlstate(error: OperationalError) -> str:
    """PostgreSQL's code of the error, or "" where it has none (a lost connection)."""
    return getattr(error.__cause__, "sqlstate", None) or ""


def _violated(error: IntegrityError) -> str:
    """The constraint's name, or "" where PostgreSQL names none."""
    return getattr(getattr(error.__cause__, "diag", None), "constraint_name", None) or ""


def _check_goes_away(error: IntegrityError | ChosenInVain, *, is_last: bool) -> None:
    """It goes away when the other transaction is seen. Raises what the caller is told otherwise."""
    if isinstance(error, ChosenInVain):
        if is_last:
            raise error.__cause__ or error
    elif is_last or _violated(error) != _ONE_REPLY:
        raise error


def operation(function: Callable[P, R]) -> Callable[P, R]:
    """Run `function` in one durable transaction; the outermost layer of every mutation.

    Deadlocks and serialization failures are retried. A lock not had within the time-out is tried once
    more, then it is `Busy`. One request id used twice at the same moment without a row lock in common (a new
    project, a new task, two tasks with one id): the second starts again, and finds the first one's reply or
    is told of the conflict. A choice in vain is made again. Nested use is a mistake and Django says so.
    """

    name = function.__name__.strip("_")

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        lock_timeouts = 0
        for attempt in range(1, _MAX_RETRIES + 1):
            undo: list[Callable[[], None]] = []
            outer = _undo.set(undo)
            try:
                with transaction.atomic(durable=True):
                    with connection.cursor() as cursor:
                        cursor.execute(_BEGIN, [f"{LOCK_TIMEOUT_MS}ms"])
                    if settings.FAILPOINTS:
                        # The first thing after the commit, before any hint.
                        transaction.on_commit(functools.partial(failpoint, f"before_hint.{name}"))
                    result = function(*args, **kwargs)
                    failpoint(f"before_commit.{name}")
                undo.clear()
                failpoint(f"after_commit.{name}")
                return result
            except OperationalError as error:
                state = sqlstate(error)
                if state == _LOCK_TIMEOUT:
                    lock_timeouts += 1
                    if lock_timeouts > 1:
                        raise Busy from error
                elif state not in {_DEADLOCK, _SERIALIZATION} or attempt == _MAX_RETRIES:
                    raise
            except (IntegrityError, ChosenInVain) as error:
                _check_goes_away(error, is_last=attempt == _MAX_RETRIES)
            finally:
                _undo.reset(outer)
                for step in reversed(undo):
                    step()
        raise Busy

    return run


def wait_for_running_transactions(seconds: float = 2) -> None:
    """Return when every operation that had begun by now has ended, or after `seconds`."""
    deadline = time.monotonic() + seconds
    with connection.cursor() as cursor:
        # An id of its own: a snapshot lists what runs only up to the last transaction that has ended, so that
        # whoever began after that one would be missed.
        cursor.execute("SELECT pg_current_xact_id()::text")
        (horizon,) = cursor.fetchone()
        while time.monotonic() < deadline:
            # One's own is not among them.
            cursor.execute(
                "SELECT count(*) FROM pg_snapshot_xip(pg_current_snapshot()) AS xid WHERE xid < %s::xid8",
                [horizon],
            )
            if cursor.fetchone() == (0,):
                return
            time.sleep(0.01)


def db_now() -> datetime:
    """The database's clock right now; `now()` stands still inside a transaction."""
    return database_now()
