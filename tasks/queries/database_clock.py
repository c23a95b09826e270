"""The database's clock inside a query."""

from typing import Any

from django.db.models import DateTimeField, Func


class ClockTimestamp(Func):
    """`clock_timestamp()`; Django's `Now()` would be the transaction's beginning."""

    function = "clock_timestamp"
    output_field: Any = DateTimeField()
