"""The next task."""

from django.http import HttpResponse
from rest_framework.request import Request

from tasks.api.base import ApiView, id_or_404, parsed, reply_response, request_context, request_key
from tasks.api.bodies import ClientAct
from tasks.api.documented import documented
from tasks.api.shapes import NextReply
from tasks.operations.next_task import check_next, next_task
from tasks.queries.access import visible_project


class NextTask(ApiView):
    """What to work on now."""

    @documented("projects_next", NextReply, body=ClientAct)
    def post(self, request: Request, project_id: str) -> HttpResponse:
        """Chosen and claimed at once, with why; or null with the reasons."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        values = parsed(ClientAct, request)
        role = check_next(user=self.user, project=project)
        reply = next_task(
            actor=self.user,
            project=project,
            client_id=values["client_id"],
            request=request_key(request, operation="task.next", role=role),
            context=request_context(request),
        )
        return reply_response(reply)
