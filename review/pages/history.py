"""A task's history page."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from review.queries.review_cards import shapes_of
from review.queries.task_timeline import task_timeline
from tasks.domain.matrix import Action
from tasks.pages.shell import page, person, project_page
from tasks.queries.access import may_do, visible_task


@require_safe
@page
def history(request: HttpRequest, task_id: UUID) -> HttpResponse:
    """A timeline with a thumbnail of each revision; an annotator sees that of tasks which are theirs."""
    user = person(request)
    task = visible_task(user=user, task_id=task_id)
    moments = task_timeline(task=task, viewer=user)
    _project, _role, context = project_page(request, project_id=task.project_id, tab="tasks")
    context |= {
        "task": task,
        "may_reopen": may_do(user=user, task=task, action=Action.REOPEN),
        "moments": [
            {"moment": each, "shapes": shapes_of(each.items, project=task.project)} for each in moments
        ],
    }
    return render(request, "tasks/history.html", context)
