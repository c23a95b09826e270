"""Jobs over HTTP: start, look, answer, cancel, results."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from review.api import job_serializers as shapes
from review.operations.cancel_job import cancel_job, check_cancel
from review.operations.intervene import Answer, check_may_answer, intervene
from review.operations.start_job import check_may_upload, start_job, start_job_with_picture
from review.queries.job_body import job_body
from review.queries.job_results import job_results
from review.queries.pause_body import past_pause_body, past_pauses
from review.queries.visible_job import addressed_job, visible_job
from tasks.api.base import (
    ApiView,
    id_or_404,
    page_of,
    parsed,
    reply_response,
    request_context,
    request_key,
)
from tasks.api.parsers import BodyParser
from tasks.domain.errors import FieldError, TooLarge, ValidationFailed
from tasks.domain.matrix import Operation
from tasks.operations.idempotency import known_reply
from tasks.operations.store_asset import checked_picture
from tasks.queries.access import check_operation, visible_project, visible_task
from tasks.queries.one_moment import one_moment


class JobsView(ApiView):
    """POST /jobs."""

    parser_classes = [BodyParser, MultiPartParser]

    @extend_schema(
        operation_id="start_job",
        request={
            "application/json": shapes.StartJob,
            "multipart/form-data": shapes.StartJobWithPicture,
        },
        responses={202: shapes.Accepted},
    )
    def post(self, request: Request) -> HttpResponse:
        """Start a job on a task (JSON) or on a new picture (multipart). Answers at once."""
        if (request.content_type or "").startswith("multipart/"):
            return self._with_picture(request)
        values = parsed(shapes.StartJob, request)
        task = visible_task(user=self.user, task_id=values["task"])
        role = check_operation(user=self.user, task=task, operation=Operation.RUN)
        reply = start_job(
            actor=self.user,
            task_id=task.pk,
            pipeline=values["pipeline"],
            request=request_key(request, operation="start_job", role=role),
            context=request_context(request),
        )
        return reply_response(reply)

    def _with_picture(self, request: Request) -> HttpResponse:
        values = parsed(shapes.StartJobWithPicture, request)
        image = values["image"]
        if image.size > settings.UPLOAD_MAX_BYTES:
            most = settings.UPLOAD_MAX_BYTES // 2**20
            raise TooLarge(f"The picture is larger than {most} MiB. Send a smaller one.")
        project = visible_project(user=self.user, project_id=values["project"])
        batch_id = values.get("batch")
        role = check_may_upload(actor=self.user, project=project, batch_id=batch_id)
        key = request_key(request, operation="start_job", role=role)
        if (known := known_reply(key)) is not None:
            return reply_response(known)
        data: bytes = image.read()
        if not data:
            raise ValidationFailed([FieldError("image", "The file is empty.", "empty")], status=422)
        reply = start_job_with_picture(
            actor=self.user,
            project=project,
            batch_id=batch_id,
            file_name=image.name or "",
            data=data,
            # Decoded before the transaction: a large picture takes seconds.
            picture=checked_picture(data),
            pipeline=values["pipeline"],
            request=key,
            context=request_context(request),
        )
        return reply_response(reply)


class JobView(ApiView):
    """GET /jobs/{id}."""

    @extend_schema(operation_id="get_job", responses={200: shapes.JobShape})
    def get(self, request: Request, job_id: str) -> Response:
        """The job now, with what it asks."""
        job = visible_job(user=self.user, job_id=id_or_404(job_id))
        with one_moment():
            return Response(job_body(job.pk))


class InterventionsView(ApiView):
    """POST /jobs/{id}/interventions."""

    @extend_schema(operation_id="intervene", request=shapes.Intervene, responses={200: shapes.Intervened})
    def post(self, request: Request, job_id: str) -> HttpResponse:
        """Answer the job's pause with the complete list of boxes to keep; waits for no model."""
        values = parsed(shapes.Intervene, request)
        answer = Answer(**values)
        role, job = check_may_answer(actor=self.user, job_id=id_or_404(job_id), answer=answer)
        key = request_key(
            request,
            operation="intervene",
            role=role,
            key=answer.intervention_id,
            scope=f"job:{job.pk}",
        )
        reply = intervene(
            actor=self.user, job_id=job.pk, answer=answer, request=key, context=request_context(request)
        )
        return reply_response(reply)


class CancelView(ApiView):
    """POST /jobs/{id}/cancel."""

    @extend_schema(operation_id="cancel_job", request=shapes.CancelJob, responses={200: shapes.JobShape})
    def post(self, request: Request, job_id: str) -> HttpResponse:
        """Stop the job. Again: the same reply."""
        parsed(shapes.CancelJob, request)
        job = addressed_job(user=self.user, job_id=id_or_404(job_id))
        role = check_cancel(actor=self.user, job=job)
        reply = cancel_job(
            actor=self.user,
            job_id=job.pk,
            request=request_key(request, operation="cancel_job", role=role),
            context=request_context(request),
        )
        return reply_response(reply)


class ResultsView(ApiView):
    """GET /jobs/{id}/results."""

    @extend_schema(operation_id="get_results", responses={200: shapes.Results})
    def get(self, request: Request, job_id: str) -> Response:
        """What came out, box by box; empty until the job has ended."""
        return Response(job_results(visible_job(user=self.user, job_id=id_or_404(job_id))))


class PausesView(ApiView):
    """GET /jobs/{id}/pauses."""

    @extend_schema(operation_id="list_pauses", responses={200: shapes.PauseHistory})
    def get(self, request: Request, job_id: str) -> Response:
        """Every pause of the job, newest first."""
        job = visible_job(user=self.user, job_id=id_or_404(job_id))
        body: dict[str, Any] = page_of(past_pauses(job), request, order="-id", render=past_pause_body)
        return Response(body)
