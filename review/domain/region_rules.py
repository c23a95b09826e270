"""Applying a region's preview: what may be added, replaced or moved (page 05, Applying)."""

from collections.abc import Mapping, Sequence
from typing import Any

from review.domain.coordinates import box_is_in_region, centre_is_in_region
from review.domain.items import MOST_CANDIDATES, Item, shown_candidate
from tasks.domain.errors import FieldError


def lies_wholly_inside(candidate: Mapping[str, Any], *, region: Sequence[float]) -> bool:
    """Centre inside and, if there is a box, the whole box: else replacing it would erase what is outside."""
    shown = shown_candidate(candidate)
    left, top, right, bottom = region
    box = (left, top, right, bottom)
    x, y = shown["center"]
    if not centre_is_in_region(centre=(x, y), region=box):
        return False
    return shown["bbox"] is None or box_is_in_region(box=tuple(shown["bbox"]), region=box)


def check_replacements(
    *,
    add: Sequence[str],
    replace: Mapping[str, str],
    found: Mapping[str, Mapping[str, Any]],
    present: Mapping[str, Mapping[str, Any]],
    region: Sequence[float],
) -> list[FieldError]:
    """Everything that keeps the choice from being applied. `found`: the preview's items by id; `present`:
    the active set's."""
    errors = [
        FieldError(f"add.{number}", f"The preview has no candidate {name!r}.", "unknown")
        for number, name in enumerate(add)
        if name not in found
    ]
    for old, new in replace.items():
        at = f"replace.{old}"
        if new not in found:
            errors.append(FieldError(at, f"The preview has no candidate {new!r}.", "unknown"))
        if old not in present:
            errors.append(FieldError(at, f"The set has no candidate {old!r}.", "unknown"))
        elif not lies_wholly_inside(present[old], region=region):
            message = "It does not lie wholly inside the region. Draw a larger region, or edit it by hand."
            errors.append(FieldError(at, message, "not_inside"))
    used = [*add, *replace.values()]
    if len(set(used)) != len(used):
        errors.append(FieldError("add", "Each new candidate can be used once.", "duplicate"))
    if len(present) + len(add) > MOST_CANDIDATES:
        errors.append(FieldError("add", f"A set holds at most {MOST_CANDIDATES} candidates.", "too_many"))
    return errors


def joined_set(
    present: Sequence[Item], *, add: Sequence[str], replace: Mapping[str, str], found: Mapping[str, Item]
) -> list[Item]:
    """The next set: replaced candidates keep their place in the list, added ones follow."""
    kept = [found[replace[item["box_id"]]] if item["box_id"] in replace else item for item in present]
    return [*kept, *(found[name] for name in add)]


def moved_point(
    items: Sequence[Item], *, item_id: str, geometry: Mapping[str, Any], source: Mapping[str, Any]
) -> list[Item]:
    """The draft with one point moved; its label, its order and its neighbours stay as they are."""
    return [
        {**item, "geometry": dict(geometry), "source": dict(source)} if item["id"] == item_id else item
        for item in items
    ]
