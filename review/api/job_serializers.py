"""What the job endpoints take and give (page 06)."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from review.domain.job_states import JobStatus, PauseStatus
from review.operations.create_job import DEFAULT_PIPELINE
from tasks.api.base import StrictSerializer

JOB_STATUSES = [(status.value, status.value) for status in JobStatus]
PAUSE_STATUSES = [(status.value, status.value) for status in PauseStatus]


class StartJob(StrictSerializer):
    """JSON: a job on a task."""

    task = serializers.UUIDField()
    pipeline = serializers.CharField(max_length=60, default=DEFAULT_PIPELINE)
    request_id = serializers.UUIDField(required=False, allow_null=True)


class StartJobWithPicture(StrictSerializer):
    """Multipart: a job on a new picture."""

    image = serializers.FileField(allow_empty_file=True)
    project = serializers.UUIDField()
    batch = serializers.UUIDField(required=False)
    pipeline = serializers.CharField(max_length=60, default=DEFAULT_PIPELINE)
    request_id = serializers.UUIDField(required=False, allow_null=True)


class Accepted(serializers.Serializer[object]):
    """The order was taken."""

    accepted = serializers.BooleanField()
    job_id = serializers.UUIDField()
    task_id = serializers.UUIDField()
    status = serializers.ChoiceField(choices=JOB_STATUSES)


class CompensateJob(StrictSerializer):
    """Nothing but the request's id."""

    request_id = serializers.UUIDField(required=False, allow_null=True)


class Compensated(Accepted):
    """The order was taken; the job that it compensates is left as it is."""

    compensates = serializers.UUIDField()


class SentBox(serializers.Serializer[object]):
    """A box as a client may send it; what only we write (score, source, edited) is accepted and ignored."""

    box_id = serializers.CharField(max_length=80, required=False, allow_null=True)
    candidate_id = serializers.CharField(max_length=80, required=False, allow_null=True)
    label = serializers.CharField(max_length=100, required=False, allow_null=True)  # type: ignore[assignment]
    bbox = serializers.ListField(child=serializers.FloatField(), required=False)
    target_policy = serializers.ChoiceField(choices=["segment", "skip", "validate"], required=False)


@extend_schema_field(SentBox)
class AnyBox(serializers.Field[Any, Any, Any, Any]):
    """Whatever JSON holds: `review.domain.boxes.check_shape` names what is wrong with it, box by box."""

    def to_internal_value(self, data: Any) -> Any:
        """As it is."""
        return data

    def to_representation(self, value: Any) -> Any:
        """As it is."""
        return value


class Intervene(StrictSerializer):
    """A person's answer to a pause; the boxes' own shape is checked by `review.domain.boxes`.

    Ids and tokens are taken as they are sent: one with a space more is another one.
    """

    intervention_id = serializers.CharField(max_length=100, trim_whitespace=False)
    pause_token = serializers.CharField(max_length=200, trim_whitespace=False)
    base_version = serializers.IntegerField(min_value=0)
    subjects = serializers.ListField(child=AnyBox(), allow_empty=True)
    deleted_box_ids = serializers.ListField(
        child=serializers.CharField(max_length=80, trim_whitespace=False), required=False, allow_empty=True
    )
    client_id = serializers.CharField(max_length=100, required=False, allow_null=True, trim_whitespace=False)
    lock_token = serializers.IntegerField(required=False, allow_null=True, min_value=0)


class Intervened(serializers.Serializer[object]):
    """What the answer led to."""

    intervention_id = serializers.CharField()
    job_id = serializers.UUIDField()
    status = serializers.ChoiceField(choices=JOB_STATUSES)
    version = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=["EMPTY_SELECTION", "VALIDATING", "FINALIZING", "PROCESSING"])
    next_node_instance_id = serializers.UUIDField(allow_null=True)


class CancelJob(StrictSerializer):
    """Nothing but the request's id."""

    request_id = serializers.UUIDField(required=False, allow_null=True)


class BoxShape(serializers.Serializer[object]):
    """A box of page 04."""

    box_id = serializers.CharField()
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    bbox = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    center = serializers.ListField(child=serializers.FloatField())
    score = serializers.FloatField(allow_null=True)
    source = serializers.ChoiceField(choices=["model", "manual"])  # type: ignore[assignment]
    edited = serializers.BooleanField()
    target_policy = serializers.ChoiceField(choices=["segment", "skip", "validate"])


class BoxList(serializers.Serializer[object]):
    """A candidate set."""

    candidate_set_id = serializers.UUIDField(allow_null=True)
    revision = serializers.IntegerField()
    boxes = BoxShape(many=True)


class ProblemBox(serializers.Serializer[object]):
    """Why a box was not recognised."""

    box_id = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()


