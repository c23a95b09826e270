"""A project in a few numbers, for its open pages: queue, progress, who holds what."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Q, Sum

from locks.models import TaskLock
from tasks.domain.matrix import Role
from tasks.domain.statuses import WORKABLE, Status
from tasks.domain.times import iso
from tasks.models import BatchCount, Project, Task, User
from tasks.queries.access import role_in
from tasks.queries.database_clock import ClockTimestamp
from tasks.queries.user_body import user_body

#: Holders shown at most, newest first.
HOLDERS = 100


def summaries(*, project_id: UUID, user_ids: Collection[UUID]) -> dict[UUID, dict[str, Any]]:
    """The summary for each of the people who may see the project.

    `{project_id, progress: {status: n}, queue: {pending, in_progress, review, on_hold},
    holders: [{task_id, user, acquired_at}]}`. Who is no admin gets the holders of tasks that they see.
    """
    project = Project.objects.filter(pk=project_id, archived_at=None).select_related("owner").first()
    if project is None:
        return {}
    common = {"project_id": str(project_id), **_counts(project_id)}
    holders = _holders(project_id)
    found: dict[UUID, dict[str, Any]] = {}
    for user in User.objects.filter(pk__in=user_ids, is_active=True):
        role = role_in(user=user, project=project)
        if role is None:
            continue
        shown = holders
        if holders and role not in {Role.SUPER_ADMIN, Role.PROJECT_ADMIN}:
            visible = set(
                Task.objects.visible_to(user)
                .filter(pk__in=[holder["task_id"] for holder in holders])
                .values_list("pk", flat=True)
            )
            shown = [holder for holder in holders if UUID(holder["task_id"]) in visible]
        found[user.pk] = {**common, "holders": shown}
    return found


def _counts(project_id: UUID) -> dict[str, Any]:
    progress = dict.fromkeys((status.value for status in Status), 0)
    # Sums of deltas: a project of a million tasks costs what a small one costs.
    rows = (
        BatchCount.objects.filter(batch__project_id=project_id, batch__archived_at=None)
        .values_list("status")
        .annotate(
            total=Sum("delta"),
            workable=Sum("delta", filter=Q(batch__status__in=WORKABLE, batch__held_at=None)),
            held=Sum("delta", filter=Q(batch__held_at__isnull=False)),
        )
    )
    workable = dict(progress)
    on_hold = 0
    for status, total, open_work, held in rows:
        progress[status] = total
        workable[status] = open_work or 0
        if status == Status.PENDING:
            on_hold = held or 0
    queue = {
        "pending": workable[Status.PENDING],
        "in_progress": workable[Status.IN_PROGRESS],
        "review": progress[Status.REVIEW],
        "on_hold": on_hold,
    }
    return {"progress": progress, "queue": queue}


def _holders(project_id: UUID) -> list[dict[str, Any]]:
    locks = (
        TaskLock.objects.filter(task__project_id=project_id, task__archived_at=None)
        .filter(expire_at__gt=ClockTimestamp())
        .select_related("user")
        .order_by("-acquired_at")[:HOLDERS]
    )
    # No times of beats: they change each minute and would make every summary a new one.
    return [
        {
            "task_id": str(lock.task_id),
            "user": user_body(lock.user),
            "acquired_at": iso(lock.acquired_at),
        }
        for lock in locks
    ]
