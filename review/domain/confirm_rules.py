"""What a draft has to mean before a person may confirm it (page 05)."""

from collections.abc import Iterable, Sequence

from review.domain.coordinates import is_flat
from review.domain.items import Item, Picture, check_draft
from tasks.domain.errors import FieldError


def check_meaning(
    items: Sequence[Item],
    *,
    selection_mode: str,
    targets: Sequence[str],
    labels: Iterable[str],
    geometries: Iterable[str],
    picture: Picture,
) -> list[FieldError]:
    """Everything that keeps the draft from being confirmed; each item is named by its place.

    `labels` are the names of the project's set; a project without any takes every label.
    """
    found = check_draft(items, picture=picture) + _check_shapes(items, set(geometries))
    known = set(labels)
    for number, item in enumerate(items):
        label = (item.get("label") or "").strip()
        if not label:
            message = "This item has no label. Choose one."
            found.append(FieldError(f"items.{number}.label", message, "required"))
        elif known and label not in known:
            message = f"{label!r} is not one of the project's labels. Choose one of them."
            found.append(FieldError(f"items.{number}.label", message, "unknown_label"))
    found += _check_count(len(items), selection_mode, targets)
    return found + _check_order(items, selection_mode, targets, known)


def _check_shapes(items: Sequence[Item], allowed: set[str]) -> list[FieldError]:
    found = []
    for number, item in enumerate(items):
        kind = item["geometry"]["type"]
        if kind not in allowed:
            message = f"This task takes {' or '.join(sorted(allowed)) or 'nothing'}, not {kind}."
            found.append(FieldError(f"items.{number}.geometry", message, "geometry_not_allowed"))
        elif kind == "polygon" and is_flat(item["geometry"]["points"]):
            message = "All points of this polygon lie on one line. Move one, or delete the polygon."
            found.append(FieldError(f"items.{number}.geometry", message, "no_area"))
    return found


def _check_count(count: int, mode: str, targets: Sequence[str]) -> list[FieldError]:
    if mode == "single" and count != 1:
        return [FieldError("items", f"The question asks for exactly one item; there are {count}.", "count")]
    if mode == "all" and count < 1:
        return [FieldError("items", "The question asks for every match: at least one item.", "count")]
    if mode == "ordered" and count != len(targets):
        message = f"The question asks for {len(targets)} items, one per target; there are {count}."
        return [FieldError("items", message, "count")]
    return []


def _check_order(
    items: Sequence[Item], mode: str, targets: Sequence[str], known: set[str]
) -> list[FieldError]:
    if mode != "ordered" or len(items) != len(targets):
        return []
    numbered = list(enumerate(items))
    orders = [item.get("order") for item in items]
    if any(order is not None for order in orders):
        if None in orders or len(set(orders)) != len(orders):
            return [FieldError("items", "Number the items 1, 2, 3 …, each once, or none of them.", "order")]
        numbered.sort(key=lambda pair: pair[1]["order"])
    return [
        FieldError(f"items.{number}.label", f"Place {place} asks for {target!r}.", "order")
        for place, ((number, item), target) in enumerate(zip(numbered, targets, strict=True), start=1)
        # A target in free words ("the red cup") cannot be compared with a label.
        if target in known and item.get("label") in known and item["label"] != target
    ]
