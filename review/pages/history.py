"""A task's history page."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from review.queries.review_cards import shapes_of
from review.queries.task_history import task_history
from tasks.domain.errors import RoleForbidden
from tasks.domain.matrix import Role
from tasks.pages.shell import ADMINS, page, person, project_page
from tasks.queries.access import known_role, visible_task


@require_safe
@page
def history(request: HttpRequest, task_id: UUID) -> HttpResponse:
    """A timeline with a thumbnail of each revision. An annotator sees those of tasks that are theirs."""
    user = person(request)
    task = visible_task(user=user, task_id=task_id)
    role = known_role(user=user, project=task.project)
    if role is Role.ANNOTATOR and user.pk not in {task.assignee_id, task.submitted_by_id}:
        raise RoleForbidden("The history of tasks of others is for reviewers and admins.", required_roles=[])
    _project, _role, context = project_page(request, project_id=task.project_id, tab="tasks")
    moments = task_history(task=task, with_locks=role in ADMINS)
    context |= {
        "task": task,
        "moments": [{"moment": each, "shapes": shapes_of(each.items, project=task.project)} for each in moments],
    }
    return render(request, "tasks/history.html", context)
