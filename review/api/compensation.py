"""Asking a person after all, where a policy decided."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from review.api import job_serializers as shapes
from review.operations.compensate_job import compensate_job
from review.queries.visible_job import addressed_job
from tasks.api.base import ApiView, id_or_404, parsed, reply_response, request_context, request_key
from tasks.domain.matrix import Operation
from tasks.queries.access import check_operation


class CompensateView(ApiView):
    """POST /jobs/{id}/compensate."""

    @extend_schema(
        operation_id="compensate_job", request=shapes.CompensateJob, responses={202: shapes.Compensated}
    )
    def post(self, request: Request, job_id: str) -> HttpResponse:
        """Start a new job on the same picture that asks a person; the old job is not changed."""
        job = addressed_job(user=self.user, job_id=id_or_404(job_id))
        parsed(shapes.CompensateJob, request)
        role = check_operation(user=self.user, task=job.task, operation=Operation.RUN)
        reply = compensate_job(
            actor=self.user,
            job_id=job.pk,
            request=request_key(request, operation="compensate_job", role=role),
            context=request_context(request),
        )
        return reply_response(reply)
