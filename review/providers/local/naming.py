"""What is in this box? The order: detectors on the picture, detectors on the crop, classifier."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

from review.providers.contract import Alternative, Box, Classifier, Detection, Detector, Picture
from review.providers.local.overlap import iou

SAME_BOX_OVERLAP: Final = 0.45
CROP_PADDING: Final = 0.35
"""Of each side, on both ends: a detector needs to see around an object."""
DEFAULT_THRESHOLD: Final = 0.35

NamedBy = Literal["detector", "detector_on_crop", "classifier"]


@dataclass(frozen=True, slots=True)
class Name:
    """What a box was recognised as. `label` None: not recognised, and `score` is the best that was found."""

    label: str | None
    score: float
    named_by: NamedBy | None
    alternatives: tuple[Alternative, ...] = ()


class Namer:
    """Names the boxes of one picture; the detectors see the whole picture once, however many boxes it has."""

    def __init__(
        self,
        picture: Picture,
        *,
        detector: Detector,
        classifier: Classifier,
        threshold: float = DEFAULT_THRESHOLD,
    ) -> None:
        self._picture = picture
        self._detector = detector
        self._classifier = classifier
        self._threshold = threshold
        self._on_picture: list[Detection] | None = None

    def name(self, box: Box) -> Name:
        """The box's name, or a Name without a label below the threshold."""
        if self._on_picture is None:
            self._on_picture = self._detector.detect(self._picture)
        if (found := _best_match(self._on_picture, box)) and found.score >= self._threshold:
            return Name(found.label, found.score, "detector", found.alternatives)
        crop, left, top = cut(self._picture, box, padding=CROP_PADDING)
        on_crop = [one.shifted(left=left, top=top) for one in self._detector.detect(crop)]
        if (found := _best_match(on_crop, box)) and found.score >= self._threshold:
            return Name(found.label, found.score, "detector_on_crop", found.alternatives)
        names = self._classifier.classify(cut(self._picture, box, padding=0.0)[0])
        if not names:
            return Name(None, 0.0, None)
        best = names[0]
        if best.score < self._threshold:
            return Name(None, best.score, None, tuple(names))
        return Name(best.label, best.score, "classifier", tuple(names[1:]))


def cut(picture: Picture, box: Box, *, padding: float) -> tuple[Picture, int, int]:
    """The box's crop with `padding` of each side around it, cut at the picture; its left and top."""
    height, width = picture.shape[:2]
    wide, high = (box[2] - box[0]) * padding, (box[3] - box[1]) * padding
    left, top = max(math.floor(box[0] - wide), 0), max(math.floor(box[1] - high), 0)
    right, bottom = min(math.ceil(box[2] + wide), width), min(math.ceil(box[3] + high), height)
    return picture[top:bottom, left:right], left, top


def _best_match(found: list[Detection], box: Box) -> Detection | None:
    close = [one for one in found if iou(one.bbox, box) > SAME_BOX_OVERLAP]
    return max(close, key=lambda one: one.score * iou(one.bbox, box), default=None)
