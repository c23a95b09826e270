"""Members of a project and their roles."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tasks.domain.matrix import Role
from tasks.models import Membership
from tasks.pages.shell import page, project_page


@require_safe
@page
def members(request: HttpRequest, project_id: UUID) -> HttpResponse:
    """Who is in the project, with their roles; add, change, remove."""
    project, _role, context = project_page(request, project_id=project_id, tab="members")
    memberships = Membership.objects.filter(project=project).select_related("user").order_by("user__username")
    context |= {
        "memberships": memberships,
        "roles": [role.value for role in Role if role is not Role.SUPER_ADMIN],
    }
    return render(request, "projects/members.html", context)
