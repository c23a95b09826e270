"""Stored pictures."""

from django.db import models
from django.db.models.functions import Now
from uuid_utils.compat import uuid7

from tasks.models.project import Project


class Asset(models.Model):
    """A picture as people and models see it (upright 8-bit RGB PNG), and its untouched original."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    project = models.ForeignKey(Project, models.PROTECT, related_name="assets")
    #: Storage key of the normalised PNG.
    image = models.CharField(max_length=300)
    #: Pixels of the normalised picture.
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    #: SHA-256 of the PNG, hexadecimal.
    sha256 = models.CharField(max_length=64)
    size_bytes = models.BigIntegerField()
    #: Storage key of the file as it was uploaded.
    original = models.CharField(max_length=300)
    original_name = models.CharField(max_length=300)
    original_sha256 = models.CharField(max_length=64)
    original_format = models.CharField(max_length=20)
    original_size_bytes = models.BigIntegerField()
    #: Set of a generated or fetched demo picture; exports say so.
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "assets"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(width__gte=1, height__gte=1), name="assets_size_positive"
            )
        ]

    def __str__(self) -> str:
        return self.original_name
