"""A region's preview as the API shows it."""

from typing import Any
from uuid import UUID

from review.domain.items import shown_candidate
from review.models import RegionResult
from tasks.domain.errors import NotFound
from tasks.domain.matrix import Role
from tasks.domain.times import iso
from tasks.models import Task, User
from tasks.queries.access import role_in


def visible_region_body(*, user: User, region_id: UUID) -> dict[str, Any]:
    """The preview, where the person may see drafts of its task. Raises NotFound."""
    region = (
        RegionResult.objects.filter(task__in=Task.objects.visible_to(user))
        .select_related("task__project")
        .filter(pk=region_id)
        .first()
    )
    if region is None or role_in(user=user, project=region.task.project) == Role.VIEWER:
        raise NotFound
    return region_body(region)


def region_body(region: RegionResult) -> dict[str, Any]:
    """`failed_conditions` names what keeps it from being applied now."""
    failed = []
    if region.base_set_id != region.task.active_candidate_set_id:
        failed.append("candidate_set")
    if region.config_version != region.task.config_version:
        failed.append("config_version")
    if region.applied_at is not None:
        failed.append("applied_once")
    return {
        "id": str(region.pk),
        "task_id": str(region.task_id),
        "run_id": str(region.run_id) if region.run_id else None,
        "base_set_id": str(region.base_set_id) if region.base_set_id else None,
        "config_version": region.config_version,
        "region": region.region,
        "reference": region.reference,
        "items": [shown_candidate({**item, "box_id": item["id"]}) for item in region.items],
        "failed_conditions": failed,
        "applied_at": iso(region.applied_at),
        "created_at": iso(region.created_at),
    }
