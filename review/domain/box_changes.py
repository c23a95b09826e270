"""What an answer did to the boxes, told by their names: for people who look back at it."""

from collections.abc import Mapping, Sequence
from typing import Any

from review.domain.boxes import Box


def box_changes(
    *, shown: Sequence[Box], after: Sequence[Box], dropped: Sequence[Mapping[str, str]]
) -> dict[str, list[dict[str, Any]]]:
    """`{kept, moved, renamed, added, removed}`, each a list of {box_id, label}.

    A renamed one has `before`, its label until then; a removed one has `why`, as the intervention stored it
    in `dropped`. A box that was moved and renamed is in both lists.
    """
    before = {box.box_id: box for box in shown}
    present = {box.box_id for box in after}
    why = {each["box_id"]: each["why"] for each in dropped}
    told: dict[str, list[dict[str, Any]]] = {
        "kept": [], "moved": [], "renamed": [], "added": [], "removed": []
    }  # fmt: skip
    for box in after:
        old = before.get(box.box_id)
        if old is None:
            told["added"].append(_named(box))
            continue
        is_moved, is_renamed = old.bbox != box.bbox, old.label != box.label
        if is_moved:
            told["moved"].append(_named(box))
        if is_renamed:
            told["renamed"].append({**_named(box), "before": old.label})
        if not is_moved and not is_renamed:
            told["kept"].append(_named(box))
    told["removed"] = [
        {**_named(box), "why": why.get(box.box_id)} for box in shown if box.box_id not in present
    ]
    return told


def _named(box: Box) -> dict[str, Any]:
    return {"box_id": box.box_id, "label": box.label}
