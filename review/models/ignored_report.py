"""Reports that came too late to count."""

from django.db import models
from uuid_utils.compat import uuid7

from review.models.node_run import NodeRun


class IgnoredReport(models.Model):
    """An older attempt's report, or one for a job that had ended (I6): kept with why, once an attempt."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    run = models.ForeignKey(NodeRun, models.PROTECT, related_name="ignored_reports")
    attempt = models.PositiveIntegerField()
    why = models.CharField(max_length=60)
    report = models.JSONField(null=True)
    error = models.JSONField(null=True)
    worker = models.CharField(max_length=120, blank=True, default="")
    received_at = models.DateTimeField()

    class Meta:
        db_table = "ignored_reports"
        constraints = [models.UniqueConstraint(fields=["run", "attempt"], name="ignored_reports_once")]

    def __str__(self) -> str:
        return f"attempt {self.attempt} of {self.run}: {self.why}"
