"""Projects and who is in them."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Now
from uuid_utils.compat import uuid7

from tasks.domain.matrix import Role
from tasks.models.user import User

GEOMETRIES = ("point", "bbox", "polygon")


class ProjectQuerySet(models.QuerySet["Project"]):
    """Reads of projects start from `visible_to`."""

    def visible_to(self, user: User) -> Self:
        """Projects that `user` is a member of; all for a super admin."""
        alive = self.filter(archived_at=None)
        if user.is_superuser:
            return alive
        return alive.filter(memberships__user=user)


class Project(models.Model):
    """A body of work with its labels, rules and people."""

    class Sampling(models.TextChoices):
        """In which order `next` hands out pending tasks."""

        #: By batch priority and place.
        SEQUENCE = "sequence"
        #: By a stored random key.
        RANDOM = "random"
        #: Lowest model confidence first.
        UNCERTAINTY = "uncertainty"

    class ReviewRule(models.TextChoices):
        """How several decisions make one."""

        ANY = "any"
        MAJORITY = "majority"
        ALL = "all"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="owned_projects")
    #: [{id, name, color, key, aliases: []}]
    labels = models.JSONField(default=list, blank=True)
    geometries = models.JSONField(db_default=Value(list(GEOMETRIES), models.JSONField()))
    task_lock_ttl_seconds = models.PositiveIntegerField(default=300)
    sampling = models.CharField(max_length=20, choices=Sampling, default=Sampling.SEQUENCE)
    four_eyes = models.BooleanField(default=True)
    required_approvals = models.PositiveSmallIntegerField(default=1)
    review_rule = models.CharField(max_length=20, choices=ReviewRule, default=ReviewRule.ANY)
    #: Start a job for each new task.
    start_jobs = models.BooleanField(default=False)
    #: "Confirm and next" also submits.
    submit_on_confirm = models.BooleanField(default=True)
    #: Count and head of the project-level audit chain, so that a cut-off tail shows.
    audit_count = models.BigIntegerField(default=0)
    audit_head = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = ProjectQuerySet.as_manager()

    class Meta:
        db_table = "projects"
        constraints = [
            models.CheckConstraint(
                condition=Q(task_lock_ttl_seconds__gte=60, task_lock_ttl_seconds__lte=3600),
                name="projects_ttl_range",
            ),
            models.CheckConstraint(
                condition=Q(required_approvals__gte=1, required_approvals__lte=9),
                name="projects_approvals_range",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person's role in a project."""

    ROLES = [(role.value, role.value) for role in Role if role != Role.SUPER_ADMIN]

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    project = models.ForeignKey(Project, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=ROLES)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "memberships"
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="memberships_one_per_person"),
            models.CheckConstraint(
                condition=Q(role__in=[role.value for role in Role if role != Role.SUPER_ADMIN]),
                name="memberships_role_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} in {self.project}"
