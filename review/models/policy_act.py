"""What a project's policy did where a person had not."""

from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from review.models.candidate_set import CandidateSet
from review.models.job import Job
from review.models.pause import Pause
from tasks.models import ProjectPolicy


class PolicyAct(models.Model):
    """One act of one version; never changed (trigger). Without a pause: routing, which asked nobody."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    policy = models.ForeignKey(ProjectPolicy, models.PROTECT, related_name="acts")
    job = models.ForeignKey(Job, models.PROTECT, related_name="policy_acts")
    pause = models.ForeignKey(Pause, models.PROTECT, null=True, related_name="policy_acts")
    #: An intervention's outcome, or ASKED_OTHERS.
    outcome = models.CharField(max_length=40)
    #: On what ground, in words.
    reason = models.TextField()
    #: {kept, edited, new, dropped: [{box_id, why}]}; {group: {before, after}} where only the group changed.
    effect = models.JSONField()
    candidate_set = models.ForeignKey(CandidateSet, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        db_table = "policy_acts"
        constraints = [
            models.UniqueConstraint(fields=["pause", "policy"], name="policy_acts_once"),
            models.UniqueConstraint(fields=["job"], condition=Q(pause=None), name="policy_acts_one_routing"),
        ]

    def __str__(self) -> str:
        return f"{self.policy}: {self.outcome}"
