"""A project's page: progress, who is working, what waits, what happened, and the place to drop pictures."""

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from review.queries.project_overview import failed_jobs, pause_ages, recently
from tasks.domain.matrix import Role
from tasks.domain.statuses import WORKABLE, BatchStatus
from tasks.models import Batch, Project, Task, User
from tasks.pages.shell import ADMINS, page, person, project_page
from tasks.queries.project_cards import counts_of_batches, counts_of_projects
from tasks.queries.sessions import live_locks

LOCKS_SHOWN = 8


@require_safe
@page
def project(request: HttpRequest, project_id: UUID) -> HttpResponse:
    """Members' view; admins see failed jobs too."""
    found, role, context = project_page(request, project_id=project_id, tab="overview")
    user = person(request)
    shown = visible_batches(project=found, role=role, user=user)
    batch_counts = counts_of_batches(shown)
    locks = list(live_locks(found.pk)[: LOCKS_SHOWN * 4])
    names: set[Any] = {lock.task_id for lock in locks}
    if role not in ADMINS:
        visible = Task.objects.visible_to(user).filter(pk__in=names)
        names = set(visible.values_list("pk", flat=True))
    context |= {
        "nav": "projects",
        "counts": counts_of_projects([found.pk]).get(found.pk, {}),
        "batches": [{"batch": batch, "counts": batch_counts.get(batch.pk, {})} for batch in shown],
        "locks": [lock for lock in locks if lock.task_id in names][:LOCKS_SHOWN],
        "pauses": pause_ages(project=found, viewer=user) if context["sees_jobs"] else None,
        "failed": failed_jobs(found) if role in ADMINS else [],
        "happenings": recently(project=found, viewer=user, role=role),
        "may_work": role is not Role.VIEWER,
        "upload_batches": upload_batches(shown, role=role),
    }
    return render(request, "projects/overview.html", context)


def visible_batches(*, project: Project, role: Role, user: User) -> list[Batch]:
    """Batches that the role sees: drafts are the admins', an annotator's are the open ones and their own."""
    batches = Batch.objects.filter(project=project, archived_at=None).exclude(status=BatchStatus.ARCHIVED)
    if role not in ADMINS:
        batches = batches.exclude(status=BatchStatus.DRAFT)
    if role is Role.ANNOTATOR:
        batches = batches.filter(Q(open=True) | Q(assignments__user=user)).distinct()
    return list(batches.order_by("-is_default", "-priority", "created_at", "pk")[:50])


def upload_batches(batches: list[Batch], *, role: Role) -> list[Batch]:
    """Those into which the person may put pictures: nobody's where the role starts no jobs."""
    if role is Role.VIEWER:
        return []
    return [batch for batch in batches if role in ADMINS or batch.status in WORKABLE]
