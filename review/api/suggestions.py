"""POST /predictions/{id}/apply, GET /regions/{id} and POST /regions/{id}/apply."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from review.api.editor_shapes import EditorShape, RegionShape
from review.api.shapes import LONGEST_ID
from review.api.task_write import LockedWrite, TaskWriteView
from review.models import Prediction, RegionResult
from review.operations.apply_prediction import apply_prediction
from review.operations.apply_region import apply_region
from review.queries.region_body import visible_region_body
from tasks.api.base import StrictSerializer, id_or_404, reply_response, request_context
from tasks.api.documented import documented
from tasks.domain.errors import NotFound
from tasks.domain.matrix import Operation


class ApplyPredictionBody(LockedWrite):
    """The draft that it is to replace."""

    expected_draft_version = serializers.IntegerField(min_value=0)


class MoveItemBody(StrictSerializer):
    """One point of the draft and where it goes."""

    item_id = serializers.CharField(max_length=LONGEST_ID)
    candidate_id = serializers.CharField(max_length=LONGEST_ID)


class ApplyRegionBody(LockedWrite):
    """What of the preview is wanted."""

    add = serializers.ListField(required=False, child=serializers.CharField(max_length=LONGEST_ID))
    replace = serializers.DictField(required=False, child=serializers.CharField(max_length=LONGEST_ID))
    move_item = MoveItemBody(required=False, allow_null=True)
    expected_draft_version = serializers.IntegerField(required=False, allow_null=True, min_value=0)


class ApplyPredictionView(TaskWriteView):
    """The judge's choice, taken over by a person."""

    @documented("predictions_apply", EditorShape, body=ApplyPredictionBody)
    def post(self, request: Request, prediction_id: str) -> HttpResponse:
        """The editor after it."""
        pk = id_or_404(prediction_id)
        task_id = _task_of(Prediction.objects.filter(pk=pk).values_list("task_id", flat=True).first())
        _, values, key = self.begin(
            request, task_id, body=ApplyPredictionBody, does=Operation.EDIT, name="prediction.apply"
        )
        reply = apply_prediction(
            actor=self.user,
            prediction_id=pk,
            expected_draft_version=values["expected_draft_version"],
            lock_token=values.get("lock_token"),
            request=key,
            context=request_context(request),
        )
        return reply_response(reply)


class RegionView(TaskWriteView):
    """A preview of what is in a region."""

    @documented("regions_read", RegionShape)
    def get(self, request: Request, region_id: str) -> Response:
        """The preview, and what has made it stale."""
        return Response(visible_region_body(user=self.user, region_id=id_or_404(region_id)))


class ApplyRegionView(TaskWriteView):
    """A preview, taken over by a person in whole or in part."""

    @documented("regions_apply", EditorShape, body=ApplyRegionBody)
    def post(self, request: Request, region_id: str) -> HttpResponse:
        """The editor after it."""
        pk = id_or_404(region_id)
        task_id = _task_of(RegionResult.objects.filter(pk=pk).values_list("task_id", flat=True).first())
        _, values, key = self.begin(
            request, task_id, body=ApplyRegionBody, does=Operation.EDIT, name="region.apply"
        )
        reply = apply_region(
            actor=self.user,
            region_id=pk,
            add=values.get("add", []),
            replace=values.get("replace", {}),
            move_item=values.get("move_item"),
            expected_draft_version=values.get("expected_draft_version"),
            lock_token=values.get("lock_token"),
            request=key,
            context=request_context(request),
        )
        return reply_response(reply)


def _task_of(task_id: UUID | None) -> UUID:
    if task_id is None:
        raise NotFound
    return task_id
