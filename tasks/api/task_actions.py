"""What moves a task, as far as the workflow alone is concerned."""

from django.http import HttpResponse
from rest_framework.request import Request

from tasks.api.base import ApiView, id_or_404, parsed, reply_response, request_context, request_key
from tasks.api.bodies import ClientAct, HeldAct, ReasonedAct
from tasks.api.documented import documented
from tasks.api.shapes import TaskLockReply, TaskReply
from tasks.domain.actor import RequestKey
from tasks.domain.matrix import Action
from tasks.models import Task
from tasks.operations.claim import claim
from tasks.operations.recall import recall
from tasks.operations.reopen import reopen
from tasks.operations.withdraw import withdraw
from tasks.queries.access import check_action, visible_task


class _Action(ApiView):
    """May you see it, is the shape right, may you do it: then the action itself."""

    action: Action

    def seen(self, task_id: str) -> Task:
        """The task. Raises NotFound."""
        return visible_task(user=self.user, task_id=id_or_404(task_id))

    def key(self, request: Request, task: Task) -> RequestKey:
        """The request's key. Raises RoleForbidden."""
        role = check_action(user=self.user, task=task, action=self.action)
        return request_key(request, operation=f"task.{self.action}", role=role)


class Claim(_Action):
    """Claim."""

    action = Action.CLAIM

    @documented("tasks_claim", TaskLockReply, body=ClientAct)
    def post(self, request: Request, task_id: str) -> HttpResponse:
        """Pending: the caller's from now on. In progress without a live lock: taken over."""
        task = self.seen(task_id)
        values = parsed(ClientAct, request)
        reply = claim(
            actor=self.user,
            task_id=task.pk,
            client_id=values["client_id"],
            request=self.key(request, task),
            context=request_context(request),
        )
        return reply_response(reply)


class Withdraw(_Action):
    """Withdraw."""

    action = Action.WITHDRAW

    @documented("tasks_withdraw", TaskReply, body=HeldAct)
    def post(self, request: Request, task_id: str) -> HttpResponse:
        """Back to the queue; the draft stays, the lock goes."""
        task = self.seen(task_id)
        values = parsed(HeldAct, request)
        reply = withdraw(
            actor=self.user,
            task_id=task.pk,
            lock_token=values.get("lock_token"),
            request=self.key(request, task),
            context=request_context(request),
        )
        return reply_response(reply)


class Recall(_Action):
    """Recall."""

    action = Action.RECALL

    @documented("tasks_recall", TaskLockReply, body=ClientAct)
    def post(self, request: Request, task_id: str) -> HttpResponse:
        """Take back what was handed in, before a reviewer has claimed it."""
        task = self.seen(task_id)
        values = parsed(ClientAct, request)
        reply = recall(
            actor=self.user,
            task_id=task.pk,
            client_id=values["client_id"],
            request=self.key(request, task),
            context=request_context(request),
        )
        return reply_response(reply)


class Reopen(_Action):
    """Reopen."""

    action = Action.REOPEN

    @documented("tasks_reopen", TaskReply, body=ReasonedAct)
    def post(self, request: Request, task_id: str) -> HttpResponse:
        """Finished work goes back to the queue; for the owner and super admins, with a reason."""
        task = self.seen(task_id)
        values = parsed(ReasonedAct, request)
        reply = reopen(
            actor=self.user,
            task_id=task.pk,
            reason=values["reason"],
            request=self.key(request, task),
            context=request_context(request),
        )
        return reply_response(reply)