class PauseShape(serializers.Serializer[object]):
    """A pause."""

    pause_token = serializers.CharField()
    status = serializers.ChoiceField(choices=PAUSE_STATUSES)
    stage = serializers.ChoiceField(choices=["WAITING_USER_SELECTION", "WAITING_BOX_BATCH_REVISION"])
    round = serializers.IntegerField()
    base_version = serializers.IntegerField()
    snapshot_id = serializers.UUIDField()
    group = serializers.CharField()
    created_at = serializers.DateTimeField()
    problems = ProblemBox(many=True)


class JobPicture(serializers.Serializer[object]):
    """The picture that the boxes lie in, in pixels."""

    width = serializers.IntegerField()
    height = serializers.IntegerField()
    url = serializers.CharField()


class JobProgress(serializers.Serializer[object]):
    """How far the current node is."""

    done = serializers.IntegerField()
    total = serializers.IntegerField()
    phase = serializers.CharField()


class Failure(serializers.Serializer[object]):
    """Why a job failed."""

    code = serializers.CharField()
    message = serializers.CharField()
    retryable = serializers.BooleanField()


class Warned(serializers.Serializer[object]):
    """Something to know about a result."""

    code = serializers.CharField()
    message = serializers.CharField()


class UnansweredShape(serializers.Serializer[object]):
    """What the project declared for a pause that nobody answers."""

    policy_version = serializers.CharField()
    answer = serializers.ChoiceField(choices=["keep_shown", "keep_none"])
    after_seconds = serializers.IntegerField()


class JobShape(serializers.Serializer[object]):
    """Page 06's job."""

    job_id = serializers.UUIDField()
    task_id = serializers.UUIDField()
    pipeline = serializers.CharField()
    status = serializers.ChoiceField(choices=JOB_STATUSES)
    version = serializers.IntegerField()
    cancel_requested = serializers.BooleanField()
    current_node_instance_id = serializers.UUIDField(allow_null=True)
    image = JobPicture(allow_null=True)
    box_list = BoxList()
    approved_box_list = BoxList(allow_null=True)
    active_pause = PauseShape(allow_null=True)
    pending_actions = serializers.ListField(
        child=serializers.ChoiceField(choices=["SUBMIT_BOX_LIST", "DRAW_MANUAL_BOX"])
    )
    progress = JobProgress(allow_null=True)
    failure = Failure(allow_null=True)
    warnings = Warned(many=True)
    last_event_id = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    # Only where a declared policy has something to do with the job.
    policy_version = serializers.CharField(required=False)
    compensates = serializers.UUIDField(required=False)
    if_unanswered = UnansweredShape(required=False)


class ResultReason(serializers.Serializer[object]):
    """Why a box has no cut-out."""

    code = serializers.CharField()
    message = serializers.CharField()


class ResultShape(serializers.Serializer[object]):
    """One box's result."""

    box_id = serializers.CharField()
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    bbox = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    outcome = serializers.ChoiceField(choices=["succeeded", "failed", "rejected", "skipped"])
    reason = ResultReason(allow_null=True)
    cutout_url = serializers.CharField(allow_null=True)
    mask_url = serializers.CharField(allow_null=True)
    gate = serializers.DictField()


class Results(serializers.Serializer[object]):
    """A job's results."""

    job_id = serializers.UUIDField()
    status = serializers.ChoiceField(choices=JOB_STATUSES)
    items = ResultShape(many=True)


class ChangedBox(serializers.Serializer[object]):
    """A box in an answer; `before` is a renamed one's label until then, `why` says who removed it."""

    box_id = serializers.CharField()
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    before = serializers.CharField(allow_null=True, required=False)
    why = serializers.CharField(allow_null=True, required=False)


class BoxChanges(serializers.Serializer[object]):
    """What an answer did to the boxes; one that was moved and renamed is in both lists."""

    kept = ChangedBox(many=True)
    moved = ChangedBox(many=True)
    renamed = ChangedBox(many=True)
    added = ChangedBox(many=True)
    removed = ChangedBox(many=True)


class PastPause(PauseShape):
    """A pause of the history; `outcome` and `changes` are null where nothing has answered."""

    policy_version = serializers.CharField(allow_null=True)
    consumed_by = serializers.DictField(allow_null=True)
    consumed_at = serializers.DateTimeField(allow_null=True)
    intervention_id = serializers.CharField(allow_null=True)
    outcome = serializers.CharField(allow_null=True)
    changes = BoxChanges(allow_null=True)


class PauseHistory(serializers.Serializer[object]):
    """A page of it, newest first."""

    items = PastPause(many=True)
    next_cursor = serializers.CharField(allow_null=True)
