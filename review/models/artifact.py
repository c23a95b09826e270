"""Files that runs made."""

from django.db import models
from uuid_utils.compat import uuid7

from review.models.node_run import NodeRun
from tasks.models import Task


class Artifact(models.Model):
    """A stored file of a run (mask, cut-out, encoding), authorised through its task."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="artifacts")
    run = models.ForeignKey(NodeRun, models.PROTECT, related_name="artifacts")
    #: Storage key; unique, so a second attempt writes its own file.
    key = models.CharField(max_length=300, unique=True)
    size_bytes = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField()

    class Meta:
        db_table = "artifacts"

    def __str__(self) -> str:
        return self.key
