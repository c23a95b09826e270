"""GET and PUT /tasks/{id}/editor."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from review.api.editor_shapes import EditorShape, SavedShape
from review.api.shapes import CandidatesField, ItemsField
from review.api.task_write import LockedWrite, TaskWriteView
from review.operations.save_editor import CandidatesPart, Changes, ConfigPart, DraftPart, save_editor
from review.queries.editor_body import editor_body
from tasks.api.base import StrictSerializer, id_or_404, reply_response, request_context
from tasks.api.documented import documented
from tasks.domain.matrix import Operation
from tasks.models import Task
from tasks.models.project import GEOMETRIES
from tasks.queries.access import visible_task
from tasks.queries.one_moment import one_moment


class ConfigBody(StrictSerializer):
    """What the task should ask. Labels may be sent back as they came; they belong to the project."""

    expected_version = serializers.IntegerField(min_value=0)
    question = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    selection_mode = serializers.ChoiceField(required=False, choices=Task.SelectionMode.values)
    targets = serializers.ListField(
        required=False, child=serializers.CharField(allow_blank=True, trim_whitespace=False)
    )
    geometries = serializers.ListField(required=False, child=serializers.ChoiceField(choices=GEOMETRIES))
    labels = serializers.ListField(required=False)


class CandidatesBody(StrictSerializer):
    """The complete set."""

    expected_set_id = serializers.UUIDField(allow_null=True)
    items = CandidatesField()


class DraftBody(StrictSerializer):
    """The complete draft."""

    expected_version = serializers.IntegerField(min_value=0)
    items = ItemsField()


class SaveBody(LockedWrite):
    """Any of the three parts."""

    config = ConfigBody(required=False)
    candidates = CandidatesBody(required=False)
    draft = DraftBody(required=False)


class EditorView(TaskWriteView):
    """The workbench's state of one task."""

    @documented("editor_read", EditorShape)
    def get(self, request: Request, task_id: str) -> Response:
        """The editor."""
        task = visible_task(user=self.user, task_id=id_or_404(task_id))
        with one_moment():
            return Response(editor_body(task.pk, viewer=self.user))

    @documented("editor_save", SavedShape, body=SaveBody)
    def put(self, request: Request, task_id: str) -> HttpResponse:
        """Save the parts that are sent, all of them or none."""
        pk, values, key = self.begin(request, task_id, body=SaveBody, does=Operation.EDIT, name="editor.save")
        reply = save_editor(
            actor=self.user,
            task_id=pk,
            changes=_changes(values),
            lock_token=values.get("lock_token"),
            request=key,
            context=request_context(request),
        )
        return reply_response(reply)


def _changes(values: dict[str, Any]) -> Changes:
    config, candidates, draft = (values.get(name) for name in ("config", "candidates", "draft"))
    return Changes(
        config=_config(config) if config else None,
        candidates=CandidatesPart(
            expected_set_id=_uuid(candidates["expected_set_id"]), items=candidates["items"]
        )
        if candidates
        else None,
        draft=DraftPart(expected_version=draft["expected_version"], items=draft["items"]) if draft else None,
    )


def _config(part: dict[str, Any]) -> ConfigPart:
    wanted = {name: value for name, value in part.items() if name != "expected_version"}
    if "labels" in wanted:
        wanted["labels"] = [
            label.get("name") if isinstance(label, dict) else label for label in wanted["labels"]
        ]
    return ConfigPart(expected_version=part["expected_version"], wanted=wanted)


def _uuid(value: Any) -> UUID | None:
    return value if isinstance(value, UUID) else None
