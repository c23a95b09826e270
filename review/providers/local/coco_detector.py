"""SSD MobileNetV2 for 80 COCO classes, on OpenCV (about 100 ms a picture on a quiet machine)."""

from __future__ import annotations

import threading
from typing import Final

import cv2
import numpy as np

from review.providers.contract import Detection, Picture
from review.providers.local import weights
from review.providers.local.class_names import COCO_NAMES
from review.providers.local.runtime import THREADS

SIDE: Final = 300
KEEP: Final = 0.5


class CocoDetector:
    """`detect` gives boxes in pixels of the picture, whatever its size; suppression is inside the graph."""

    name = "ssd-mobilenet-v2-coco"

    def __init__(self) -> None:
        graph, text = weights.present(weights.COCO_GRAPH), weights.present(weights.COCO_TEXT_GRAPH)
        cv2.setNumThreads(THREADS)
        self._net = cv2.dnn.readNetFromTensorflow(str(graph), str(text))
        self._lock = threading.Lock()

    def detect(self, picture: Picture, *, keep: float | None = None) -> list[Detection]:
        """Everything scored at least `keep` (0.5), best first."""
        height, width = picture.shape[:2]
        # The picture is RGB already, so the channels are not swapped.
        blob = cv2.dnn.blobFromImage(picture, size=(SIDE, SIDE), swapRB=False)
        with self._lock:
            self._net.setInput(blob)
            rows = np.asarray(self._net.forward())[0, 0].copy()
        floor = KEEP if keep is None else keep
        found: list[Detection] = []
        for _, number, score, x1, y1, x2, y2 in rows:
            label = COCO_NAMES.get(int(number))
            if label is None or score < floor:
                continue
            left, right = np.clip([x1, x2], 0.0, 1.0) * width
            top, bottom = np.clip([y1, y2], 0.0, 1.0) * height
            found.append(
                Detection(
                    label=label,
                    bbox=(float(left), float(top), float(right), float(bottom)),
                    score=float(score),
                    detector=self.name,
                )
            )
        return sorted(found, key=lambda one: -one.score)
