"""Reasons in the audit that no person typed. They are stored as they stand here, since the chain hashes them;
pages say them in the reader's language."""

from enum import StrEnum


class SystemReason(StrEnum):
    """Why something was done that nobody gave a reason of their own for."""

    NO_MEMBER = "no longer a member"
    OTHER_ROLE = "role changed"
    GIVEN_AWAY = "the batch was given to others"
    BY_ITSELF = "by itself, after its tasks"
    DECIDED = "the review was decided"
    ON_HOLD = "batch on hold"
    ARCHIVED = "task archived"

    def because(self, more: str) -> str:
        """The reason with what a person typed, or what exactly it was."""
        return f"{self}: {more}"


def split_reason(reason: str) -> tuple[SystemReason | None, str]:
    """The system's part of a stored reason, and the rest; None where it is all a person's."""
    head, _, more = reason.partition(": ")
    try:
        return SystemReason(head), more
    except ValueError:
        return None, reason
