"""POST and GET /tasks/{id}/runs, GET /runs/{id}, POST /runs/{id}/cancel."""

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from review.api.editor_shapes import RunShape, RunStarted
from review.api.task_write import LockedWrite, TaskWriteView
from review.domain.job_states import NodeType
from review.models import NodeRun
from review.operations.cancel_run import cancel_run
from review.operations.start_run import KINDS, start_run
from review.queries.run_body import addressed_run, run_body, visible_run
from tasks.api.base import (
    ApiView,
    StrictSerializer,
    id_or_404,
    page_of,
    parsed,
    reply_response,
    request_context,
    request_key,
)
from tasks.api.documented import documented
from tasks.api.shapes import page_shape
from tasks.domain.errors import NotFound
from tasks.domain.matrix import Operation, Role
from tasks.queries.access import check_manage, check_operation, role_in, visible_task


class BoxField(serializers.ListField):
    """[x1, y1, x2, y2] in pixels of the normalised picture."""

    def __init__(self) -> None:
        super().__init__(
            child=serializers.FloatField(), min_length=4, max_length=4, required=False, allow_null=True
        )


class StartRunBody(LockedWrite):
    """Which model, and where."""

    kind = serializers.ChoiceField(choices=[kind.value for kind in KINDS])
    region = BoxField()
    reference = BoxField()


class CancelBody(StrictSerializer):
    """Nothing but the request's id."""

    request_id = serializers.UUIDField(required=False, allow_null=True)


class RunsView(TaskWriteView):
    """A task's model runs."""

    @documented("runs_list", page_shape(RunShape), is_page=True)
    def get(self, request: Request, task_id: str) -> Response:
        """One page, newest first."""
        task = visible_task(user=self.user, task_id=id_or_404(task_id))
        if role_in(user=self.user, project=task.project) == Role.VIEWER:
            raise NotFound
        runs = NodeRun.objects.filter(task_id=task.pk, parent=None).select_related("created_by")
        runs = runs.prefetch_related("ignored_reports")
        return Response(page_of(runs, request, order="-id", render=run_body))

    @documented("runs_start", RunStarted, body=StartRunBody, status=202)
    def post(self, request: Request, task_id: str) -> HttpResponse:
        """202 with the run's id; the result comes by the stream and by GET."""
        pk, values, key = self.begin(
            request, task_id, body=StartRunBody, does=Operation.RUN, name="run.start"
        )
        reply = start_run(
            actor=self.user,
            task_id=pk,
            kind=NodeType(values["kind"]),
            region=values.get("region"),
            reference=values.get("reference"),
            lock_token=values.get("lock_token"),
            request=key,
            context=request_context(request),
        )
        return reply_response(reply)


class RunView(ApiView):
    """One run."""

    @documented("runs_read", RunShape)
    def get(self, request: Request, run_id: str) -> Response:
        """The run, with the ids of what it left behind."""
        return Response(run_body(visible_run(user=self.user, run_id=id_or_404(run_id))))


class CancelRunView(ApiView):
    """A run that is no longer wanted."""

    @documented("runs_cancel", RunShape, body=CancelBody)
    def post(self, request: Request, run_id: str) -> HttpResponse:
        """The run, cancelled or as it ended."""
        run = addressed_run(user=self.user, run_id=id_or_404(run_id))
        parsed(CancelBody, request)
        if run.created_by_id == self.user.pk:
            role = check_operation(user=self.user, task=run.task, operation=Operation.RUN)
        else:
            role = check_manage(user=self.user, project=run.task.project)
        reply = cancel_run(
            actor=self.user,
            run_id=run.pk,
            request=request_key(request, operation="run.cancel", role=role),
            context=request_context(request),
        )
        return reply_response(reply)
