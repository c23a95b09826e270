"""How much is going on, in single numbers."""

from django.db.models import FloatField, Func, Min

from locks.models import TaskLock
from tasks.models import OutboxMessage
from tasks.queries.database_clock import ClockTimestamp


def live_locks() -> int:
    """Tasks that somebody holds now."""
    return TaskLock.objects.filter(expire_at__gt=ClockTimestamp()).count()


def outbox_age_seconds() -> float:
    """For how long the oldest message that is due has not gone out; 0 where none is due."""
    due = OutboxMessage.objects.filter(sent_at=None, dead_at=None, available_at__lte=ClockTimestamp())
    found = due.aggregate(age=SecondsSince(Min("available_at")))["age"]
    return max(0.0, float(found or 0.0))


def dead_outbox_messages() -> int:
    """Messages that were given up."""
    return OutboxMessage.objects.exclude(dead_at=None).count()


class SecondsSince(Func):
    """Seconds from a moment until now, on the database's clock."""

    template = "extract(epoch FROM clock_timestamp() - %(expressions)s)"
    output_field = FloatField()
