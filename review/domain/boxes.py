"""Boxes: what a candidate set holds, and how a person's list of them is read and checked.

Figures are pixels of the normalised picture; `bbox` is (x1, y1, x2, y2).
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from review.domain.coordinates import Box as Corners
from review.domain.coordinates import CoordinateError, centre_of_box, check_box
from tasks.domain.errors import FieldError, ValidationFailed

MOST_BOXES: Final = 64
LONGEST_LABEL: Final = 100
OUR_PREFIX: Final = "box_"

MODEL: Final = "model"
MANUAL: Final = "manual"

SEGMENT: Final = "segment"
SKIP: Final = "skip"
VALIDATE: Final = "validate"
POLICIES: Final = (SEGMENT, SKIP, VALIDATE)

#: What a client may send; all but the first five are ours to write and are ignored.
ACCEPTED_FIELDS: Final = frozenset(
    {
        "box_id", "candidate_id", "label", "bbox", "target_policy",
        "center", "score", "source", "edited", "valid", "validation", "alternatives", "detector",
        "model_label",
    }
)  # fmt: skip


def new_box_id() -> str:
    """An id that no client can have made up before."""
    return f"{OUR_PREFIX}{secrets.token_hex(8)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One box of a candidate set."""

    box_id: str
    label: str | None
    bbox: Corners | None
    center: tuple[float, float]
    score: float | None = None
    source: str = MANUAL
    edited: bool = False
    target_policy: str = SEGMENT
    #: Whether validation has passed it; None: not looked at. Falls when the box is moved.
    valid: bool | None = None
    #: {code, message} of a failed validation.
    validation: dict[str, Any] | None = None
    alternatives: list[dict[str, Any]] = field(default_factory=list)
    detector: str = ""
    #: The detector's own class, where the project maps it to another label.
    model_label: str | None = None

    @property
    def needs_validation(self) -> bool:
        """Drawn by hand (or asked for) and not yet valid. What is skipped need not be recognised."""
        if self.valid or self.target_policy == SKIP:
            return False
        return self.source == MANUAL or self.target_policy == VALIDATE

    def as_item(self) -> dict[str, Any]:
        """The form in which a set stores it."""
        return {
            **self.as_public(),
            "valid": self.valid,
            "validation": self.validation,
            "alternatives": self.alternatives,
            "detector": self.detector,
            "model_label": self.model_label,
        }

    def as_public(self) -> dict[str, Any]:
        """The form of page 04, as the API gives it."""
        return {
            "box_id": self.box_id,
            "label": self.label,
            "bbox": list(self.bbox) if self.bbox is not None else None,
            "center": list(self.center),
            "score": self.score,
            "source": self.source,
            "edited": self.edited,
            "target_policy": self.target_policy,
        }

    @classmethod
    def from_item(cls, item: Mapping[str, Any]) -> Box:
        """A box as a set stored it (sets of imports and of the editor may know less of it)."""
        bbox = item.get("bbox")
        corners: Corners | None = None if bbox is None else (bbox[0], bbox[1], bbox[2], bbox[3])
        center = item.get("center") or (centre_of_box(corners) if corners else (0.0, 0.0))
        return cls(
            box_id=item.get("box_id") or item["id"],
            label=item.get("label"),
            bbox=corners,
            center=(center[0], center[1]),
            score=item.get("score"),
            source=item.get("source") or MODEL,
            edited=bool(item.get("edited")),
            target_policy=item.get("target_policy") or SEGMENT,
            valid=item.get("valid"),
            validation=item.get("validation"),
            alternatives=item.get("alternatives") or [],
            detector=item.get("detector") or "",
            model_label=item.get("model_label"),
        )


def boxes_of(items: Iterable[Mapping[str, Any]]) -> list[Box]:
    """A set's items as boxes."""
    return [Box.from_item(item) for item in items]


def check_shape(subjects: Sequence[Any]) -> None:
    """Types and fields of a person's list. Raises ValidationFailed, field by field: 400, or 422 for a
    number that is not finite (JSON's 1e999), which nothing after this could even write down."""
    errors: list[FieldError] = []
    for number, subject in enumerate(subjects):
        errors += _shape_errors(f"subjects.{number}", subject)
    if errors:
        raise ValidationFailed(errors)
    for number, subject in enumerate(subjects):
        errors += [
            FieldError(f"subjects.{number}.{name}", f"{_who(subject)}: not a finite number.", "not_finite")
            for name, value in subject.items()
            if not _is_finite(value)
        ]
    if errors:
        raise ValidationFailed(errors, status=422)


def _who(subject: Mapping[str, Any]) -> str:
    return str(subject.get("box_id") or subject.get("candidate_id") or "the new box")


def _is_finite(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_finite(inner) for inner in value.values())
    if isinstance(value, list):
        return all(_is_finite(inner) for inner in value)
    return not isinstance(value, float) or math.isfinite(value)


