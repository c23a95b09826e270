"""Policies: what a project declared to happen without a person, version by version."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from tasks.domain.policies import SHORTEST_WAIT_SECONDS, AskedGroup, Below, DefaultAnswer, PolicyKind
from tasks.models.project import Project


class ProjectPolicyQuerySet(models.QuerySet["ProjectPolicy"]):
    """The newest version of a kind is the one that counts; the others are history."""

    def newest(self) -> Self:
        """One row for each project and kind."""
        return self.order_by("project_id", "kind", "-version").distinct("project_id", "kind")


class ProjectPolicy(models.Model):
    """One version of one kind in one project. Never changed or deleted (trigger): a change is a new version.

    It acts only while it is the newest and on. Terms that the kind does not have are empty.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    project = models.ForeignKey(Project, models.PROTECT, related_name="policies")
    kind = models.CharField(max_length=20, choices=[(kind.value, kind.value) for kind in PolicyKind])
    #: 1, 2, 3 … of its kind in its project.
    version = models.PositiveIntegerField()
    is_on = models.BooleanField()
    #: Routing: the lowest score that goes on by itself.
    threshold = models.FloatField(null=True)
    #: Routing: what the threshold was measured on.
    calibration = models.TextField(blank=True, default="")
    below = models.CharField(
        max_length=20, blank=True, default="", choices=[(each.value, each.value) for each in Below]
    )
    #: The timeouts: counted from the pause's beginning, on the database's clock.
    after_seconds = models.PositiveIntegerField(null=True)
    answer = models.CharField(
        max_length=20, blank=True, default="", choices=[(each.value, each.value) for each in DefaultAnswer]
    )
    group = models.CharField(
        max_length=20, blank=True, default="", choices=[(each.value, each.value) for each in AskedGroup]
    )
    #: Who allows it and why, in writing.
    authorisation = models.TextField(blank=True, default="")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    objects = ProjectPolicyQuerySet.as_manager()

    class Meta:
        db_table = "project_policies"
        verbose_name_plural = "project policies"
        constraints = [
            models.UniqueConstraint(fields=["project", "kind", "version"], name="policies_version_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="policies_version_from_one"),
            models.CheckConstraint(
                condition=Q(kind__in=[kind.value for kind in PolicyKind]), name="policies_kind_known"
            ),
            models.CheckConstraint(
                condition=~Q(kind=PolicyKind.ROUTING.value, is_on=True)
                | Q(
                    # NULL would satisfy a comparison in a check.
                    threshold__isnull=False,
                    threshold__gt=0,
                    threshold__lte=1,
                    calibration__regex=r"\S",
                    below__in=[each.value for each in Below],
                ),
                name="policies_routing_terms",
            ),
            models.CheckConstraint(
                condition=~Q(kind=PolicyKind.TIMEOUT_DEFAULT.value, is_on=True)
                | Q(
                    after_seconds__isnull=False,
                    after_seconds__gte=SHORTEST_WAIT_SECONDS,
                    answer__in=[each.value for each in DefaultAnswer],
                    authorisation__regex=r"\S",
                ),
                name="policies_default_terms",
            ),
            models.CheckConstraint(
                condition=~Q(kind=PolicyKind.TIMEOUT_TO_QUEUE.value, is_on=True)
                | Q(
                    after_seconds__isnull=False,
                    after_seconds__gte=SHORTEST_WAIT_SECONDS,
                    group__in=[each.value for each in AskedGroup],
                ),
                name="policies_queue_terms",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.version} {'on' if self.is_on else 'off'}"
