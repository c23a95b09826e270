"""The one idempotency table: interventions, saves and every action with a request id."""

from django.db import models


class IdempotentRequest(models.Model):
    """A request that was answered 2xx, with its reply as bytes (I4). Kept for good."""

    id = models.BigAutoField(primary_key=True)
    #: Where the key is unique: "request" for request ids, "job:<id>" for intervention ids.
    scope = models.CharField(max_length=60)
    key = models.CharField(max_length=100)
    actor_id = models.UUIDField()
    role = models.CharField(max_length=20)
    operation = models.CharField(max_length=60)
    #: SHA-256 over method, path and canonical body without `client_id` and `lock_token`.
    payload_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    reply = models.BinaryField()
    created_at = models.DateTimeField()

    class Meta:
        db_table = "idempotent_requests"
        constraints = [models.UniqueConstraint(fields=["scope", "key"], name="idempotent_requests_once")]

    def __str__(self) -> str:
        return f"{self.scope} {self.key}"
