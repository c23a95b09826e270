"""The outbox: what must be told to the world once the transaction that wrote it has committed."""

from django.db import models
from django.db.models import Q


class OutboxMessage(models.Model):
    """One message to publish; holds ids only. The relay claims rows with SKIP LOCKED and marks them sent."""

    id = models.BigAutoField(primary_key=True)
    kind = models.CharField(max_length=40)
    payload = models.JSONField()
    available_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.TextField(blank=True, default="")
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    dead_at = models.DateTimeField(null=True, blank=True)
    dead_reason = models.TextField(blank=True, default="")

    class Meta:
        db_table = "outbox"
        indexes = [
            models.Index(
                fields=["available_at", "id"],
                condition=Q(sent_at=None, dead_at=None),
                name="outbox_unsent",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.payload}"
