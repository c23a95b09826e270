"""One immutable version of the boxes of a task (`box_list` in the job API)."""

from django.conf import settings
from django.db import models
from uuid_utils.compat import uuid7

from tasks.models import Task


class CandidateSet(models.Model):
    """At most 64 items; never changed (trigger). Ids of items mean something only together with this id.

    An item: {box_id, label, bbox, center, score, source, edited, target_policy, valid?, validation?,
    alternatives?, detector?} in pixels of the normalised picture.
    """

    class Source(models.TextChoices):
        """Where the set comes from."""

        MODEL = "model"
        MANUAL = "manual"
        VALIDATION = "validation"
        REGION = "region"
        IMPORT = "import"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="candidate_sets")
    job = models.ForeignKey("review.Job", models.PROTECT, null=True, related_name="candidate_sets")
    run = models.ForeignKey("review.NodeRun", models.PROTECT, null=True, related_name="+")
    revision = models.PositiveIntegerField()
    source = models.CharField(max_length=20, choices=Source)
    items = models.JSONField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        db_table = "candidate_sets"
        constraints = [
            models.UniqueConstraint(fields=["task", "revision"], name="candidate_sets_revision_once")
        ]

    def __str__(self) -> str:
        return f"set {self.revision} of {self.task}"
