"""The list of projects, a new one, and a project's settings."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tasks.models import Project
from tasks.models.project import GEOMETRIES
from tasks.pages.shell import page, person, project_page
from tasks.queries.policies import newest_policies
from tasks.queries.project_cards import project_cards


@require_safe
@page
def projects(request: HttpRequest) -> HttpResponse:
    """Every project that the person sees, with its progress."""
    return render(
        request, "projects/list.html", {"cards": project_cards(user=person(request)), "nav": "projects"}
    )


@require_safe
@page
def new_project(request: HttpRequest) -> HttpResponse:
    """A form; the page's script sends it to the API."""
    # The database fills the kinds of shapes in only when a row is made: the form asks for a name alone.
    context = {"nav": "projects", "draft": Project(geometries=list(GEOMETRIES)), **_choices()}
    return render(request, "projects/new.html", context)


@require_safe
@page
def project_settings(request: HttpRequest, project_id: UUID) -> HttpResponse:
    """What admins may change: name, labels, lock TTL, sampling, reviewing, jobs, policies."""
    project, _role, context = project_page(request, project_id=project_id, tab="settings")
    policies = {kind.value: policy for kind, policy in newest_policies(project.pk).items()}
    context |= {"draft": project, "policies": policies, **_choices()}
    return render(request, "projects/settings.html", context)


def _choices() -> dict[str, object]:
    return {
        "samplings": Project.Sampling.values,
        "rules": Project.ReviewRule.values,
        "kinds": GEOMETRIES,
    }
