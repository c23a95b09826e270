"""The one mutable working copy of a task's annotation."""

from django.conf import settings
from django.db import models

from tasks.models import Task


class Draft(models.Model):
    """A new task's draft is version 0 and has no row yet. Written only under the task's lock (I2)."""

    task = models.OneToOneField(Task, models.PROTECT, primary_key=True, related_name="draft")
    version = models.PositiveIntegerField(default=0)
    #: Ordered; page 06's item.
    items = models.JSONField(default=list)
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    updated_at = models.DateTimeField()

    class Meta:
        db_table = "drafts"

    def __str__(self) -> str:
        return f"draft {self.version} of {self.task}"
