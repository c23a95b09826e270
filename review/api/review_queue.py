"""Claiming reviews."""

from django.http import HttpResponse
from rest_framework.request import Request

from review.operations.next_review import check_next_review, next_review
from review.operations.review_claim import review_claim
from tasks.api.base import ApiView, id_or_404, parsed, reply_response, request_context, request_key
from tasks.api.bodies import ClientAct
from tasks.api.documented import documented
from tasks.api.shapes import NextReply, TaskLockReply
from tasks.domain.matrix import Action
from tasks.queries.access import check_action, visible_project, visible_task


class ReviewClaim(ApiView):
    """The claim on a review."""

    @documented("tasks_review_claim", TaskLockReply, body=ClientAct)
    def post(self, request: Request, task_id: str) -> HttpResponse:
        """By the task's lock, or by a row of its own where several approvals are needed."""
        task = visible_task(user=self.user, task_id=id_or_404(task_id))
        values = parsed(ClientAct, request)
        role = check_action(user=self.user, task=task, action=Action.REVIEW_CLAIM)
        reply = review_claim(
            actor=self.user,
            task_id=task.pk,
            client_id=values["client_id"],
            request=request_key(request, operation="task.review_claim", role=role),
            context=request_context(request),
        )
        return reply_response(reply)


class NextReview(ApiView):
    """What to review now."""

    @documented("projects_next_review", NextReply, body=ClientAct)
    def post(self, request: Request, project_id: str) -> HttpResponse:
        """Chosen and claimed at once, with why; or null with the reasons."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        values = parsed(ClientAct, request)
        role = check_next_review(user=self.user, project=project)
        reply = next_review(
            actor=self.user,
            project_id=project.pk,
            client_id=values["client_id"],
            request=request_key(request, operation="task.next_review", role=role),
            context=request_context(request),
        )
        return reply_response(reply)
