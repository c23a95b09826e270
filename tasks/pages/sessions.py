"""Who holds which task right now."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tasks.pages.shell import page, project_page
from tasks.queries.sessions import live_locks


@require_safe
@page
def sessions(request: HttpRequest, project_id: UUID) -> HttpResponse:
    """Live locks with since, last beat, stale at and device; admins may release one with a reason."""
    project, _role, context = project_page(request, project_id=project_id, tab="sessions")
    context["locks"] = list(live_locks(project.pk)[:500])
    return render(request, "projects/sessions.html", context)
