"""What a task may ask: the limits of its question and targets, for a new task and for an edited one."""

from collections.abc import Sequence
from typing import Final

from tasks.domain.errors import FieldError

LONGEST_QUESTION: Final = 2_000
MOST_TARGETS: Final = 64
#: A target is often a label's name, so it is as long as one may be.
LONGEST_TARGET: Final = 100


def check_question(*, question: str, targets: Sequence[str], prefix: str = "") -> list[FieldError]:
    """Everything that keeps these from being asked; `prefix` ends with a dot."""
    found: list[FieldError] = []
    if len(question) > LONGEST_QUESTION:
        found.append(FieldError(f"{prefix}question", f"At most {LONGEST_QUESTION} characters.", "too_long"))
    if len(targets) > MOST_TARGETS:
        found.append(FieldError(f"{prefix}targets", f"At most {MOST_TARGETS} targets.", "too_many"))
    for number, target in enumerate(targets):
        at = f"{prefix}targets.{number}"
        if not target.strip():
            found.append(FieldError(at, "A target needs a name.", "blank"))
        elif len(target) > LONGEST_TARGET:
            found.append(FieldError(at, f"A target has at most {LONGEST_TARGET} characters.", "too_long"))
    return found
