"""What people and models made, for operators to look at; registered in admin.py."""

from typing import Any, ClassVar

from review.models import (
    Annotation,
    Artifact,
    CandidateSet,
    Decision,
    Draft,
    Pin,
    PolicyAct,
    Prediction,
    RegionResult,
    ReviewerAssignment,
    ReviewMarkChange,
    SubjectResult,
)
from tasks.admin_look_only import LookOnly, follow


class OfTask(LookOnly):
    """Rows of a task."""

    list_select_related: ClassVar[Any] = ("task",)
    search_fields = ("=task__id", "task__name")
    ordering = ("-pk",)


class CandidateSetAdmin(OfTask):
    """Versions of a task's boxes."""

    list_display = ("task", "revision", "source", "created_by", "created_at")
    list_select_related = ("task", "created_by")
    list_filter = ("source",)


class DraftAdmin(OfTask):
    """Working copies."""

    list_display = ("task", "version", "updated_by", "updated_at")
    list_select_related = ("task", "updated_by")


class AnnotationAdmin(OfTask):
    """Confirmed revisions."""

    list_display = ("task", "revision", "confirmed_by", "confirmed_at")
    list_select_related = ("task", "confirmed_by")


class DecisionAdmin(OfTask):
    """Decisions of reviewers."""

    list_display = ("task", "verdict", "by", "at", "reason")
    list_select_related = ("task", "by")
    list_filter = ("verdict",)


class PinAdmin(OfTask):
    """Remarks at places of a picture."""

    list_display = ("task", "text", "answer", "answered_at")


class ReviewerAssignmentAdmin(OfTask):
    """Claims on reviews that need several approvals."""

    list_display = ("task", "reviewer", "claimed_at")
    list_select_related = ("task", "reviewer")


class MarkChangeAdmin(OfTask):
    """Changes of marks."""

    list_display = ("task", "version", "mark", "by", "at")
    list_select_related = ("task", "by")


class PredictionAdmin(OfTask):
    """Suggestions of a judge."""

    list_display = ("task", "candidate_set", "config_version", "applicable", "created_at")
    list_select_related = ("task", "candidate_set")


class RegionResultAdmin(OfTask):
    """Previews of local detections."""

    list_display = ("task", "config_version", "applied_at", "created_at")


class ArtifactAdmin(OfTask):
    """Files that runs made."""

    list_display = ("key", "task", "size_bytes", "created_at")


class PolicyActAdmin(LookOnly):
    """What declared policies did without a person."""

    list_display = (
        "policy",
        "outcome",
        follow("policy__project"),
        follow("job__task"),
        "reason",
        "created_at",
    )
    list_select_related = ("policy__project", "job__task")
    list_filter = ("policy__kind", "outcome")
    search_fields = ("=job__id", "=policy__project__id")
    ordering = ("-pk",)


class SubjectResultAdmin(LookOnly):
    """What came out for each box of a job."""

    list_display = ("label", follow("job__task"), "outcome", "box_id", "created_at")
    list_display_links = ("label", "box_id")
    list_select_related = ("job__task",)
    list_filter = ("outcome",)
    search_fields = ("=job__id", "job__task__name")
    ordering = ("-pk",)


RECORDS: dict[Any, type[LookOnly]] = {
    Annotation: AnnotationAdmin,
    Artifact: ArtifactAdmin,
    CandidateSet: CandidateSetAdmin,
    Decision: DecisionAdmin,
    Draft: DraftAdmin,
    Pin: PinAdmin,
    PolicyAct: PolicyActAdmin,
    Prediction: PredictionAdmin,
    RegionResult: RegionResultAdmin,
    ReviewMarkChange: MarkChangeAdmin,
    ReviewerAssignment: ReviewerAssignmentAdmin,
    SubjectResult: SubjectResultAdmin,
}
