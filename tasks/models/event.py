"""A task's events, numbered 1, 2, 3 … in commit order (I9)."""

from django.db import models

from tasks.models.task import Task


class Event(models.Model):
    """What happened, for streams. `seq` comes from the task's counter under its row lock."""

    id = models.BigAutoField(primary_key=True)
    task = models.ForeignKey(Task, models.CASCADE, related_name="events")
    job_id = models.UUIDField(null=True)
    seq = models.BigIntegerField()
    type = models.CharField(max_length=40)
    #: The event as it goes out, the common part included.
    payload = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        db_table = "events"
        constraints = [models.UniqueConstraint(fields=["task", "seq"], name="events_numbered_once")]

    def __str__(self) -> str:
        return f"{self.type}, event {self.seq} of {self.task}"
