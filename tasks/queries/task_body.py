"""A task as the API shows it (page 06)."""

from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, Value
from django.db.models.expressions import Combinable

from locks.models import TaskLock
from tasks.domain.errors import NotFound
from tasks.domain.matrix import Role
from tasks.domain.times import iso
from tasks.models import Asset, Membership, Task, User
from tasks.queries.database_clock import ClockTimestamp
from tasks.queries.lock_body import lock_body
from tasks.queries.user_body import user_body_or_none


def with_facts(tasks: QuerySet[Task], *, viewer: User | None) -> QuerySet[Task]:
    """The tasks with all that their bodies need, in one query, as `viewer` (None: the system) sees it."""
    return tasks.select_related(
        "project", "batch", "asset", "assignee", "lock", "lock__user", "lock__previous_user"
    ).annotate(seen_at=ClockTimestamp(), sees_jobs=sees_jobs(viewer))


def task_body(task_id: UUID, *, viewer: User | None) -> dict[str, Any]:
    """The task; `viewer` (None: an event of the system) has been found to see it. Raises NotFound."""
    task = with_facts(Task.objects.filter(pk=task_id), viewer=viewer).first()
    if task is None:
        raise NotFound
    return body_of(task)


def body_of(task: Task) -> dict[str, Any]:
    """The body of a task that comes from `with_facts`."""
    lock: TaskLock | None = getattr(task, "lock", None)
    seen_at = getattr(task, "seen_at")  # noqa: B009 - an annotation, unknown to the type checker
    body = body_with(task, lock=lock if lock is not None and lock.expire_at > seen_at else None)
    if not getattr(task, "sees_jobs"):  # noqa: B009 - as above
        body["job"] = None
    return body


def body_with(task: Task, *, lock: TaskLock | None) -> dict[str, Any]:
    """The body of a task at hand (an operation holds its row), with its live lock or None."""
    return {
        "id": str(task.pk),
        "name": task.name,
        "project": {"id": str(task.project_id), "name": task.project.name},
        "batch": {"id": str(task.batch_id), "name": task.batch.name},
        "status": task.status,
        "version": task.version,
        "asset": None if task.asset is None else asset_body(task.asset),
        "config": {
            "version": task.config_version,
            "question": task.question,
            "selection_mode": task.selection_mode,
            "targets": task.targets,
            "labels": task.project.labels,
            "geometries": task.project.geometries if task.geometries is None else task.geometries,
        },
        "assignee": user_body_or_none(task.assignee),
        "last_decision": task.last_decision,
        "lock": None if lock is None else lock_body(lock),
        "job": None if task.job_id is None else {"job_id": str(task.job_id), "status": task.job_status},
        "mark": task.mark,
        "annotation_revision": task.annotation_revision,
        "updated_at": iso(task.updated_at),
    }


def sees_jobs(viewer: User | None) -> Combinable:
    """Whether `viewer` (None: the system) is told of a task's job; page 03: viewers see confirmed work."""
    if viewer is None or viewer.is_superuser:
        return Value(True)
    as_viewer = Membership.objects.filter(project=OuterRef("project"), user=viewer, role=Role.VIEWER)
    return ~Exists(as_viewer)


def asset_body(asset: Asset) -> dict[str, Any]:
    """The picture: size in pixels of the normalised original, and where to get it."""
    return {
        "id": str(asset.pk),
        "width": asset.width,
        "height": asset.height,
        "sha256": asset.sha256,
        "image_url": image_url(asset.pk),
    }


def image_url(asset_id: UUID) -> str:
    """Where a picture is."""
    return f"/api/v1/assets/{asset_id}/image"
