"""What the workflow's replies look like, for the OpenAPI document and the page's types."""

from typing import Any

from drf_spectacular.utils import inline_serializer
from rest_framework import serializers

from tasks.domain.matrix import Role
from tasks.domain.statuses import BatchStatus, Mark, Status
from tasks.models import Membership, Project, Task

Shape = serializers.Serializer[Any]

#: Named in settings (ENUM_NAME_OVERRIDES), so that the document calls them by these names.
TASK_STATUSES = [(status.value, status.value) for status in Status]
BATCH_STATUSES = [(status.value, status.value) for status in BatchStatus]
MARKS = [(mark.value, mark.value) for mark in Mark]
ROLES = [(role.value, role.value) for role in Role]
MEMBER_ROLES = list(Membership.ROLES)


class PersonShape(Shape):
    """A person."""

    id = serializers.UUIDField()
    username = serializers.CharField()
    name = serializers.CharField()


class NamedShape(Shape):
    """Something by its id and name."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class LabelShape(Shape):
    """A label of a project."""

    id = serializers.CharField()
    name = serializers.CharField()
    color = serializers.CharField()
    key = serializers.CharField(allow_blank=True)
    aliases = serializers.ListField(child=serializers.CharField())


class CountsShape(Shape):
    """Number of tasks in each status."""

    uploading = serializers.IntegerField()
    pending = serializers.IntegerField()
    in_progress = serializers.IntegerField()
    review = serializers.IntegerField()
    completed = serializers.IntegerField()


class ProjectShape(Shape):
    """A project."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    labels = LabelShape(many=True)
    geometries = serializers.ListField(child=serializers.ChoiceField(choices=["point", "bbox", "polygon"]))
    task_lock_ttl_seconds = serializers.IntegerField()
    sampling = serializers.ChoiceField(choices=Project.Sampling.choices)
    four_eyes = serializers.BooleanField()
    required_approvals = serializers.IntegerField()
    review_rule = serializers.ChoiceField(choices=Project.ReviewRule.choices)
    start_jobs = serializers.BooleanField()
    submit_on_confirm = serializers.BooleanField()
    my_role = serializers.ChoiceField(choices=ROLES)
    counts = CountsShape()


class MemberShape(Shape):
    """A member of a project."""

    user = PersonShape()
    role = serializers.ChoiceField(choices=ROLES)


class HoldShape(Shape):
    """Why and since when a batch is on hold."""

    by = PersonShape(allow_null=True)
    at = serializers.DateTimeField()
    reason = serializers.CharField()


class BatchShape(Shape):
    """A batch."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    project = serializers.UUIDField()
    status = serializers.ChoiceField(choices=BATCH_STATUSES)
    priority = serializers.IntegerField()
    open = serializers.BooleanField()
    is_default = serializers.BooleanField()
    assignees = PersonShape(many=True)
    hold = HoldShape(allow_null=True)
    counts = CountsShape()


class LockShape(Shape):
    """A task's lock."""

    task_id = serializers.UUIDField()
    user = PersonShape()
    client_id = serializers.CharField()
    token = serializers.IntegerField()
    acquired_at = serializers.DateTimeField()
    heartbeat_at = serializers.DateTimeField()
    stale_at = serializers.DateTimeField()
    expire_at = serializers.DateTimeField()
    ttl_seconds = serializers.IntegerField()
    heartbeat_seconds = serializers.IntegerField()
    taken_over_from = PersonShape(allow_null=True)


class SessionShape(LockShape):
    """A live lock in the list of sessions."""

    task = NamedShape()
    device = serializers.CharField(allow_blank=True)


class BeatShape(Shape):
    """How long the lock lives now."""

    expire_at = serializers.DateTimeField()


class PictureShape(Shape):
    """A stored picture; sizes in pixels of the normalised original."""

    id = serializers.UUIDField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    sha256 = serializers.CharField()
    image_url = serializers.CharField()


class ConfigShape(Shape):
    """What a task asks."""

    version = serializers.IntegerField()
    question = serializers.CharField(allow_blank=True)
    selection_mode = serializers.ChoiceField(choices=Task.SelectionMode.values)
    targets = serializers.ListField(child=serializers.CharField())
    labels = LabelShape(many=True)
    geometries = serializers.ListField(child=serializers.CharField())


