"""The lease on a task. It knows a task as an id and nothing of roles, audit or events."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from uuid_utils.compat import uuid7


class TaskLock(models.Model):
    """Who may write to a task now. One row per task at most, so one writer at most (I1).

    Heartbeats must stay HOT updates: no index on the time columns, fillfactor 50 (migration 0001).
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    task = models.OneToOneField("tasks.Task", models.CASCADE, related_name="lock")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    #: One page load, or one API client.
    client_id = models.CharField(max_length=100)
    #: The fence: rises with every new holder, from the sequence `task_locks_token`.
    token = models.BigIntegerField()
    ttl_seconds = models.PositiveIntegerField()
    acquired_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField()
    expire_at = models.DateTimeField()
    previous_user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    #: Short, from the user agent.
    device = models.CharField(max_length=60, default="", blank=True)

    class Meta:
        db_table = "task_locks"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ttl_seconds__gte=1, ttl_seconds__lte=3600), name="task_locks_ttl_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} by {self.user}"

    @property
    def stale_at(self) -> datetime:
        """From then on others may take it over, unless another heartbeat comes."""
        return self.heartbeat_at + timedelta(seconds=self.ttl_seconds / 2)

    @property
    def heartbeat_seconds(self) -> int:
        """How often its holder beats: once a minute, or five times per TTL where that is shorter."""
        return max(1, min(60, self.ttl_seconds // 5))
