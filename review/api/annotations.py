"""GET /tasks/{id}/annotations, /tasks/{id}/annotations/{revision} and /projects/{id}/annotations.jsonl."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from review.api.editor_shapes import AnnotationShape
from review.models import Annotation
from review.queries.annotation_body import annotation_body
from review.queries.annotation_rows import annotation_lines
from tasks.api.base import ApiView, StrictSerializer, id_or_404, page_of, parsed_query
from tasks.api.documented import documented
from tasks.api.shapes import page_shape
from tasks.domain.errors import NotFound
from tasks.queries.access import check_manage, visible_project, visible_task


class ScopeQuery(StrictSerializer):
    """What the rows come from."""

    scope = serializers.ChoiceField(choices=["confirmed", "approved"], default="confirmed")


class AnnotationsView(ApiView):
    """A task's revisions, newest first."""

    @documented("annotations_list", page_shape(AnnotationShape), is_page=True)
    def get(self, request: Request, task_id: str) -> Response:
        """One page of revisions."""
        task = visible_task(user=self.user, task_id=id_or_404(task_id))
        revisions = (
            Annotation.objects.filter(task_id=task.pk)
            .select_related("confirmed_by")
            .prefetch_related("decisions__by")
        )
        return Response(page_of(revisions, request, order="-revision", render=_body))


class AnnotationView(ApiView):
    """One revision."""

    @documented("annotations_read", AnnotationShape)
    def get(self, request: Request, task_id: str, revision: int) -> Response:
        """The revision with the decisions on it."""
        task = visible_task(user=self.user, task_id=id_or_404(task_id))
        if revision > 2**31 - 1:
            raise NotFound
        found = (
            Annotation.objects.filter(task_id=task.pk, revision=revision)
            .select_related("confirmed_by")
            .prefetch_related("decisions__by")
            .first()
        )
        if found is None:
            raise NotFound
        return Response(_body(found))


class AnnotationLinesView(ApiView):
    """A project's confirmed work."""

    @extend_schema(
        operation_id="annotations_jsonl",
        parameters=[ScopeQuery],
        responses={(200, "application/x-ndjson"): OpenApiTypes.STR},
    )
    def get(self, request: Request, project_id: str) -> StreamingHttpResponse:
        """One JSON object a line, streamed; for the project's admins."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        check_manage(user=self.user, project=project)
        scope = parsed_query(ScopeQuery, request)["scope"]
        lines = annotation_lines(project=project, is_approved_only=scope == "approved")
        response = StreamingHttpResponse(lines, content_type="application/x-ndjson")
        response["Content-Disposition"] = 'attachment; filename="annotations.jsonl"'
        return response


def _body(annotation: Annotation) -> dict[str, object]:
    return annotation_body(annotation, decisions=sorted(annotation.decisions.all(), key=lambda one: one.at))
