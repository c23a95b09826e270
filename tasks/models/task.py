"""The task: one picture with a question."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from uuid_utils.compat import uuid7

from tasks.domain.matrix import Role
from tasks.domain.statuses import BatchStatus, Mark, Status
from tasks.models.asset import Asset
from tasks.models.batch import Batch, BatchAssignee
from tasks.models.project import Project
from tasks.models.user import User


class TaskQuerySet(models.QuerySet["Task"]):
    """Reads of tasks start from `visible_to`."""

    def visible_to(self, user: User) -> Self:
        """Tasks that page 03's "who sees what" shows to `user` (I12)."""
        alive = self.filter(archived_at=None, project__archived_at=None)
        if user.is_superuser:
            return alive
        assigned = BatchAssignee.objects.filter(batch=OuterRef("batch"), user=user)
        not_draft = ~Q(batch__status=BatchStatus.DRAFT)
        role = "project__memberships__role"
        # One membership a person and project, so the join doubles no task.
        return alive.filter(
            Q(**{role: Role.PROJECT_ADMIN})
            | (Q(**{f"{role}__in": [Role.REVIEWER, Role.VIEWER]}) & not_draft)
            | (
                Q(**{role: Role.ANNOTATOR})
                & (
                    (not_draft & (Q(batch__open=True) | Exists(assigned)))
                    | Q(assignee=user)
                    | Q(submitted_by=user)
                )
            ),
            project__memberships__user=user,
        )


class Task(models.Model):
    """One picture with a question, its place in the workflow, and small copies for lists."""

    class SelectionMode(models.TextChoices):
        """How many items answer the question."""

        #: Any number.
        FREE = "free"
        #: Exactly one.
        SINGLE = "single"
        #: Every match; at least one.
        ALL = "all"
        #: One per target, in order.
        ORDERED = "ordered"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    project = models.ForeignKey(Project, models.PROTECT, related_name="tasks")
    batch = models.ForeignKey(Batch, models.PROTECT, related_name="tasks")
    asset = models.ForeignKey(Asset, models.PROTECT, null=True, related_name="tasks")
    name = models.CharField(max_length=300)
    status = models.CharField(
        max_length=20, default=Status.UPLOADING, choices=[(s.value, s.value) for s in Status]
    )
    #: Rises by one with every change of status.
    version = models.PositiveIntegerField(default=1)

    # What the task asks; together the config.
    question = models.TextField(blank=True, default="")
    selection_mode = models.CharField(max_length=20, choices=SelectionMode, default=SelectionMode.FREE)
    targets = models.JSONField(default=list, blank=True)
    #: None: the project's.
    geometries = models.JSONField(null=True, blank=True)
    config_version = models.PositiveIntegerField(default=1)

    # The queue.
    order = models.BigIntegerField(default=0)
    random_key = models.FloatField(default=0.0)
    #: Lowest score among the model's boxes; None where no model ran.
    model_confidence = models.FloatField(null=True, blank=True)
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="assigned_tasks"
    )
    #: Sent back: only the assignee is offered it.
    is_reserved = models.BooleanField(default=False)
    #: Who handed it in last.
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    submitted_at = models.DateTimeField(null=True, blank=True)
    #: The reviewer who has claimed it (with one required approval).
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    last_worked_at = models.DateTimeField(null=True, blank=True)
    #: {decision, reason, pins: [{id, x, y, text, answer}], by: {…}, at}; written by the decision.
    last_decision = models.JSONField(null=True, blank=True)
    mark = models.CharField(max_length=20, default=Mark.NORMAL, choices=[(m.value, m.value) for m in Mark])

    # Copies of facts of the review app, written by the operation that changes them.
    job_id = models.UUIDField(null=True, blank=True)
    job_status = models.CharField(max_length=40, blank=True, default="")
    active_candidate_set_id = models.UUIDField(null=True, blank=True)
    annotation_revision = models.PositiveIntegerField(null=True, blank=True)

    # Numbering under the row's lock.
    event_seq = models.BigIntegerField(default=0)
    audit_count = models.BigIntegerField(default=0)
    audit_head = models.CharField(max_length=64, blank=True, default="")

    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = TaskQuerySet.as_manager()

    class Meta:
        db_table = "tasks"
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=[s.value for s in Status]), name="tasks_status_known"
            ),
            models.CheckConstraint(
                condition=Q(status=Status.UPLOADING) | Q(asset__isnull=False), name="tasks_asset_stored"
            ),
            models.CheckConstraint(condition=Q(mark__in=[m.value for m in Mark]), name="tasks_mark_known"),
        ]
        indexes = [
            # The queue's three orders: pending tasks only, so a million finished ones cost nothing.
            models.Index(
                fields=["batch", "order", "id"],
                condition=Q(status=Status.PENDING, archived_at=None),
                name="tasks_pending_order",
            ),
            models.Index(
                fields=["batch", "random_key", "id"],
                condition=Q(status=Status.PENDING, archived_at=None),
                name="tasks_pending_random",
            ),
            models.Index(
                fields=["batch", "model_confidence", "id"],
                condition=Q(status=Status.PENDING, archived_at=None),
                name="tasks_pending_confidence",
            ),
            models.Index(
                fields=["assignee", "status"],
                condition=Q(status__in=[Status.PENDING, Status.IN_PROGRESS]),
                name="tasks_open_by_assignee",
            ),
            models.Index(
                fields=["batch", "last_worked_at"],
                condition=Q(status=Status.IN_PROGRESS),
                name="tasks_in_progress",
            ),
            models.Index(
                fields=["project", "submitted_at"], condition=Q(status=Status.REVIEW), name="tasks_in_review"
            ),
            models.Index(fields=["project", "-id"], name="tasks_project_newest"),
        ]

    def __str__(self) -> str:
        return self.name
