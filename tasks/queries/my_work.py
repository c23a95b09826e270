"""What waits for a person: unfinished work, tasks sent back, and how their week went."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Count, F
from django.db.models.functions import TruncDate

from tasks.domain.statuses import Status
from tasks.models import Task, User

SHOWN = 8


def unfinished(user: User) -> list[Task]:
    """The person's tasks in progress, last worked on first."""
    tasks = Task.objects.visible_to(user).filter(assignee=user, status=Status.IN_PROGRESS)
    return list(
        tasks.select_related("project", "asset").order_by(F("last_worked_at").desc(nulls_last=True), "-pk")[
            :SHOWN
        ]
    )


def sent_back(user: User) -> list[Task]:
    """Tasks that a reviewer sent back to the person, who is offered them first."""
    tasks = Task.objects.visible_to(user).filter(assignee=user, status=Status.PENDING, is_reserved=True)
    return list(tasks.select_related("project", "asset").order_by("-updated_at", "-pk")[:SHOWN])


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """Tasks handed in on one day (UTC)."""

    day: date
    count: int


def handed_in_by_day(user: User, *, days: int = 7) -> list[Day]:
    """The last `days` days, oldest first, days without work included."""
    today = datetime.now(UTC).date()
    first = today - timedelta(days=days - 1)
    rows = dict(
        Task.objects.filter(submitted_by=user, submitted_at__gte=datetime.combine(first, time.min, UTC))
        .order_by()
        .annotate(day=TruncDate("submitted_at", tzinfo=UTC))
        .values_list("day")
        .annotate(count=Count("pk"))
    )
    wanted = [first + timedelta(days=offset) for offset in range(days)]
    return [Day(day=day, count=rows.get(day, 0)) for day in wanted]
