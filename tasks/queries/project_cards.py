"""Projects as lists show them: counts by status, and what of it is the person's."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Sum

from tasks.domain.matrix import Role
from tasks.domain.statuses import WORKABLE
from tasks.models import Batch, BatchAssignee, BatchCount, Membership, Project, User


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectCard:
    """A project, the person's role, its tasks by status, and the number of batches given to the person."""

    project: Project
    role: Role
    counts: dict[str, int]
    own_batches: int

    @property
    def may_work(self) -> bool:
        """Whether "Next task" makes sense here."""
        return self.role is not Role.VIEWER


def project_cards(*, user: User, limit: int = 200) -> list[ProjectCard]:
    """Every project that the person sees, by name. Four statements, however many there are."""
    projects = list(Project.objects.visible_to(user).order_by("name", "pk")[:limit])
    ids = [project.pk for project in projects]
    roles = dict(Membership.objects.filter(user=user, project__in=ids).values_list("project_id", "role"))
    counts = counts_of_projects(ids)
    own: dict[UUID, int] = {}
    assigned = BatchAssignee.objects.filter(user=user, batch__project__in=ids, batch__status__in=WORKABLE)
    for project_id in assigned.values_list("batch__project_id", flat=True):
        own[project_id] = own.get(project_id, 0) + 1
    return [
        ProjectCard(
            project=project,
            role=_role(user=user, project=project, membership=roles.get(project.pk)),
            counts=counts.get(project.pk, {}),
            own_batches=own.get(project.pk, 0),
        )
        for project in projects
    ]


def _role(*, user: User, project: Project, membership: str | None) -> Role:
    if user.is_superuser:
        return Role.SUPER_ADMIN
    if project.owner_id == user.pk or membership is None:
        return Role.PROJECT_ADMIN
    return Role(membership)


def counts_of_projects(project_ids: Collection[UUID]) -> dict[UUID, dict[str, int]]:
    """Tasks by status of each project, summed from the batches' counters."""
    rows = (
        BatchCount.objects.filter(batch__project__in=project_ids, batch__archived_at=None)
        .order_by()
        .values_list("batch__project_id", "status")
        .annotate(total=Sum("delta"))
    )
    found: dict[UUID, dict[str, int]] = {}
    for project_id, status, total in rows:
        found.setdefault(project_id, {})[status] = max(0, total)
    return found


def counts_of_batches(batches: Collection[Batch]) -> dict[UUID, dict[str, int]]:
    """Tasks by status of each batch."""
    rows = (
        BatchCount.objects.filter(batch__in=[batch.pk for batch in batches])
        .order_by()
        .values_list("batch_id", "status")
        .annotate(total=Sum("delta"))
    )
    found: dict[UUID, dict[str, int]] = {}
    for batch_id, status, total in rows:
        found.setdefault(batch_id, {})[status] = max(0, total)
    return found
