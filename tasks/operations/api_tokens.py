"""Tokens that a person's programs sign in with. The text is shown once; only its SHA-256 is kept."""

import secrets
from uuid import UUID

from tasks.domain.canonical import sha256_hex
from tasks.domain.errors import FieldError, NotFound, ValidationFailed
from tasks.models import ApiToken, User
from tasks.operations.transactions import db_now, operation

MOST_TOKENS = 50


@operation
def create_token(*, actor: User, name: str) -> tuple[ApiToken, str]:
    """The token's row and its text. Raises ValidationFailed (422)."""
    if not name.strip():
        raise ValidationFailed([FieldError("name", "Say what it is for.", "blank")], status=422)
    if ApiToken.objects.filter(user=actor, revoked_at=None).count() >= MOST_TOKENS:
        message = f"You have {MOST_TOKENS} tokens. Revoke one first."
        raise ValidationFailed([FieldError("name", message, "too_many")], status=422)
    text = secrets.token_urlsafe(32)
    row = ApiToken.objects.create(user=actor, name=name.strip(), digest=sha256_hex(text.encode()))
    return row, text


@operation
def revoke_token(*, actor: User, token_id: UUID) -> None:
    """It signs nobody in from now on. Raises NotFound."""
    if not ApiToken.objects.filter(pk=token_id, user=actor, revoked_at=None).update(revoked_at=db_now()):
        raise NotFound
