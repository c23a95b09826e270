"""The default detector: both models together, each thing once."""

from __future__ import annotations

from typing import Final

from review.providers.contract import Detection, Detector, Picture
from review.providers.local.coco_detector import CocoDetector
from review.providers.local.oid_detector import OidDetector
from review.providers.local.overlap import join_same
from review.providers.local.runtime import Lazily

SAME_THING_OVERLAP: Final = 0.55
"""Cup, bowl and coffee cup over one another are one thing; a cup on a table is two."""
SMALLEST_SIDE: Final = 1.0


class UnionDetector:
    """Several detectors' findings, joined across classes."""

    name = "ssd-mobilenet-v2-oidv4+coco"

    def __init__(self, detectors: tuple[Detector, ...]) -> None:
        self._detectors = detectors

    def detect(self, picture: Picture, *, keep: float | None = None) -> list[Detection]:
        """Everything that any of them keeps, best first; other names of the same thing are alternatives."""
        found = [one for detector in self._detectors for one in detector.detect(picture, keep=keep)]
        with_area = [
            one
            for one in found
            if one.bbox[2] - one.bbox[0] >= SMALLEST_SIDE and one.bbox[3] - one.bbox[1] >= SMALLEST_SIDE
        ]
        return join_same(with_area, limit=SAME_THING_OVERLAP)


default_detector: Lazily[UnionDetector] = Lazily(lambda: UnionDetector((OidDetector(), CocoDetector())))
