"""Live locks of a project: who is in which task, since when, and until when."""

from uuid import UUID

from django.db.models import QuerySet

from locks.models import TaskLock
from tasks.queries.database_clock import ClockTimestamp


def live_locks(project_id: UUID) -> QuerySet[TaskLock]:
    """The project's locks that have not expired, longest held first, with person, task, batch and picture."""
    return (
        TaskLock.objects.filter(
            task__project=project_id, task__archived_at=None, expire_at__gt=ClockTimestamp()
        )
        .select_related("user", "previous_user", "task", "task__batch", "task__asset")
        .order_by("acquired_at", "pk")
    )
