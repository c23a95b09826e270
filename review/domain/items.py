"""Items of a draft, and candidates of a hand-edited set: the checks that protect structure (page 05).

A point without a label yet can be saved; meaning is checked when a person confirms
(`confirm_rules.py`). All figures are pixels of the normalised picture.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from review.domain.coordinates import CoordinateError, centre_of_box, check_box, check_point, check_vertex
from tasks.domain.errors import FieldError

Item: TypeAlias = dict[str, Any]

#: A draft's limit (page 06).
MOST_ITEMS: Final = 2_000
#: A candidate set's limit (page 05).
MOST_CANDIDATES: Final = 64
#: Vertices of one polygon; far above what a hand draws, far below what a request could carry.
MOST_VERTICES: Final = 5_000
LONGEST_LABEL: Final = 100


@dataclass(frozen=True, slots=True)
class Picture:
    """The size that coordinates have to fit, in pixels."""

    width: int
    height: int


def check_geometry(geometry: Mapping[str, Any], *, picture: Picture) -> str | None:
    """What is wrong with the place, as a sentence, or None."""
    size = {"width": picture.width, "height": picture.height}
    try:
        if geometry["type"] == "point":
            check_point(point=[geometry["x"], geometry["y"]], **size)
        elif geometry["type"] == "bbox":
            check_box(box=geometry["bbox"], **size)
        else:
            points = geometry["points"]
            if len(points) < 3:
                return "A polygon needs at least 3 points."
            if len(points) > MOST_VERTICES:
                return f"A polygon has at most {MOST_VERTICES} points."
            for vertex in points:
                check_vertex(vertex=vertex, **size)
    except CoordinateError as error:
        return error.message
    return None


def check_draft(items: Sequence[Item], *, picture: Picture, prefix: str = "items") -> list[FieldError]:
    """Everything that keeps `items` from being a draft; empty when they can be saved.

    Kinds of shapes are not looked at: when the project takes one away, whoever works with it goes on saving.
    """
    if len(items) > MOST_ITEMS:
        message = f"A draft holds at most {MOST_ITEMS} items; these are {len(items)}."
        return [FieldError(prefix, message, "too_many")]
    seen: set[str] = set()
    found: list[FieldError] = []
    for number, item in enumerate(items):
        at = f"{prefix}.{number}"
        if item["id"] in seen:
            found.append(FieldError(f"{at}.id", f"The id {item['id']!r} is used twice.", "duplicate"))
        seen.add(item["id"])
        if wrong := check_geometry(item["geometry"], picture=picture):
            found.append(FieldError(f"{at}.geometry", wrong, "outside"))
    return found


def check_candidates(
    candidates: Sequence[Mapping[str, Any]], *, picture: Picture, prefix: str = "items"
) -> list[FieldError]:
    """Everything that keeps hand-edited candidates from being a set."""
    if len(candidates) > MOST_CANDIDATES:
        message = f"A set holds at most {MOST_CANDIDATES} candidates; these are {len(candidates)}."
        return [FieldError(prefix, message, "too_many")]
    size = {"width": picture.width, "height": picture.height}
    seen: set[str] = set()
    found: list[FieldError] = []
    for number, candidate in enumerate(candidates):
        at = f"{prefix}.{number}"
        if (name := candidate.get("id")) is not None:
            if name in seen:
                found.append(FieldError(f"{at}.id", f"The id {name!r} is used twice.", "duplicate"))
            seen.add(name)
        try:
            if candidate.get("bbox") is not None:
                check_box(box=candidate["bbox"], **size)
        except CoordinateError as error:
            found.append(FieldError(f"{at}.bbox", error.message, "outside"))
            continue
        if candidate.get("bbox") is not None:
            # The centre beside a box is ours to compute; a client may send it back as it got it.
            continue
        try:
            if candidate.get("center") is None:
                found.append(FieldError(f"{at}.center", "Give a center or a bbox.", "required"))
            else:
                check_point(point=candidate["center"], **size)
        except CoordinateError as error:
            found.append(FieldError(f"{at}.center", error.message, "outside"))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSources:
    """What an item of this task may refer to."""

    #: Candidate ids by set id.
    candidates: Mapping[str, frozenset[str]]
    #: The set that each prediction chose from, by prediction id.
    predictions: Mapping[str, str]


def check_sources(items: Sequence[Item], *, known: KnownSources, prefix: str = "items") -> list[FieldError]:
    """References that lead nowhere: ids mean something only together with their set's id."""
    found: list[FieldError] = []
    for number, item in enumerate(items):
        source = item.get("source") or {}
        set_id, candidate_id, prediction_id = (
            source.get(name) for name in ("candidate_set_id", "candidate_id", "prediction_id")
        )
        at = f"{prefix}.{number}.source"
        if set_id is not None and set_id not in known.candidates:
            found.append(FieldError(f"{at}.candidate_set_id", "This task has no such set.", "unknown"))
        elif set_id is not None and candidate_id is not None and candidate_id not in known.candidates[set_id]:
            found.append(FieldError(f"{at}.candidate_id", "That set has no such candidate.", "unknown"))
        if prediction_id is not None and prediction_id not in known.predictions:
            found.append(FieldError(f"{at}.prediction_id", "This task has no such prediction.", "unknown"))
        elif prediction_id is not None and known.predictions[prediction_id] != set_id:
            found.append(FieldError(f"{at}.prediction_id", "That prediction is on another set.", "unknown"))
    return found


