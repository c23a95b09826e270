"""Reasons that a person has to give."""

from tasks.domain.errors import FieldError, ValidationFailed

MOST_CHARACTERS = 2000


def required_reason(reason: str, *, field: str = "reason") -> str:
    """The reason without space around it. Raises ValidationFailed (422) where nothing is left of it."""
    stripped = reason.strip()
    if not stripped:
        raise ValidationFailed([FieldError(field, "Say why.", "blank")], status=422)
    if len(stripped) > MOST_CHARACTERS:
        message = f"At most {MOST_CHARACTERS} characters."
        raise ValidationFailed([FieldError(field, message, "max_length")], status=422)
    return stripped
