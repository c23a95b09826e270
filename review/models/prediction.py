"""What a judge chose among one set's candidates, and previews of local detections."""

from django.db import models
from uuid_utils.compat import uuid7

from review.models.candidate_set import CandidateSet
from review.models.node_run import NodeRun
from tasks.models import Task


class Prediction(models.Model):
    """Refers to one set and one config version; applies only while both are the task's (I8)."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="predictions")
    candidate_set = models.ForeignKey(CandidateSet, models.PROTECT, related_name="predictions")
    run = models.ForeignKey(NodeRun, models.PROTECT, null=True, related_name="+")
    config_version = models.PositiveIntegerField()
    selected_ids = models.JSONField(default=list)
    evidence = models.JSONField(default=dict)
    warnings = models.JSONField(default=list)
    applicable = models.BooleanField(default=True)
    raw = models.JSONField(null=True)
    usage = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        db_table = "predictions"

    def __str__(self) -> str:
        return f"prediction on {self.candidate_set}"


class RegionResult(models.Model):
    """A preview of a detection inside a region; applied at most once."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="region_results")
    base_set = models.ForeignKey(CandidateSet, models.PROTECT, null=True, related_name="+")
    run = models.ForeignKey(NodeRun, models.PROTECT, null=True, related_name="+")
    config_version = models.PositiveIntegerField()
    region = models.JSONField()
    reference = models.JSONField(null=True)
    items = models.JSONField(default=list)
    applied_by_request = models.CharField(max_length=64, blank=True, default="")
    applied_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        db_table = "region_results"

    def __str__(self) -> str:
        return f"local detection on {self.task}"
