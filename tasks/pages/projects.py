"""The list of projects, a new one, and a project's settings."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tasks.models import Project
from tasks.pages.shell import page, person, project_page
from tasks.queries.project_cards import project_cards

#: Offered for a new label, in this order; readable on dark and on bright pictures.
LABEL_COLOURS = (
    "#ffd166", "#7ee0a3", "#7cc4ff", "#c9a2ff", "#ff9f6e", "#e06a6a", "#5fd0c5", "#f08fc0", "#b5c95a", "#9aa7ff",
)  # fmt: skip


@require_safe
@page
def projects(request: HttpRequest) -> HttpResponse:
    """Every project that the person sees, with its progress."""
    return render(request, "projects/list.html", {"cards": project_cards(user=person(request)), "nav": "projects"})


@require_safe
@page
def new_project(request: HttpRequest) -> HttpResponse:
    """A form; the page's script sends it to the API."""
    context = {"nav": "projects", "draft": Project(), "colours": LABEL_COLOURS, **_choices()}
    return render(request, "projects/new.html", context)


@require_safe
@page
def project_settings(request: HttpRequest, project_id: UUID) -> HttpResponse:
    """What admins may change: name, labels, lock TTL, sampling, reviewing, jobs."""
    project, _role, context = project_page(request, project_id=project_id, tab="settings")
    context |= {"draft": project, "colours": LABEL_COLOURS, **_choices()}
    return render(request, "projects/settings.html", context)


def _choices() -> dict[str, object]:
    return {"samplings": Project.Sampling.values, "rules": Project.ReviewRule.values}
