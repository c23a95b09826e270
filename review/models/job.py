"""Jobs: one run of a pipeline on a task."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from review.domain.job_states import TERMINAL, JobStatus
from tasks.models import Task, User


class JobQuerySet(models.QuerySet["Job"]):
    """Reads of jobs start from `visible_to`."""

    def visible_to(self, user: User) -> Self:
        """Jobs of tasks that `user` sees."""
        return self.filter(task__in=Task.objects.visible_to(user))

    def live(self) -> Self:
        """Jobs that have not ended."""
        return self.exclude(status__in=TERMINAL)


class Job(models.Model):
    """Detection, pause, validation, processing, results. Its status moves only by the table of
    `review/domain/job_states.py`; a trigger refuses to leave a terminal one (I6)."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="jobs")
    pipeline = models.CharField(max_length=60, default="cut-out")
    pipeline_version = models.PositiveIntegerField(default=1)
    status = models.CharField(
        max_length=40, default=JobStatus.CREATED, choices=[(s.value, s.value) for s in JobStatus]
    )
    #: +1 in each transaction that changes the status.
    version = models.PositiveIntegerField(default=1)
    current_node_instance_id = models.UUIDField(null=True, blank=True)
    cancel_requested = models.BooleanField(default=False)
    #: The seq before the job's first event: its stream starts after it.
    first_event_seq = models.BigIntegerField(default=0)
    last_event_seq = models.BigIntegerField(null=True, blank=True)
    #: The set shown or last decided on.
    box_list = models.ForeignKey(
        "review.CandidateSet", models.PROTECT, null=True, blank=True, related_name="+"
    )
    approved_box_list = models.ForeignKey(
        "review.CandidateSet", models.PROTECT, null=True, blank=True, related_name="+"
    )
    #: The task's draft version when the job began: untouched drafts receive the approved boxes.
    draft_version_at_start = models.PositiveIntegerField(default=0)
    #: Storage key of the picture's encoding, computed while the person looks.
    encoding = models.CharField(max_length=300, blank=True, default="")
    #: The policy that decided in a person's place, `routing@3`; empty where a person did.
    policy_version = models.CharField(max_length=60, blank=True, default="")
    #: The job whose decision by a policy this one asks a person about. No policy acts on it.
    compensates = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="compensations"
    )
    #: [{code, message}]
    warnings = models.JSONField(default=list, blank=True)
    #: {code, message, retryable}
    failure = models.JSONField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        db_table = "jobs"
        constraints = [
            models.UniqueConstraint(
                fields=["task"],
                condition=~Q(status__in=sorted(TERMINAL)),
                name="jobs_one_live_per_task",
            ),
            models.CheckConstraint(
                condition=Q(status__in=[s.value for s in JobStatus]), name="jobs_status_known"
            ),
            models.CheckConstraint(
                condition=Q(compensates=None) | Q(policy_version=""), name="jobs_compensation_is_a_persons"
            ),
        ]
        indexes = [models.Index(fields=["task", "-id"], name="jobs_task_newest")]

    def __str__(self) -> str:
        return f"{self.pipeline} {self.status}"
