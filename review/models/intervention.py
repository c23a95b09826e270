"""A person's answer to a pause."""

from django.conf import settings
from django.db import models
from uuid_utils.compat import uuid7

from review.models.candidate_set import CandidateSet
from review.models.job import Job
from review.models.pause import Pause


class Intervention(models.Model):
    """What was sent and what it led to; its reply lives in the one idempotency table."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    job = models.ForeignKey(Job, models.PROTECT, related_name="interventions")
    intervention_id = models.CharField(max_length=100)
    #: A pause is consumed by one intervention: the database says so too (I3).
    pause = models.OneToOneField(Pause, models.PROTECT, related_name="intervention")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    role = models.CharField(max_length=20)
    content = models.JSONField()
    #: {kept: [ids], edited: [ids], new: [ids], dropped: [{box_id, why}]}
    diff = models.JSONField(default=dict)
    candidate_set = models.ForeignKey(CandidateSet, models.PROTECT, null=True, related_name="+")
    outcome = models.CharField(max_length=40)
    created_at = models.DateTimeField()

    class Meta:
        db_table = "interventions"
        constraints = [
            models.UniqueConstraint(fields=["job", "intervention_id"], name="interventions_id_once")
        ]

    def __str__(self) -> str:
        return f"{self.intervention_id} {self.outcome}"
