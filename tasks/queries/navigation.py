"""What the navigation needs to know of a person: where they review, and how much waits there."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from tasks.domain.matrix import Role
from tasks.domain.statuses import BatchStatus, Status
from tasks.models import Project, Task, User


@dataclass(frozen=True, slots=True)
class ReviewWork:
    """Tasks that wait for a reviewer, over all projects in which the person reviews."""

    #: The project with the most of them.
    project_id: UUID
    waiting: int


def review_work(user: User) -> ReviewWork | None:
    """None where the person reviews nowhere. One statement; uses the partial index on tasks in review."""
    projects = Project.objects.visible_to(user)
    if not user.is_superuser:
        projects = projects.filter(
            memberships__user=user, memberships__role__in=[Role.REVIEWER, Role.PROJECT_ADMIN]
        )
    # A correlated count: a join would read every task of the project, not only those in review.
    in_review = (
        Task.objects.filter(project=OuterRef("pk"), status=Status.REVIEW, archived_at=None)
        .exclude(batch__status=BatchStatus.DRAFT)
        .order_by()
        .values("project")
        .annotate(n=Count("pk"))
        .values("n")
    )
    counted = list(
        projects.annotate(waiting=Coalesce(Subquery(in_review), 0))
        .order_by("-waiting", "name")
        .values_list("pk", "waiting")[:50]
    )
    if not counted:
        return None
    return ReviewWork(counted[0][0], sum(number for _, number in counted))
