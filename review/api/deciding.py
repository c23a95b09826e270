"""POST /tasks/{id}/approve and /reject."""

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from review.api.task_write import LockedWrite, TaskWriteView
from review.operations.approve import approve
from review.operations.decide import LONGEST_TEXT
from review.operations.reject import reject
from tasks.api.base import StrictSerializer, reply_response, request_context
from tasks.api.documented import documented
from tasks.api.shapes import TaskReply
from tasks.domain.matrix import Action


class ApproveBody(LockedWrite):
    """Which revision, and a word to it."""

    annotation_revision = serializers.IntegerField(min_value=1)
    comment = serializers.CharField(required=False, allow_blank=True, default="", max_length=LONGEST_TEXT)
    #: Why a super admin or the owner decides on what they confirmed themselves.
    override_reason = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=LONGEST_TEXT
    )


class PinBody(StrictSerializer):
    """A remark at a point, in pixels of the normalised picture."""

    x = serializers.FloatField()
    y = serializers.FloatField()
    text = serializers.CharField(allow_blank=True, max_length=LONGEST_TEXT)


class RejectBody(LockedWrite):
    """Why it goes back, and where."""

    annotation_revision = serializers.IntegerField(required=False, allow_null=True, min_value=1)
    reason = serializers.CharField(allow_blank=True, max_length=LONGEST_TEXT)
    pins = PinBody(many=True, required=False)
    override_reason = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=LONGEST_TEXT
    )


class ApproveView(TaskWriteView):
    """A reviewer's yes."""

    @documented("tasks_approve", TaskReply, body=ApproveBody)
    def post(self, request: Request, task_id: str) -> HttpResponse:
        """The task, completed once the project's rule has what it needs."""
        pk, values, key = self.begin(
            request, task_id, body=ApproveBody, does=Action.APPROVE, name="task.approve"
        )
        reply = approve(
            actor=self.user,
            task_id=pk,
            annotation_revision=values["annotation_revision"],
            comment=values["comment"],
            override_reason=values["override_reason"],
            lock_token=values.get("lock_token"),
            request=key,
            context=request_context(request),
        )
        return reply_response(reply)


class RejectView(TaskWriteView):
    """A reviewer's no, with why."""

    @documented("tasks_reject", TaskReply, body=RejectBody)
    def post(self, request: Request, task_id: str) -> HttpResponse:
        """The task, pending and reserved once the project's rule has what it needs."""
        pk, values, key = self.begin(
            request, task_id, body=RejectBody, does=Action.REJECT, name="task.reject"
        )
        reply = reject(
            actor=self.user,
            task_id=pk,
            annotation_revision=values.get("annotation_revision"),
            reason=values["reason"],
            pins=values.get("pins", []),
            override_reason=values["override_reason"],
            lock_token=values.get("lock_token"),
            request=key,
            context=request_context(request),
        )
        return reply_response(reply)
