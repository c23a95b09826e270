"""What the editor's replies look like, for the OpenAPI document and the page's types."""

from rest_framework import serializers

from review.api.job_serializers import JobShape
from review.api.shapes import CandidatesField, ItemsField, ProposedField
from tasks.api.shapes import MARKS, ConfigShape, LockShape, PersonShape, Shape, TaskShape
from tasks.models import Project


class CandidatesShape(Shape):
    """The active set; `set_id` null and revision 0 where there is none.

    `proposed`: what a model found and no person has changed in the list, of the active set and of those that
    the draft's items name as their source.
    """

    set_id = serializers.UUIDField(allow_null=True)
    revision = serializers.IntegerField()
    items = CandidatesField()
    proposed = ProposedField()


class DraftShape(Shape):
    """The working copy; version 0 where nothing was saved yet."""

    version = serializers.IntegerField()
    items = ItemsField()
    updated_by = PersonShape(allow_null=True)
    updated_at = serializers.DateTimeField(allow_null=True)


class PredictionShape(Shape):
    """What a judge chose; `failed_conditions` names what keeps it from being applied now."""

    id = serializers.UUIDField()
    candidate_set_id = serializers.UUIDField()
    config_version = serializers.IntegerField()
    selected_ids = serializers.ListField(child=serializers.CharField())
    evidence = serializers.DictField()
    warnings = serializers.ListField()
    applicable = serializers.BooleanField()
    failed_conditions = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()


class DecisionShape(Shape):
    """One reviewer's decision on a revision."""

    id = serializers.UUIDField()
    decision = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    override_reason = serializers.CharField(allow_blank=True)
    by = PersonShape()
    at = serializers.DateTimeField()


class AnnotationShape(Shape):
    """A confirmed revision."""

    id = serializers.UUIDField()
    task_id = serializers.UUIDField()
    revision = serializers.IntegerField()
    question = serializers.CharField(allow_blank=True)
    selection_mode = serializers.CharField()
    targets = serializers.ListField(child=serializers.CharField())
    config_version = serializers.IntegerField()
    draft_version = serializers.IntegerField()
    candidate_set_id = serializers.UUIDField(allow_null=True)
    items = ItemsField()
    confirmed_by = PersonShape()
    confirmed_at = serializers.DateTimeField()
    decisions = DecisionShape(many=True)


class AnnotationReply(Shape):
    """The revision that confirming made or found."""

    annotation = AnnotationShape()


class MarkShape(Shape):
    """A mark with its own version."""

    mark = serializers.ChoiceField(choices=MARKS)
    reason = serializers.CharField(allow_blank=True)
    note = serializers.CharField(allow_blank=True)
    version = serializers.IntegerField()
    by = PersonShape(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)


class OpenReviewShape(Shape):
    """A review that is going on; `outcome` is open, or tie where the owner's word is missing."""

    required = serializers.IntegerField()  # type: ignore[assignment]
    rule = serializers.ChoiceField(choices=Project.ReviewRule.values)
    outcome = serializers.ChoiceField(choices=["open", "tie"])
    claimed = serializers.BooleanField()
    decisions = DecisionShape(many=True)


class ReopeningShape(Shape):
    """Who took a completed task up again, when, and why."""

    reason = serializers.CharField()
    by = PersonShape(allow_null=True)
    at = serializers.DateTimeField()


class EditorShape(Shape):
    """Everything that the workbench needs of a task."""

    task = TaskShape()
    config = ConfigShape()
    candidates = CandidatesShape()
    draft = DraftShape()
    prediction = PredictionShape(allow_null=True)
    annotation = AnnotationShape(allow_null=True)
    has_confirmed_snapshot = serializers.BooleanField()
    is_confirmed = serializers.BooleanField()
    lock = LockShape(allow_null=True)
    job = JobShape(allow_null=True)
    mark = MarkShape()
    #: Null out of review, and for who may not review.
    review = OpenReviewShape(allow_null=True)
    #: Until it is handed in again.
    reopened = ReopeningShape(allow_null=True)


class SavedShape(Shape):
    """The versions after a save."""

    config_version = serializers.IntegerField()
    candidate_set_id = serializers.UUIDField(allow_null=True)
    draft_version = serializers.IntegerField()
    saved_at = serializers.DateTimeField()


class RegionShape(Shape):
    """A region's preview."""

    id = serializers.UUIDField()
    task_id = serializers.UUIDField()
    run_id = serializers.UUIDField(allow_null=True)
    base_set_id = serializers.UUIDField(allow_null=True)
    config_version = serializers.IntegerField()
    region = serializers.ListField(child=serializers.FloatField())
    reference = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    items = CandidatesField()
    failed_conditions = serializers.ListField(child=serializers.CharField())
    applied_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class RunStarted(Shape):
    """The new run."""

    run_id = serializers.UUIDField()


class RunProgressShape(Shape):
    """How far it is."""

    phase = serializers.CharField(allow_blank=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class IgnoredReportShape(Shape):
    """A report that came too late to count."""

    attempt = serializers.IntegerField()
    why = serializers.CharField()
    received_at = serializers.DateTimeField()


class RunShape(Shape):
    """A model run."""

    run_id = serializers.UUIDField()
    task_id = serializers.UUIDField()
    job_id = serializers.UUIDField(allow_null=True)
    kind = serializers.CharField()
    status = serializers.CharField()
    attempt = serializers.IntegerField()
    progress = RunProgressShape()
    error = serializers.DictField(allow_null=True)
    warnings = serializers.ListField()
    #: {candidate_set_id}, {region_id} or {prediction_id}.
    result = serializers.DictField(child=serializers.UUIDField(), allow_null=True)
    ignored_reports = IgnoredReportShape(many=True)
    region = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    reference = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    provider = serializers.CharField(allow_blank=True)
    model = serializers.CharField(allow_blank=True)
    adapter_version = serializers.CharField(allow_blank=True)
    prompt_version = serializers.CharField(allow_blank=True)
    code_version = serializers.CharField(allow_blank=True)
    created_by = PersonShape(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
