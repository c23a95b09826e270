"""A project's tasks as a table; the filters are in the address."""

from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from review.pages.project import visible_batches
from review.queries.task_table import JOB_GROUPS, MARKS, STATUSES, TaskFilter, task_page
from tasks.pages.shell import page, person, project_page


@require_safe
@page
def task_table(request: HttpRequest, project_id: UUID) -> HttpResponse:
    """Thumbnail, name, status, batch, holder, job, mark, last decision; a page at a time, newest first."""
    project, role, context = project_page(request, project_id=project_id, tab="tasks")
    asked = {
        name: request.GET.get(name, "").replace("\x00", "").strip()
        for name in ("status", "batch", "mark", "job", "q")
    }
    wanted = TaskFilter(
        status=asked["status"],
        batch=asked["batch"],
        mark=asked["mark"],
        job=asked["job"] if context["sees_jobs"] else "",
        mine=request.GET.get("mine") == "1",
        text=asked["q"],
        after=request.GET.get("after", ""),
    )
    kept = {name: value for name, value in asked.items() if value} | ({"mine": "1"} if wanted.mine else {})
    found = task_page(project=project, viewer=person(request), wanted=wanted)
    context |= {
        "tasks": found.tasks,
        "wanted": wanted,
        "next_query": urlencode({**kept, "after": found.next_after}) if found.next_after else "",
        "first_query": urlencode(kept),
        "statuses": STATUSES,
        "marks": MARKS,
        "jobs": JOB_GROUPS,
        "batches": visible_batches(project=project, role=role, user=person(request)),
    }
    return render(request, "projects/tasks.html", context)
