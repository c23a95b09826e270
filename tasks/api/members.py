"""Members of a project."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.api.base import ApiView, id_or_404, page_of, parsed, reply_response, request_context, request_key
from tasks.api.bodies import Act, MemberChange, NewMember
from tasks.api.documented import documented
from tasks.api.shapes import MemberShape, page_shape
from tasks.models import Membership
from tasks.operations.members import add_member, change_member, remove_member
from tasks.queries.access import known_role, visible_project
from tasks.queries.member_body import member_body


class Members(ApiView):
    """Who is in the project, and as what."""

    @documented("members_list", page_shape(MemberShape), is_page=True)
    def get(self, request: Request, project_id: str) -> Response:
        """Newest first; every member sees the names."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        members = Membership.objects.filter(project=project).select_related("user")
        return Response(page_of(members, request, order="-id", render=member_body))

    @documented("members_add", MemberShape, body=NewMember, status=201)
    def post(self, request: Request, project_id: str) -> HttpResponse:
        """By username or id; for project admins."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        values = parsed(NewMember, request)
        reply = add_member(
            actor=self.user,
            project_id=project.pk,
            person=values["user"],
            member_role=values["role"],
            request=request_key(
                request, operation="member.add", role=known_role(user=self.user, project=project)
            ),
            context=request_context(request),
        )
        return reply_response(reply)


class OneMember(ApiView):
    """One membership."""

    @documented("members_change", MemberShape, body=MemberChange)
    def patch(self, request: Request, project_id: str, user_id: str) -> HttpResponse:
        """Another role; for project admins."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        values = parsed(MemberChange, request)
        reply = change_member(
            actor=self.user,
            project_id=project.pk,
            user_id=id_or_404(user_id),
            member_role=values["role"],
            request=request_key(
                request, operation="member.role", role=known_role(user=self.user, project=project)
            ),
            context=request_context(request),
        )
        return reply_response(reply)

    @documented("members_remove", None, body=Act, status=204)
    def delete(self, request: Request, project_id: str, user_id: str) -> HttpResponse:
        """The person's locks end, and what waited for them waits for anybody."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        parsed(Act, request)
        reply = remove_member(
            actor=self.user,
            project_id=project.pk,
            user_id=id_or_404(user_id),
            request=request_key(
                request, operation="member.remove", role=known_role(user=self.user, project=project)
            ),
            context=request_context(request),
        )
        return reply_response(reply)
