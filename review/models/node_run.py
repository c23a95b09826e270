"""One execution of a model node by a worker."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from review.domain.job_states import ACTIVE_RUNS, RunStatus
from review.models.job import Job
from tasks.models import Task


class NodeRun(models.Model):
    """Its id is the `node_instance_id`. Taken by a conditional update that raises `attempt`; a report
    counts only for the attempt that is the row's (the fence)."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="runs")
    job = models.ForeignKey(Job, models.PROTECT, null=True, related_name="runs")
    parent = models.ForeignKey("self", models.PROTECT, null=True, related_name="children")
    #: The subject of a child run.
    box_id = models.CharField(max_length=80, blank=True, default="")
    node_type = models.CharField(max_length=40)
    #: Not one that holds the task's place (picture encoding runs beside the pause).
    is_background = models.BooleanField(default=False)
    attempt = models.PositiveIntegerField(default=0)
    #: Tells two gates of one subject apart: 0 before, 1 after refinement.
    step = models.PositiveSmallIntegerField(default=0)
    input = models.JSONField(default=dict)
    report = models.JSONField(null=True)
    status = models.CharField(
        max_length=20, default=RunStatus.QUEUED, choices=[(s.value, s.value) for s in RunStatus]
    )
    #: {code, message, retryable}
    error = models.JSONField(null=True)
    phase = models.CharField(max_length=60, blank=True, default="")
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    #: Nobody takes it before this.
    available_at = models.DateTimeField()
    lease_worker = models.CharField(max_length=120, blank=True, default="")
    lease_until = models.DateTimeField(null=True)
    #: When its message was last given to the broker; the second sweep looks at it.
    dispatched_at = models.DateTimeField(null=True)
    provider = models.CharField(max_length=60, blank=True, default="")
    model = models.CharField(max_length=120, blank=True, default="")
    adapter_version = models.CharField(max_length=40, blank=True, default="")
    prompt_version = models.CharField(max_length=40, blank=True, default="")
    code_version = models.CharField(max_length=40, blank=True, default="")
    usage = models.JSONField(default=dict, blank=True)
    cost = models.DecimalField(max_digits=12, decimal_places=6, null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "node_runs"
        constraints = [
            models.UniqueConstraint(
                fields=["task"],
                condition=Q(parent=None, is_background=False, status__in=sorted(ACTIVE_RUNS)),
                name="node_runs_one_active_top",
            ),
            models.UniqueConstraint(
                fields=["parent", "box_id", "node_type", "step"],
                condition=Q(parent__isnull=False),
                name="node_runs_child_once",
            ),
            models.CheckConstraint(
                condition=Q(status__in=[s.value for s in RunStatus]), name="node_runs_status_known"
            ),
        ]
        indexes = [
            models.Index(
                fields=["available_at"],
                condition=Q(status__in=sorted(ACTIVE_RUNS)),
                name="node_runs_active",
            ),
            models.Index(fields=["job", "node_type"], name="node_runs_job_type"),
        ]

    def __str__(self) -> str:
        return f"{self.node_type} {self.status}"
