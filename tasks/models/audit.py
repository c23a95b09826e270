"""The audit chain: who did what, when, why, before and after. Triggers refuse any change (I10)."""

from django.db import models


class AuditEntry(models.Model):
    """One row of a task's chain, or of its project's where `task_id` is None.

    Ids instead of foreign keys: rows outlive what they speak of, and nothing cascades into them.
    `hash` is SHA-256 over the canonical JSON of the row's content and `prev_hash`.
    """

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField()
    project_id = models.UUIDField()
    task_id = models.UUIDField(null=True)
    #: Place in the chain, from 1.
    number = models.BigIntegerField()
    #: None: the system.
    actor_id = models.UUIDField(null=True)
    actor_name = models.CharField(max_length=200, blank=True, default="")
    role = models.CharField(max_length=20, blank=True, default="")
    action = models.CharField(max_length=60)
    reason = models.TextField(blank=True, default="")
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    request_id = models.CharField(max_length=64, blank=True, default="")
    address = models.CharField(max_length=64, blank=True, default="")
    prev_hash = models.CharField(max_length=64, blank=True, default="")
    hash = models.CharField(max_length=64)

    class Meta:
        db_table = "audit"
        verbose_name_plural = "audit entries"
        constraints = [
            models.UniqueConstraint(
                fields=["task_id", "number"],
                condition=models.Q(task_id__isnull=False),
                name="audit_task_number",
            ),
            models.UniqueConstraint(
                fields=["project_id", "number"],
                condition=models.Q(task_id__isnull=True),
                name="audit_project_number",
            ),
        ]
        indexes = [
            # A row gets its id when it is written, and its moment before: the lists go by the moment.
            models.Index(fields=["project_id", "-at", "-id"], name="audit_project_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.action}"
