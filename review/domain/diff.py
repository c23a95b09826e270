"""What a person did to the boxes that they were shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from review.domain.boxes import Box
from review.domain.job_errors import SubjectsIncomplete

#: The person said so, in `deleted_box_ids`.
DELETED: Final = "deleted"
#: A declared policy left it out.
FILTERED: Final = "filtered"
#: A client that sends no `deleted_box_ids` left it out.
OMITTED: Final = "omitted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """Ids by what became of them. `kept`, `edited` and `new` are disjoint and make up the new list."""

    kept: list[str]
    edited: list[str]
    new: list[str]
    #: [{box_id, why}]
    dropped: list[dict[str, str]]

    def as_dict(self) -> dict[str, Any]:
        """The form that the intervention stores."""
        return {"kept": self.kept, "edited": self.edited, "new": self.new, "dropped": self.dropped}


def check_complete(
    *, shown: Sequence[Box], submitted: Sequence[Box], deleted_box_ids: Collection[str] | None
) -> None:
    """A box lost by a client's bug is not a box that a person deleted.

    Raises SubjectsIncomplete where `deleted_box_ids` is given and is not exactly what is missing.
    """
    if deleted_box_ids is None:
        return
    absent = {box.box_id for box in shown} - {box.box_id for box in submitted}
    missing, unexpected = sorted(absent - set(deleted_box_ids)), sorted(set(deleted_box_ids) - absent)
    if missing or unexpected:
        raise SubjectsIncomplete(
            "The boxes to keep and the boxes deleted do not make up what was shown. "
            "Send every shown box in one of the two lists.",
            missing=missing,
            unexpected=unexpected,
        )


def diff(*, shown: Sequence[Box], submitted: Sequence[Box], deleted_box_ids: Collection[str] | None) -> Diff:
    """Compare the two lists by id; a box counts as edited where it was moved or relabelled now."""
    before = {box.box_id: box for box in shown}
    kept: list[str] = []
    edited: list[str] = []
    new: list[str] = []
    for box in submitted:
        old = before.get(box.box_id)
        if old is None:
            new.append(box.box_id)
        elif (old.bbox, old.label) != (box.bbox, box.label):
            edited.append(box.box_id)
        else:
            kept.append(box.box_id)
    present = {box.box_id for box in submitted}
    why = OMITTED if deleted_box_ids is None else DELETED
    dropped = [{"box_id": box.box_id, "why": why} for box in shown if box.box_id not in present]
    return Diff(kept=kept, edited=edited, new=new, dropped=dropped)


def diff_by_policy(*, shown: Sequence[Box], kept: Sequence[Box]) -> Diff:
    """What a declared policy kept of what was, or would have been, shown; it changes and adds nothing."""
    present = {box.box_id for box in kept}
    dropped = [{"box_id": box.box_id, "why": FILTERED} for box in shown if box.box_id not in present]
    return Diff(kept=[box.box_id for box in kept], edited=[], new=[], dropped=dropped)
