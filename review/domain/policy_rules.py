"""What a declared policy makes of the boxes; the only place where a score decides anything."""

from __future__ import annotations

from collections.abc import Sequence

from review.domain.boxes import Box
from tasks.domain.policies import Below, DefaultAnswer


def routed(boxes: Sequence[Box], *, threshold: float, below: str, is_truncated: bool) -> list[Box] | None:
    """The boxes that go on without a person; None where a person is asked.

    Asked: where nothing reaches the threshold (a person may draw), where the detector found more than is
    kept, and, unless the policy leaves them out, where one box is below. A box without a score is below.
    """
    above = [box for box in boxes if box.score is not None and box.score >= threshold]
    if not above or is_truncated:
        return None
    if len(above) < len(boxes) and below != Below.LEAVE_OUT:
        return None
    return above


def default_kept(shown: Sequence[Box], *, answer: str) -> list[Box]:
    """The boxes that the declared answer keeps. One that is not valid needs a person: it is left out."""
    if answer == DefaultAnswer.KEEP_NONE:
        return []
    return [box for box in shown if not box.needs_validation]