def _shape_errors(name: str, subject: Any) -> Iterable[FieldError]:
    if not isinstance(subject, dict):
        yield FieldError(name, "A box is an object.", "wrong_type")
        return
    for unknown in sorted(set(subject) - ACCEPTED_FIELDS):
        yield FieldError(f"{name}.{unknown}", "There is no such field.", "unknown_field")
    for key in ("box_id", "candidate_id"):
        value = subject.get(key)
        if value is not None and not (isinstance(value, str) and 0 < len(value) <= 80):
            yield FieldError(f"{name}.{key}", "An id is a text of at most 80 characters.", "wrong_type")
    label = subject.get("label")
    if label is not None and not isinstance(label, str):
        yield FieldError(f"{name}.label", "A label is a text or null.", "wrong_type")
    if "target_policy" in subject and subject["target_policy"] not in POLICIES:
        yield FieldError(f"{name}.target_policy", f"One of {', '.join(POLICIES)}.", "invalid_choice")
    bbox = subject.get("bbox")
    if bbox is not None and not _is_four_numbers(bbox):
        yield FieldError(f"{name}.bbox", "A box is a list of four numbers: x1, y1, x2, y2.", "wrong_type")


def _is_four_numbers(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 4
        and all(isinstance(number, int | float) and not isinstance(number, bool) for number in value)
    )


def read_subjects(
    *,
    subjects: Sequence[Mapping[str, Any]],
    shown: Sequence[Box],
    width: int,
    height: int,
    make_id: Callable[[], str] = new_box_id,
) -> list[Box]:
    """A person's complete list against the set that was shown, in the order sent.

    A known id keeps what the person did not change; any other id, or none, is a new box by hand.
    Raises ValidationFailed (422) naming each box and field: an id of no box, a duplicate, more than
    64, outside the picture, no area, not finite, no bbox.
    """
    known = {box.box_id: box for box in shown}
    errors: list[FieldError] = []
    if len(subjects) > MOST_BOXES:
        errors.append(
            FieldError("subjects", f"{len(subjects)} boxes; at most {MOST_BOXES} can be kept.", "too_many")
        )
    seen: set[str] = set()
    boxes: list[Box] = []
    for number, subject in enumerate(subjects):
        name = f"subjects.{number}"
        sent_id = subject.get("box_id") or subject.get("candidate_id")
        if sent_id is not None:
            if sent_id in seen:
                errors.append(FieldError(f"{name}.box_id", f"{sent_id} is in the list twice.", "duplicate"))
            seen.add(sent_id)
            if sent_id not in known and sent_id.startswith(OUR_PREFIX):
                errors.append(
                    FieldError(
                        f"{name}.box_id",
                        f"{sent_id} is no box of what was shown. Leave the id out for a new box.",
                        "unknown_box",
                    )
                )
        before = known.get(sent_id) if sent_id is not None else None
        box, found = _read(name, subject, before, width=width, height=height, make_id=make_id)
        errors += found
        if box is not None:
            boxes.append(box)
    if errors:
        raise ValidationFailed(errors, status=422)
    return boxes


def _read(
    name: str,
    subject: Mapping[str, Any],
    before: Box | None,
    *,
    width: int,
    height: int,
    make_id: Callable[[], str],
) -> tuple[Box | None, list[FieldError]]:
    who = _who(subject)
    errors: list[FieldError] = []
    label, label_error = _label(name, who, subject, before)
    if label_error:
        errors.append(label_error)
    sent = subject.get("bbox", before.bbox if before else None)
    if sent is None:
        errors.append(FieldError(f"{name}.bbox", f"{who} needs a bbox: x1, y1, x2, y2.", "required"))
        return None, errors
    try:
        corners = check_box(box=sent, width=width, height=height)
    except CoordinateError as problem:
        errors.append(FieldError(f"{name}.bbox", f"{who}: {problem.message}", problem.code.lower()))
        return None, errors
    if before is None:
        box = Box(
            box_id=make_id(),
            label=label,
            bbox=corners,
            center=centre_of_box(corners),
            target_policy=subject.get("target_policy") or SEGMENT,
        )
        return box, errors
    is_moved = before.bbox is None or tuple(before.bbox) != corners
    return Box(
        box_id=before.box_id,
        label=label,
        bbox=corners,
        center=centre_of_box(corners) if is_moved else before.center,
        score=before.score,
        source=before.source,
        edited=before.edited or is_moved or label != before.label,
        target_policy=subject.get("target_policy") or before.target_policy,
        valid=None if is_moved else before.valid,
        validation=None if is_moved else before.validation,
        alternatives=before.alternatives,
        detector=before.detector,
        model_label=before.model_label,
    ), errors


def _label(
    name: str, who: str, subject: Mapping[str, Any], before: Box | None
) -> tuple[str | None, FieldError | None]:
    if "label" not in subject:
        return (before.label if before else None), None
    label = (subject["label"] or "").strip() or None
    if label is not None and len(label) > LONGEST_LABEL:
        message = f"{who}: a label has at most {LONGEST_LABEL} characters."
        return label, FieldError(f"{name}.label", message, "too_long")
    if label is not None and "\x00" in label:
        return None, FieldError(f"{name}.label", f"{who}: a label holds no NUL character.", "invalid")
    if label is None and before is not None and before.label is not None:
        message = f"{who} has a label; it can be changed, but not taken away."
        return label, FieldError(f"{name}.label", message, "required")
    return label, None
