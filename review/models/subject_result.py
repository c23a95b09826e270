"""What came out for one box of a job."""

from django.db import models
from uuid_utils.compat import uuid7

from review.models.job import Job


class SubjectResult(models.Model):
    """Per subject: outcome, cut-out, mask, the gate's figures. One row per job and box."""

    class Outcome(models.TextChoices):
        """How it ended."""

        SUCCEEDED = "succeeded"
        FAILED = "failed"
        #: Did not pass validation.
        REJECTED = "rejected"
        #: The person asked for no cut-out.
        SKIPPED = "skipped"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    job = models.ForeignKey(Job, models.PROTECT, related_name="results")
    box_id = models.CharField(max_length=80)
    label = models.CharField(max_length=100, null=True)  # noqa: DJ001 - null is "no label", "" is refused
    bbox = models.JSONField(null=True)
    outcome = models.CharField(max_length=20, choices=Outcome)
    #: {code, message}
    reason = models.JSONField(null=True)
    #: Storage keys.
    cutout = models.CharField(max_length=300, blank=True, default="")
    mask = models.CharField(max_length=300, blank=True, default="")
    gate = models.JSONField(default=dict)
    place = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()

    class Meta:
        db_table = "subject_results"
        constraints = [models.UniqueConstraint(fields=["job", "box_id"], name="subject_results_once")]

    def __str__(self) -> str:
        return f"{self.box_id} {self.outcome}"
