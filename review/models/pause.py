"""One durable wait for a person inside a job."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from review.domain.job_states import WAITING, PauseStatus
from review.models.candidate_set import CandidateSet
from review.models.job import Job


class Pause(models.Model):
    """A question to a person. It has no timeout column, and a test keeps it that way (I5).

    Consumed at most once (I3): the row leaves WAITING by a compare-and-set inside the intervention's
    transaction, and a trigger refuses to set it back.
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
    group = models.CharField(max_length=60, default="annotators")
    #: [{box_id, code, message}] in round 2.
    problems = models.JSONField(default=list, blank=True)
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
        ]

    def __str__(self) -> str:
        return f"{self.stage} round {self.round} {self.status}"
