"""The database's clock: inside a query, and by itself."""

from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import DateTimeField, Func


class ClockTimestamp(Func):
    """`clock_timestamp()`; Django's `Now()` would be the transaction's beginning."""

    function = "clock_timestamp"
    output_field: Any = DateTimeField()


def database_now() -> datetime:
    """The time right now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        row = cursor.fetchone()
    assert row is not None
    moment: datetime = row[0]
    return moment
