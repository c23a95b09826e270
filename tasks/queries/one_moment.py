"""Several statements that see the database as it was at one moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

from django.db import connection, transaction

from tasks.queries.database_clock import database_now

_only_reads: ContextVar[bool] = ContextVar("only_reads", default=False)


@contextmanager
def one_moment() -> Iterator[datetime]:
    """Inside, all reads see the database as it was at the moment that is given.

    Inside a transaction it changes nothing: there the caller's row locks keep what is read together.
    """
    if connection.in_atomic_block:
        yield database_now()
        return
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        before = _only_reads.set(True)
        try:
            # The first statement fixes what all others see.
            yield database_now()
        finally:
            _only_reads.reset(before)


def may_lock_rows() -> bool:
    """Whether this is a transaction, and one that may write: no other may lock a row."""
    return connection.in_atomic_block and not _only_reads.get()
