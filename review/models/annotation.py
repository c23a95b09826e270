"""What people confirmed, what reviewers decided, and what they noted."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from tasks.models import Task


class Annotation(models.Model):
    """An immutable, numbered snapshot that a person confirmed (trigger refuses changes)."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="annotations")
    revision = models.PositiveIntegerField()
    question = models.TextField(blank=True, default="")
    selection_mode = models.CharField(max_length=20)
    targets = models.JSONField(default=list)
    config_version = models.PositiveIntegerField()
    draft_version = models.PositiveIntegerField()
    candidate_set_id = models.UUIDField(null=True)
    items = models.JSONField()
    confirmed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    confirmed_at = models.DateTimeField()

    class Meta:
        db_table = "annotations"
        constraints = [models.UniqueConstraint(fields=["task", "revision"], name="annotations_revision_once")]

    def __str__(self) -> str:
        return f"revision {self.revision} of {self.task}"


class Decision(models.Model):
    """A reviewer's approve or reject of one annotation revision; one per reviewer and revision."""

    class Verdict(models.TextChoices):
        """What was decided."""

        APPROVE = "approve"
        REJECT = "reject"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="decisions")
    #: None: a reject of a task that has no confirmed annotation.
    annotation = models.ForeignKey(Annotation, models.PROTECT, null=True, related_name="decisions")
    #: The task's version while it was in review: decisions of an earlier round do not count again.
    round_version = models.PositiveIntegerField()
    verdict = models.CharField(max_length=20, choices=Verdict)
    reason = models.TextField(blank=True, default="")
    override_reason = models.TextField(blank=True, default="")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        db_table = "decisions"
        constraints = [
            models.UniqueConstraint(
                fields=["task", "round_version", "annotation", "by"],
                condition=Q(annotation__isnull=False),
                name="decisions_once_per_reviewer",
            )
        ]

    def __str__(self) -> str:
        return f"{self.verdict} of {self.task}"


class Pin(models.Model):
    """A reviewer's remark at a point of the picture; answered before the task is submitted again."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    decision = models.ForeignKey(Decision, models.PROTECT, related_name="pins")
    task = models.ForeignKey(Task, models.PROTECT, related_name="pins")
    x = models.FloatField()
    y = models.FloatField()
    text = models.TextField()
    answer = models.TextField(blank=True, default="")
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "pins"

    def __str__(self) -> str:
        return f"pin at {self.x}, {self.y}"


class ReviewerAssignment(models.Model):
    """A reviewer's claim on a task that needs several approvals."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    task = models.ForeignKey(Task, models.CASCADE, related_name="reviewer_assignments")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    claimed_at = models.DateTimeField()

    class Meta:
        db_table = "reviewer_assignments"
        constraints = [models.UniqueConstraint(fields=["task", "reviewer"], name="reviewer_assignments_once")]

    def __str__(self) -> str:
        return f"{self.reviewer} reviews {self.task}"


class ReviewMarkChange(models.Model):
    """One change of a task's mark; its number is the mark's version."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    task = models.ForeignKey(Task, models.CASCADE, related_name="mark_changes")
    version = models.PositiveIntegerField()
    mark = models.CharField(max_length=20)
    reason = models.TextField(blank=True, default="")
    note = models.TextField(blank=True, default="")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        db_table = "review_mark_changes"
        constraints = [models.UniqueConstraint(fields=["task", "version"], name="review_mark_changes_once")]

    def __str__(self) -> str:
        return f"{self.mark} on {self.task}"