def candidate_item(candidate: Mapping[str, Any], *, new_id: str, before: Mapping[str, Any] | None) -> Item:
    """A hand-edited candidate as a set stores it.

    What only a model writes (score, detector, alternatives) is taken from `before`, the candidate of the
    same id in the set that was edited; a client's own figures for them are ignored.
    """
    bbox = candidate.get("bbox")
    center = candidate.get("center") if bbox is None else centre_of_box(tuple(bbox))
    item: Item = dict(before or {})
    label = candidate.get("label")
    is_edited = before is not None and (label, bbox) != (before.get("label"), before.get("bbox"))
    if before is None:
        item |= {"score": None, "source": "manual", "edited": False, "target_policy": "segment"}
    if is_edited:
        item["edited"] = True
        # Moved or renamed: what a validation said of it no longer holds.
        item.pop("valid", None)
        item.pop("validation", None)
    item |= {
        "box_id": candidate.get("id") or new_id,
        "label": label,
        "bbox": bbox,
        "center": list(center or ()),
    }
    return item


def shown_candidate(stored: Mapping[str, Any]) -> Item:
    """A stored box as page 06's candidate."""
    bbox = stored.get("bbox")
    center = stored.get("center") or list(centre_of_box(tuple(bbox)))  # type: ignore[arg-type]
    return {
        "id": stored["box_id"],
        "label": stored.get("label"),
        "center": center,
        "bbox": bbox,
        "score": stored.get("score"),
    }


def is_as_proposed(stored: Mapping[str, Any]) -> bool:
    """Whether a stored box is a model's own, neither moved nor renamed by a person."""
    return stored.get("source") == "model" and not stored.get("edited")


def geometry_of(candidate: Mapping[str, Any], *, geometries: Sequence[str], picture: Picture) -> Item | None:
    """A shown candidate as an item's geometry: its box where boxes are allowed, else its centre.

    None where the task takes neither. The centre of a box at the right or bottom edge may lie past the last
    pixel's address; the pixel that it is in is the last one.
    """
    if "bbox" in geometries and candidate.get("bbox") is not None:
        return {"type": "bbox", "bbox": list(candidate["bbox"])}
    if "point" in geometries:
        x, y = candidate["center"]
        return {"type": "point", "x": min(x, picture.width - 1), "y": min(y, picture.height - 1)}
    return None
