"""POST /tasks/{id}/confirm and /submit, PUT /tasks/{id}/mark, POST /tasks/{id}/pins/{pin}/answer."""

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from review.api.editor_shapes import AnnotationReply, MarkShape
from review.api.task_write import LockedWrite, TaskWriteView
from review.operations.answer_pin import answer_pin
from review.operations.confirm import confirm
from review.operations.decide import LONGEST_TEXT
from review.operations.mark_task import mark_task
from review.operations.submit import submit
from tasks.api.base import id_or_404, reply_response, request_context
from tasks.api.documented import documented
from tasks.api.shapes import MARKS, TaskReply
from tasks.domain.matrix import Action, Operation
from tasks.domain.statuses import Mark


class ConfirmBody(LockedWrite):
    """The versions that the person looked at."""

    expected_draft_version = serializers.IntegerField(min_value=0)
    expected_config_version = serializers.IntegerField(min_value=0)


class SubmitBody(LockedWrite):
    """The draft's version, if the sender wants it checked."""

    expected_draft_version = serializers.IntegerField(required=False, allow_null=True, min_value=0)


class MarkBody(LockedWrite):
    """The mark, and the version of the one that it replaces."""

    mark = serializers.ChoiceField(choices=MARKS)
    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=LONGEST_TEXT)
    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=LONGEST_TEXT)
    expected_version = serializers.IntegerField(min_value=0)


class AnswerBody(LockedWrite):
    """What was done about the pin, in words or without."""

    text = serializers.CharField(required=False, allow_blank=True, default="", max_length=LONGEST_TEXT)


class ConfirmView(TaskWriteView):
    """Confirming makes an annotation."""

    @documented("tasks_confirm", AnnotationReply, body=ConfirmBody, status=201, also=(200,))
    def post(self, request: Request, task_id: str) -> HttpResponse:
        """201 with the new revision; 200 with the one that says the same already."""
        pk, values, key = self.begin(
            request, task_id, body=ConfirmBody, does=Operation.EDIT, name="annotation.confirm"
        )
        reply = confirm(
            actor=self.user,
            task_id=pk,
            expected_draft_version=values["expected_draft_version"],
            expected_config_version=values["expected_config_version"],
            lock_token=values.get("lock_token"),
            request=key,
            context=request_context(request),
        )
        return reply_response(reply)


class SubmitView(TaskWriteView):
    """Submitting sends the task to review."""

    @documented("tasks_submit", TaskReply, body=SubmitBody)
    def post(self, request: Request, task_id: str) -> HttpResponse:
        """The task, in review."""
        pk, values, key = self.begin(
            request, task_id, body=SubmitBody, does=Action.SUBMIT, name="task.submit"
        )
        reply = submit(
            actor=self.user,
            task_id=pk,
            expected_draft_version=values.get("expected_draft_version"),
            lock_token=values.get("lock_token"),
            request=key,
            context=request_context(request),
        )
        return reply_response(reply)


class MarkView(TaskWriteView):
    """A person's note about the sample."""

    @documented("tasks_mark", MarkShape, body=MarkBody)
    def put(self, request: Request, task_id: str) -> HttpResponse:
        """The mark with its new version."""
        pk, values, key = self.begin(request, task_id, body=MarkBody, does=Operation.EDIT, name="mark")
        reply = mark_task(
            actor=self.user,
            task_id=pk,
            mark=Mark(values["mark"]),
            reason=values["reason"],
            note=values["note"],
            expected_version=values["expected_version"],
            lock_token=values.get("lock_token"),
            request=key,
            context=request_context(request),
        )
        return reply_response(reply)


class AnswerPinView(TaskWriteView):
    """A reviewer's remark, answered."""

    @documented("pins_answer", TaskReply, body=AnswerBody)
    def post(self, request: Request, task_id: str, pin_id: str) -> HttpResponse:
        """The task, with the answer in its last decision."""
        pk, values, key = self.begin(
            request, task_id, body=AnswerBody, does=Operation.EDIT, name="pin.answer"
        )
        reply = answer_pin(
            actor=self.user,
            task_id=pk,
            pin_id=id_or_404(pin_id),
            text=values["text"],
            lock_token=values.get("lock_token"),
            request=key,
            context=request_context(request),
        )
        return reply_response(reply)
