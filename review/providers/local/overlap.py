"""How much boxes overlap, and which of several boxes are the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from review.providers.contract import Alternative, Box, Detection

Boxes = npt.NDArray[np.floating]


def iou(first: Box, second: Box) -> float:
    """Intersection over union of two boxes, 0-1."""
    return float(iou_with(np.asarray(first, dtype=np.float64), np.asarray([second], dtype=np.float64))[0])


def iou_with(box: Boxes, others: Boxes) -> Boxes:
    """Intersection over union of one box (4,) with each of others (n, 4)."""
    width = np.clip(np.minimum(box[2], others[:, 2]) - np.maximum(box[0], others[:, 0]), 0, None)
    height = np.clip(np.minimum(box[3], others[:, 3]) - np.maximum(box[1], others[:, 1]), 0, None)
    shared = width * height
    union = _area(box[None]) + _area(others) - shared
    return np.asarray(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0))


def keep_best(boxes: Boxes, scores: Boxes, *, limit: float) -> list[int]:
    """Non-maximum suppression: indices of boxes (n, 4) that no better one overlaps by more than `limit`."""
    kept: list[int] = []
    order = np.argsort(-scores, kind="stable")
    while order.size:
        best, rest = int(order[0]), order[1:]
        kept.append(best)
        order = rest[iou_with(boxes[best], boxes[rest]) <= limit]
    return kept


def join_same(detections: Sequence[Detection], *, limit: float) -> list[Detection]:
    """Suppression across detectors that ignores the class: one thing, named by its best score.

    The other names found for it stay as alternatives, each with its best score. Best first.
    """
    rest = sorted(detections, key=lambda found: -found.score)
    joined: list[Detection] = []
    while rest:
        best = rest.pop(0)
        same = [found for found in rest if iou(best.bbox, found.bbox) > limit]
        rest = [found for found in rest if found not in same]
        others: dict[str, float] = {other.label: other.score for other in best.alternatives}
        for found in same:
            for label, score in [
                (found.label, found.score),
                *((a.label, a.score) for a in found.alternatives),
            ]:
                if label != best.label:
                    others[label] = max(score, others.get(label, 0.0))
        alternatives = tuple(
            Alternative(label=label, score=score)
            for label, score in sorted(others.items(), key=lambda other: -other[1])
        )
        joined.append(replace(best, alternatives=alternatives))
    return joined


def _area(boxes: Boxes) -> Boxes:
    return np.clip(boxes[:, 2] - boxes[:, 0], 0, None) * np.clip(boxes[:, 3] - boxes[:, 1], 0, None)
