"""Projects."""

from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.api.base import ApiView, id_or_404, page_rows, parsed, reply_response, request_context, request_key
from tasks.api.bodies import NewProject, OptionalReason, ProjectChange, ReasonedAct
from tasks.api.documented import documented
from tasks.api.shapes import ProjectShape, page_shape
from tasks.domain.errors import NotFound
from tasks.domain.matrix import Role
from tasks.models import Project
from tasks.operations.archive import archive_project, restore_project
from tasks.operations.change_project import change_project
from tasks.operations.create_project import create_project
from tasks.queries.access import known_role, project_to_archive, visible_project
from tasks.queries.progress import progress
from tasks.queries.project_body import project_bodies, project_body


def _settings(values: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if name != "request_id"}


class Projects(ApiView):
    """The caller's projects, and a new one."""

    @documented("projects_list", page_shape(ProjectShape), is_page=True)
    def get(self, request: Request) -> Response:
        """By name."""
        visible = Project.objects.visible_to(self.user)
        rows, next_cursor = page_rows(visible, request, order=("name", "id"))
        return Response({"items": project_bodies(rows, viewer=self.user), "next_cursor": next_cursor})

    @documented("projects_create", ProjectShape, body=NewProject, status=201)
    def post(self, request: Request) -> HttpResponse:
        """Any signed-in person may make one and owns it."""
        values = parsed(NewProject, request)
        key = request_key(request, operation="project.create", role=_own_role(self.user.is_superuser))
        reply = create_project(
            actor=self.user, values=_settings(values), request=key, context=request_context(request)
        )
        return reply_response(reply)


class OneProject(ApiView):
    """One project."""

    @documented("projects_read", ProjectShape)
    def get(self, request: Request, project_id: str) -> Response:
        """With the caller's role and the number of tasks in each status."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        return Response(project_body(project, viewer=self.user))

    @documented("projects_change", ProjectShape, body=ProjectChange)
    def patch(self, request: Request, project_id: str) -> HttpResponse:
        """Settings; for project admins."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        values = parsed(ProjectChange, request)
        role = known_role(user=self.user, project=project)
        reply = change_project(
            actor=self.user,
            project_id=project.pk,
            values=_settings(values),
            request=request_key(request, operation="project.change", role=role),
            context=request_context(request),
        )
        return reply_response(reply)

    @documented("projects_archive", None, body=ReasonedAct, status=204)
    def delete(self, request: Request, project_id: str) -> HttpResponse:
        """Archived: out of lists and queues, kept for the audit."""
        project = project_to_archive(user=self.user, project_id=id_or_404(project_id))
        values = parsed(ReasonedAct, request)
        role = known_role(user=self.user, project=project)
        reply = archive_project(
            actor=self.user,
            project_id=project.pk,
            reason=values["reason"],
            request=request_key(request, operation="project.archive", role=role),
            context=request_context(request),
        )
        return reply_response(reply)


class RestoredProject(ApiView):
    """An archived project."""

    @documented("projects_restore", ProjectShape, body=OptionalReason)
    def post(self, request: Request, project_id: str) -> HttpResponse:
        """Back in the lists."""
        identity = id_or_404(project_id)
        role = known_role(user=self.user, project=_any_project(identity))
        values = parsed(OptionalReason, request)
        reply = restore_project(
            actor=self.user,
            project_id=identity,
            reason=values["reason"],
            request=request_key(request, operation="project.restore", role=role),
            context=request_context(request),
        )
        return reply_response(reply)


class ProjectProgress(ApiView):
    """How far a project is."""

    @documented("projects_progress", OpenApiTypes.OBJECT)
    def get(self, request: Request, project_id: str) -> Response:
        """Counts by status, batch and person; throughput; ages of pauses."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        return Response(progress(project, viewer=self.user))


def _any_project(project_id: UUID) -> Project:
    project = Project.objects.filter(pk=project_id).first()
    if project is None:
        raise NotFound
    return project


def _own_role(is_superuser: bool) -> Role:
    return Role.SUPER_ADMIN if is_superuser else Role.PROJECT_ADMIN
