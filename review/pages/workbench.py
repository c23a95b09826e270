"""The workbench's shell: the page around the island; everything in it comes from the API."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tasks.pages.shell import page, person
from tasks.queries.access import known_role, visible_task
from tasks.queries.batch_body import hold_body
from tasks.queries.task_body import asset_body
from tasks.queries.user_body import user_body


@require_safe
@page
def workbench(request: HttpRequest, task_id: UUID) -> HttpResponse:
    """Annotate, answer a pause, review: one shell for the three."""
    user = person(request)
    task = visible_task(user=user, task_id=task_id)
    config = {
        "task_id": str(task.pk),
        "user": user_body(user),
        "role": known_role(user=user, project=task.project).value,
        "ws_path": f"/ws/tasks/{task.pk}/",
        "language": get_language(),
        # Told before a claim or an answer is refused for it.
        "hold": hold_body(task.batch),
        "urls": {
            "home": reverse("home"),
            "project": reverse("project", args=[task.project_id]),
            "login": reverse("login"),
            "ahead": reverse("workbench-ahead", args=[task.pk]),
        },
    }
    # Begun with the page's first bytes: the script asks for it only once it has read the task.
    picture = asset_body(task.asset)["image_url"] if task.asset else None
    return render(request, "tasks/workbench.html", {"task": task, "config": config, "picture": picture})
