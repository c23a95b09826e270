"""A project as the API shows it."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from tasks.domain.matrix import Role
from tasks.domain.statuses import Status
from tasks.models import Membership, Project, User
from tasks.queries.project_cards import counts_of_projects

#: What POST and PATCH may set.
SETTINGS = (
    "name",
    "description",
    "labels",
    "geometries",
    "task_lock_ttl_seconds",
    "sampling",
    "four_eyes",
    "required_approvals",
    "review_rule",
    "start_jobs",
    "submit_on_confirm",
)


def project_body(project: Project, *, viewer: User) -> dict[str, Any]:
    """Page 06's project with the viewer's role and the number of tasks in each status."""
    return project_bodies([project], viewer=viewer)[0]


def project_bodies(projects: Sequence[Project], *, viewer: User) -> list[dict[str, Any]]:
    """Several of them; two statements, however many there are."""
    ids = [project.pk for project in projects]
    counts = counts_of_projects(ids)
    roles = dict(Membership.objects.filter(user=viewer, project__in=ids).values_list("project_id", "role"))
    return [
        {
            "id": str(project.pk),
            **{name: getattr(project, name) for name in SETTINGS},
            "my_role": _role(project, viewer, roles),
            "counts": {status.value: counts.get(project.pk, {}).get(status.value, 0) for status in Status},
        }
        for project in projects
    ]


def _role(project: Project, viewer: User, roles: dict[UUID, str]) -> str | None:
    if viewer.is_superuser:
        return Role.SUPER_ADMIN
    if project.owner_id == viewer.pk:
        return Role.PROJECT_ADMIN
    return roles.get(project.pk)
