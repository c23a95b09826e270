"""DETECT_SUBJECTS: what is in the picture."""

from __future__ import annotations

from typing import Any, Final

from review.domain.coordinates import Box
from review.executor.contract import Input, NodeContext, NodeExecutionError, Report, stop_if_cancelled
from review.executor.versions import made_by
from review.providers.contract import Detection, Detector
from review.providers.local.detectors import default_detector

MOST_BOXES: Final = 64


def handle(*, input: Input, context: NodeContext, detector: Detector | None = None) -> Report:
    """`{image: {width, height}}` → `{boxes, warnings, …}`, boxes best first, at most 64.

    Raises PICTURE_MISMATCH when the stored picture is not the size that the run was made for.
    """
    picture = context.picture()
    height, width = picture.shape[:2]
    image = input.get("image") or {}
    if (image.get("width", width), image.get("height", height)) != (width, height):
        raise NodeExecutionError(
            "PICTURE_MISMATCH",
            f"The picture is {width}×{height}, the run was made for "
            f"{image.get('width')}×{image.get('height')}. Start a new job on this picture.",
        )
    context.progress("detecting", 0, 1)
    stop_if_cancelled(context)
    used = default_detector() if detector is None else detector
    boxes = [
        as_json(one, bbox)
        for one in used.detect(picture)
        if (bbox := rounded(one.bbox, width=width, height=height)) is not None
    ]
    context.progress("detecting", 1, 1)
    warnings = []
    if not boxes:
        warnings.append(
            {"code": "NOTHING_FOUND", "message": "The model found nothing. Draw the boxes by hand."}
        )
    if len(boxes) > MOST_BOXES:
        warnings.append(
            {
                "code": "TRUNCATED",
                "message": f"The model found {len(boxes)} things; the best {MOST_BOXES} are kept.",
            }
        )
    return {
        "boxes": boxes[:MOST_BOXES],
        "warnings": warnings,
        **made_by(str(getattr(used, "name", type(used).__name__))),
    }


def rounded(bbox: Box, *, width: int, height: int) -> Box | None:
    """A detector's own box with two decimals, cut at the picture's edge; None when nothing is left.

    Its float32 figures may pass the edge by rounding alone, which is no wrong answer.
    """
    x1, x2 = (round(min(max(edge, 0.0), width), 2) for edge in (bbox[0], bbox[2]))
    y1, y2 = (round(min(max(edge, 0.0), height), 2) for edge in (bbox[1], bbox[3]))
    return (x1, y1, x2, y2) if x2 > x1 and y2 > y1 else None


def as_json(found: Detection, bbox: Box) -> dict[str, Any]:
    """One detection as a report shows it."""
    return {
        "label": found.label,
        "bbox": list(bbox),
        "score": round(found.score, 4),
        "detector": found.detector,
        "alternatives": [
            {"label": other.label, "score": round(other.score, 4)} for other in found.alternatives
        ],
    }
