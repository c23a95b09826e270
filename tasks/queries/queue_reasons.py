"""Why there is nothing to give: all done, on hold, not yours, reserved, or in other people's hands."""

from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, Sum

from locks.models import TaskLock
from tasks.domain.statuses import WORKABLE, Status
from tasks.domain.times import iso
from tasks.models import BatchCount, Project, Task, User
from tasks.queries.database_clock import ClockTimestamp
from tasks.queries.user_body import user_body

MOST_HELD = 10


def queue_reasons(*, user: User, project: Project, batches: list[UUID]) -> dict[str, Any]:
    """`{done, on_hold, not_assigned, reserved, held}`; `batches` are those in which the person may claim.

    `done`: nothing is pending or in progress anywhere. `on_hold`: pending tasks of batches on
    hold, and those in progress where the hold stops them.
    `not_assigned`: open tasks of workable batches that are not the person's. `reserved`: tasks that wait for
    somebody else: sent back to them, or left by them within the last TTL. `held`: up to ten of others' live
    locks, {task_id, holder, stale_at}.
    """
    open_tasks = BatchCount.objects.filter(
        batch__project=project,
        batch__archived_at=None,
        status__in=[Status.UPLOADING, Status.PENDING, Status.IN_PROGRESS],
    )
    pending = Q(status=Status.PENDING)
    begun = Q(status=Status.IN_PROGRESS)
    stopped = pending | (begun & Q(batch__hold_stops_work=True))
    workable = Q(batch__status__in=WORKABLE)
    counted = open_tasks.aggregate(
        all=Sum("delta"),
        on_hold=Sum("delta", filter=stopped & workable & Q(batch__held_at__isnull=False)),
        not_assigned=Sum(
            "delta",
            filter=(pending | begun) & workable & Q(batch__held_at=None) & ~Q(batch__in=batches),
        ),
    )
    live = TaskLock.objects.filter(task=OuterRef("pk"), expire_at__gt=ClockTimestamp())
    reserved = (
        Task.objects.filter(
            (pending & Q(is_reserved=True)) | (begun & ~Exists(live)),
            batch__in=batches,
            archived_at=None,
            assignee__isnull=False,
        )
        .exclude(assignee=user)
        .count()
    )
    locks = (
        TaskLock.objects.filter(
            task__batch__in=batches,
            task__status__in=[Status.PENDING, Status.IN_PROGRESS],
            task__archived_at=None,
            expire_at__gt=ClockTimestamp(),
        )
        .exclude(user=user)
        .select_related("user")
        .order_by("heartbeat_at")[:MOST_HELD]
    )
    return {
        "done": (counted["all"] or 0) <= 0,
        "on_hold": max(0, counted["on_hold"] or 0),
        "not_assigned": max(0, counted["not_assigned"] or 0),
        "reserved": reserved,
        "held": [
            {"task_id": str(lock.task_id), "holder": user_body(lock.user), "stale_at": iso(lock.stale_at)}
            for lock in locks
        ],
    }
