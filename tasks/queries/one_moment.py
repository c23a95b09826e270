"""Several statements that see the database as it was at one moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection, transaction

from tasks.queries.database_clock import database_now


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
        # The first statement fixes what all others see.
        yield database_now()
