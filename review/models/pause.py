"""One durable wait for a person inside a job."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from review.domain.job_states import WAITING, PauseStatus
from review.models.candidate_set import CandidateSet
from review.models.job import Job
from tasks.domain.policies import AskedGroup
from tasks.models import ProjectPolicy


class Pause(models.Model):
    """A question to a person. It has no timeout column, and a test keeps it that way (I5).

    Consumed at most once (I3): the row leaves WAITING by a compare-and-set inside the transaction of the
    intervention, or of a declared policy's act, and a trigger refuses to set it back.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    job = models.ForeignKey(Job, models.PROTECT, related_name="pauses")
    pause_token = models.CharField(max_length=80, unique=True)
    status = models.CharField(
        max_length=20, default=PauseStatus.WAITING, choices=[(s.value, s.value) for s in PauseStatus]
    )
    stage = models.CharField(max_length=40, choices=[(s.value, s.value) for s in sorted(WAITING)])
    round = models.PositiveSmallIntegerField(default=1)
    #: The job's version while this pause waits.
    base_version = models.PositiveIntegerField()
    snapshot = models.ForeignKey(CandidateSet, models.PROTECT, related_name="+")
    #: Who is asked.
    group = models.CharField(max_length=60, default=AskedGroup.ANNOTATORS.value)
    #: [{box_id, code, message}] in round 2.
    problems = models.JSONField(default=list, blank=True)
    #: The versions under which it was made: only these may ever act on it. A trigger keeps them.
    default_policy = models.ForeignKey(
        ProjectPolicy, models.PROTECT, null=True, blank=True, related_name="+", editable=False
    )
    queue_policy = models.ForeignKey(
        ProjectPolicy, models.PROTECT, null=True, blank=True, related_name="+", editable=False
    )
    #: The version that acted last, `timeout_to_queue@2`; empty where none did.
    policy_version = models.CharField(max_length=60, blank=True, default="")
    created_at = models.DateTimeField()
    consumed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    consumed_at = models.DateTimeField(null=True, blank=True)
    consumed_intervention = models.CharField(max_length=100, blank=True, default="")

    class Meta:
        db_table = "pauses"
        constraints = [
            models.UniqueConstraint(
                fields=["job"], condition=Q(status=PauseStatus.WAITING), name="pauses_one_waiting"
            ),
            models.UniqueConstraint(fields=["job", "round"], name="pauses_round_once"),
            models.CheckConstraint(
                condition=Q(status__in=[s.value for s in PauseStatus]), name="pauses_status_known"
            ),
            models.CheckConstraint(
                condition=~Q(status=PauseStatus.CONSUMED.value)
                | ~Q(consumed_intervention="")
                | (~Q(policy_version="") & Q(default_policy__isnull=False)),
                name="pauses_consumed_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} round {self.round} {self.status}"
