"""What the workflow's requests may carry."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tasks.api.base import StrictSerializer, text_fault
from tasks.domain.statuses import BatchStatus, Mark, Status
from tasks.models import Membership, Project, Task
from tasks.models.project import GEOMETRIES

_CLIENT_ID: dict[str, Any] = {
    "min_length": 1,
    "max_length": 100,
    # As it was sent: the release, in its query, and a beat over the WebSocket name the same one.
    "trim_whitespace": False,
    "help_text": "One page load, or one API client.",
}
_REQUEST_ID = "Makes a repeated request the same request."


class Act(StrictSerializer):
    """An action that needs nothing but the request."""

    request_id = serializers.UUIDField(required=False, allow_null=True, help_text=_REQUEST_ID)


class HeldAct(Act):
    """An action of who holds the lock; the fence is checked where it is sent."""

    client_id = serializers.CharField(required=False, allow_null=True, **_CLIENT_ID)
    lock_token = serializers.IntegerField(required=False, allow_null=True, min_value=0)


class ClientAct(Act):
    """An action that takes the task's lock for a client."""

    client_id = serializers.CharField(**_CLIENT_ID)


class ReasonedAct(Act):
    """An action that has to be explained."""

    reason = serializers.CharField(allow_blank=True, max_length=2000)


class OptionalReason(Act):
    """An action that may be explained."""

    reason = serializers.CharField(allow_blank=True, max_length=2000, default="")


class Client(StrictSerializer):
    """Who takes or renews a lock."""

    client_id = serializers.CharField(**_CLIENT_ID)


class LabelBody(StrictSerializer):
    """A label as an object; what its parts may hold is `tasks/domain/labels.py`'s."""

    id = serializers.CharField(required=False, allow_null=True, allow_blank=True)
    name = serializers.CharField(allow_blank=True)
    color = serializers.CharField(required=False, allow_null=True, allow_blank=True)
    key = serializers.CharField(required=False, allow_null=True, allow_blank=True)
    aliases = serializers.ListField(
        required=False, allow_null=True, child=serializers.CharField(allow_blank=True)
    )


class LabelField(serializers.JSONField):
    """A label: a name, or {id, name, color, key, aliases} of which only the name is required."""

    def to_internal_value(self, data: Any) -> Any:
        """As it is. Raises ValidationError naming the part that is missing, unknown or of a wrong type."""
        if isinstance(data, str):
            return data
        if not isinstance(data, Mapping):
            raise serializers.ValidationError("A label is a name, or an object with a name.", code="invalid")
        return dict(LabelBody().run_validation(data))


class ProjectChange(Act):
    """A project's settings; every one may be left out."""

    name = serializers.CharField(required=False, max_length=200, allow_blank=True)
    description = serializers.CharField(required=False, allow_blank=True, max_length=10_000)
    labels = serializers.ListField(required=False, child=LabelField())
    geometries = serializers.ListField(required=False, child=serializers.ChoiceField(choices=GEOMETRIES))
    task_lock_ttl_seconds = serializers.IntegerField(required=False, min_value=60, max_value=3600)
    sampling = serializers.ChoiceField(required=False, choices=Project.Sampling.choices)
    four_eyes = serializers.BooleanField(required=False)
    required_approvals = serializers.IntegerField(required=False, min_value=1, max_value=9)
    review_rule = serializers.ChoiceField(required=False, choices=Project.ReviewRule.choices)
    start_jobs = serializers.BooleanField(required=False)
    submit_on_confirm = serializers.BooleanField(required=False)


class NewProject(ProjectChange):
    """A new project; only its name is required."""

    name = serializers.CharField(max_length=200, allow_blank=True)


class NewMember(Act):
    """Somebody to add."""

    user = serializers.CharField(max_length=150, help_text="A username or an id.")
    role = serializers.ChoiceField(choices=Membership.ROLES)


class MemberChange(Act):
    """Another role for a member."""

    role = serializers.ChoiceField(choices=Membership.ROLES)


class BatchChange(Act):
    """What may be changed of a batch."""

    name = serializers.CharField(required=False, max_length=200, allow_blank=True)
    priority = serializers.IntegerField(required=False, min_value=-1_000_000, max_value=1_000_000)
    open = serializers.BooleanField(required=False)
    assignees = serializers.ListField(
        required=False, max_length=1000, child=serializers.CharField(max_length=150)
    )
    status = serializers.ChoiceField(required=False, choices=[(s.value, s.value) for s in BatchStatus])
    reason = serializers.CharField(required=False, allow_blank=True, max_length=2000)


class NewBatch(Act):
    """A new batch; it starts as a draft."""

    name = serializers.CharField(max_length=200, allow_blank=True)
    priority = serializers.IntegerField(required=False, min_value=-1_000_000, max_value=1_000_000)
    open = serializers.BooleanField(required=False)
    assignees = serializers.ListField(
        required=False, max_length=1000, child=serializers.CharField(max_length=150)
    )


class BatchHold(ReasonedAct):
    """Why a batch is put on hold, and whether work in it is interrupted."""

    release_locks = serializers.BooleanField(required=False, default=False)


@extend_schema_field(OpenApiTypes.STR)
class TargetsField(serializers.Field[Any, Any, Any, Any]):
    """A JSON list of texts, inside a form: `["left cup", "right cup"]`."""

    def to_internal_value(self, data: Any) -> list[str]:
        """The targets. Raises ValidationError."""
        try:
            decoded = serializers.JSONField(binary=True).to_internal_value(data)
        except RecursionError:
            decoded = None
        if not isinstance(decoded, list) or not all(isinstance(each, str) for each in decoded):
            raise serializers.ValidationError("Send the targets as a JSON list of texts.", code="invalid")
        # Once more after decoding: JSON writes a NUL and half a surrogate pair in plain letters.
        if (fault := text_fault(decoded)) is not None:
            raise serializers.ValidationError(*fault)
        return [str(each) for each in decoded]

    def to_representation(self, value: Any) -> Any:
        """As it is."""
        return value


class NewTask(Act):
    """A picture with its question, as a form."""

    image = serializers.FileField(allow_empty_file=True, max_length=500)
    name = serializers.CharField(required=False, allow_blank=True, max_length=300)
    question = serializers.CharField(required=False, allow_blank=True)
    selection_mode = serializers.ChoiceField(required=False, choices=Task.SelectionMode.values)
    targets = TargetsField(required=False)
    batch = serializers.UUIDField(required=False)


class TaskFilter(StrictSerializer):
    """Which tasks a list shows."""

    project = serializers.UUIDField(required=False)
    status = serializers.ChoiceField(required=False, choices=[(s.value, s.value) for s in Status])
    batch = serializers.UUIDField(required=False)
    mark = serializers.ChoiceField(required=False, choices=[(m.value, m.value) for m in Mark])
    mine = serializers.BooleanField(required=False)
    q = serializers.CharField(required=False, allow_blank=True, max_length=200)


class AuditFilter(StrictSerializer):
    """Which audit rows a list shows."""

    actor = serializers.CharField(required=False, max_length=150, help_text="A username or an id.")
    action = serializers.CharField(required=False, max_length=60, help_text="One, or a beginning: `lock.`")
    task = serializers.UUIDField(required=False)
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)


class BatchFilter(StrictSerializer):
    """Which batches a list shows; archived ones only where asked for."""

    status = serializers.ChoiceField(required=False, choices=[(s.value, s.value) for s in BatchStatus])


class NewToken(StrictSerializer):
    """What a token is for."""

    name = serializers.CharField(max_length=100, allow_blank=True)
