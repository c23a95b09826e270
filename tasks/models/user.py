"""People, and the tokens that their programs sign in with."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Now
from uuid_utils.compat import uuid7


class User(AbstractUser):
    """A person. `is_superuser` makes a super admin; other roles are per project (Membership)."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    language = models.CharField(max_length=10, blank=True, default="")

    class Meta(AbstractUser.Meta):
        db_table = "users"

    @property
    def name(self) -> str:
        """The name to show; never empty."""
        return self.get_full_name() or self.username


class ApiToken(models.Model):
    """A program's key to act as a person. Only its SHA-256 is kept; the text is shown once."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    #: SHA-256 of the token, hexadecimal.
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "api_tokens"
        verbose_name = "API token"

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"
