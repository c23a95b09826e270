"""Batches: tasks that are opened, assigned, held and finished together."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from uuid_utils.compat import uuid7

from tasks.domain.statuses import BatchStatus, Status
from tasks.models.project import Project


class Batch(models.Model):
    """A set of tasks with assignees, a priority and a status of its own."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    project = models.ForeignKey(Project, models.CASCADE, related_name="batches")
    name = models.CharField(max_length=200)
    status = models.CharField(
        max_length=20, default=BatchStatus.DRAFT, choices=[(s.value, s.value) for s in BatchStatus]
    )
    #: Higher goes first.
    priority = models.IntegerField(default=0)
    #: Everyone in the project may work on it.
    open = models.BooleanField(default=False)
    #: The project's "Inbox".
    is_default = models.BooleanField(default=False)
    held_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    held_at = models.DateTimeField(null=True, blank=True)
    hold_reason = models.TextField(blank=True, default="")
    #: The hold ended the locks of running work, and nobody takes one while it lasts.
    hold_stops_work = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "batches"
        verbose_name_plural = "batches"
        constraints = [
            models.UniqueConstraint(
                fields=["project"], condition=Q(is_default=True), name="batches_one_default"
            ),
            models.CheckConstraint(
                condition=Q(status__in=[s.value for s in BatchStatus]), name="batches_status_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class BatchAssignee(models.Model):
    """An annotator whom a batch is given to."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    batch = models.ForeignKey(Batch, models.CASCADE, related_name="assignments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="assignments")

    class Meta:
        db_table = "batch_assignees"
        constraints = [models.UniqueConstraint(fields=["batch", "user"], name="batch_assignees_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.batch}"


class BatchCount(models.Model):
    """A change of a batch's number of tasks in a status. The sum of the rows is the count.

    Rows are added in the transaction that moves a task and folded later, so that claims do not queue
    behind one counter row.
    """

    id = models.BigAutoField(primary_key=True)
    batch = models.ForeignKey(Batch, models.CASCADE, related_name="count_deltas")
    status = models.CharField(max_length=20, choices=[(s.value, s.value) for s in Status])
    delta = models.BigIntegerField()

    class Meta:
        db_table = "batch_counts"
        indexes = [models.Index(fields=["batch", "status"], name="batch_counts_batch_status")]

    def __str__(self) -> str:
        return f"{self.batch}: {self.status} {self.delta:+d}"
