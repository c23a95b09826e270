"""VALIDATE_MANUAL_BOX_LIST: can each box that a person drew be worked on, and what is in it?"""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np

from review.domain.coordinates import Box, finite
from review.executor.contract import Input, NodeContext, Report, stop_if_cancelled
from review.executor.inputs import box_in, invalid, required
from review.executor.versions import made_by
from review.providers.contract import Classifier, Detector, Picture
from review.providers.local.classifier import default_classifier
from review.providers.local.detectors import default_detector
from review.providers.local.naming import DEFAULT_THRESHOLD, Namer, cut

RULES_VERSION: Final = "1"
SMALLEST_SIDE: Final = 16.0
LEAST_CONTRAST: Final = 10.0
"""Grey levels between the crop's 1st and 99th percentile, grain smoothed away: a blank wall has less."""


def handle(
    *,
    input: Input,
    context: NodeContext,
    detector: Detector | None = None,
    classifier: Classifier | None = None,
) -> Report:
    """`{items_to_validate, labels, threshold}` → `{items, …}`, one for each box, in order.

    A label of the project's own (any case) is the person's word: only TOO_SMALL and NO_CONTENT can
    fail it. An empty label is filled with what was recognised; a foreign one stays as it was
    written, and `suggested_label` says what the models see.
    """
    picture = context.picture()
    own = {fold(label) for label in input.get("labels") or [] if isinstance(label, str)}
    threshold = DEFAULT_THRESHOLD
    if input.get("threshold") is not None:
        threshold = finite(input["threshold"], name="threshold")
    wanted = required(input, "items_to_validate", list)
    namer: Namer | None = None
    items: list[dict[str, Any]] = []
    for number, item in enumerate(wanted):
        stop_if_cancelled(context)
        context.progress("validating", number, len(wanted))
        if not isinstance(item, dict) or not isinstance(item.get("box_id"), str):
            raise invalid(f"items_to_validate[{number}] needs a box_id.")
        box = box_in(item, picture)
        label = str(item.get("label") or "").strip()
        if (problem := unusable(picture, box)) is not None:
            items.append(_answer(item, label or None, code=problem[0], message=problem[1]))
        elif label and fold(label) in own:
            items.append(_answer(item, item["label"], named_by="person"))
        else:
            if namer is None:
                namer = Namer(
                    picture,
                    detector=detector or default_detector(),
                    classifier=classifier or default_classifier(),
                    threshold=threshold,
                )
            items.append(_named(item, label, namer, box))
    context.progress("validating", len(wanted), len(wanted))
    return {
        "items": items,
        "threshold": threshold,
        "rules_version": RULES_VERSION,
        **made_by("ssd-mobilenet-v2-oidv4+coco, efficientnet-lite3"),
    }


def fold(label: str) -> str:
    """A label as it is compared: without case and without space around it."""
    return label.strip().casefold()


def unusable(picture: Picture, box: Box) -> tuple[str, str] | None:
    """The code and message of why nothing could be done with this box, or None."""
    width, height = box[2] - box[0], box[3] - box[1]
    if min(width, height) < SMALLEST_SIDE:
        return (
            "TOO_SMALL",
            (
                f"The box is {width:g}×{height:g} pixels. Draw it at least "
                f"{SMALLEST_SIDE:g} pixels wide and high."
            ),
        )
    grey = cv2.cvtColor(cut(picture, box, padding=0.0)[0], cv2.COLOR_RGB2GRAY)
    low, high = np.percentile(cv2.GaussianBlur(grey, (0, 0), 2), (1, 99))
    if high - low < LEAST_CONTRAST:
        return ("NO_CONTENT", "There is nothing to see in this box. Draw it over the object, or remove it.")
    return None


def _named(item: dict[str, Any], label: str, namer: Namer, box: Box) -> dict[str, Any]:
    found = namer.name(box)
    if found.label is None:
        return _answer(
            item,
            label or None,
            score=found.score,
            code="NOT_RECOGNISED",
            message=(
                "The models do not recognise what is in this box. Redraw it, give it one of the "
                "project's labels, or remove it."
            ),
        )
    answer = _answer(item, label or found.label, score=found.score, named_by=found.named_by)
    answer["alternatives"] = [
        {"label": other.label, "score": round(other.score, 4)} for other in found.alternatives
    ]
    if label:
        answer["named_by"] = "person"
        answer["suggested_label"] = found.label
    return answer


def _answer(
    item: dict[str, Any],
    label: str | None,
    *,
    score: float | None = None,
    code: str | None = None,
    message: str | None = None,
    named_by: str | None = None,
) -> dict[str, Any]:
    return {
        "box_id": item["box_id"],
        "valid": code is None,
        "label": label,
        "score": None if score is None else round(score, 4),
        "code": code,
        "message": message,
        "named_by": named_by,
    }