class PinShape(Shape):
    """A reviewer's remark at a point of the picture."""

    id = serializers.UUIDField()
    x = serializers.FloatField()
    y = serializers.FloatField()
    text = serializers.CharField()
    answer = serializers.CharField(allow_null=True)


class LastDecisionShape(Shape):
    """The last decision of a reviewer."""

    decision = serializers.ChoiceField(choices=["approve", "reject"])
    reason = serializers.CharField(allow_blank=True)
    pins = PinShape(many=True)
    by = PersonShape()
    at = serializers.DateTimeField()


class TaskShape(Shape):
    """A task."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    project = NamedShape()
    batch = NamedShape()
    status = serializers.ChoiceField(choices=TASK_STATUSES)
    version = serializers.IntegerField()
    asset = PictureShape(allow_null=True)
    config = ConfigShape()
    assignee = PersonShape(allow_null=True)
    last_decision = LastDecisionShape(allow_null=True)
    lock = LockShape(allow_null=True)
    job = inline_serializer(
        "TaskJob", {"job_id": serializers.UUIDField(), "status": serializers.CharField()}, allow_null=True
    )
    mark = serializers.ChoiceField(choices=MARKS)
    annotation_revision = serializers.IntegerField(allow_null=True)
    updated_at = serializers.DateTimeField()


class TaskReply(Shape):
    """What an action made of the task."""

    task = TaskShape()


class TaskLockReply(Shape):
    """The task and the caller's lock."""

    task = TaskShape()
    lock = LockShape(allow_null=True)


class HeldShape(Shape):
    """Somebody else's live lock."""

    task_id = serializers.UUIDField()
    holder = PersonShape()
    stale_at = serializers.DateTimeField()


class NextReasonsShape(Shape):
    """Why there is nothing to give."""

    done = serializers.BooleanField()
    on_hold = serializers.IntegerField()
    not_assigned = serializers.IntegerField()
    reserved = serializers.IntegerField()
    held = HeldShape(many=True)


class NextReply(Shape):
    """The next task with its lock and why it is this one; or null with the reasons."""

    task = TaskShape(allow_null=True)
    lock = LockShape(required=False, allow_null=True)
    why = serializers.ChoiceField(
        required=False,
        choices=["resumed", "returned_to_you", "left_unfinished", "sequence", "random", "uncertainty"],
    )
    reasons = NextReasonsShape(required=False)


class AuditShape(Shape):
    """An audit row."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    task_id = serializers.UUIDField(allow_null=True)
    number = serializers.IntegerField()
    action = serializers.CharField()
    actor = PersonShape(allow_null=True)
    role = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    request_id = serializers.CharField(allow_blank=True)
    hash = serializers.CharField()


class HistoryItemShape(Shape):
    """One thing that was done to a task."""

    at = serializers.DateTimeField()
    kind = serializers.CharField()
    action = serializers.CharField()
    actor = PersonShape(allow_null=True)
    role = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    number = serializers.IntegerField()
    revision = serializers.IntegerField(required=False)


class HistoryShape(Shape):
    """Everything that was done to a task, oldest first."""

    items = HistoryItemShape(many=True)


class TokenShape(Shape):
    """An API token; its text only in the reply that made it."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True)


class NewTokenShape(TokenShape):
    """A new token with its text, shown this once."""

    token = serializers.CharField()


class FieldErrorShape(Shape):
    """One field that is not acceptable."""

    field = serializers.CharField()
    message = serializers.CharField()
    code = serializers.CharField()


class ProblemShape(Shape):
    """An error, as application/problem+json."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    errors = FieldErrorShape(many=True, required=False)  # type: ignore[assignment]
    snapshot = serializers.JSONField(required=False)


def page_shape(item: type[Shape]) -> Any:
    """One page of a list."""
    name = item.__name__.removesuffix("Shape")
    return inline_serializer(
        f"{name}Page",
        {"items": item(many=True), "next_cursor": serializers.CharField(allow_null=True)},
    )
