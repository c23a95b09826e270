"""SSD MobileNetV2 for 23 Open Images classes, on litert (about 10 ms a picture)."""

from __future__ import annotations

import threading
from typing import Any, Final

import cv2
import numpy as np

from review.providers.contract import Detection, Floats, Picture
from review.providers.local import overlap, weights
from review.providers.local.class_names import OID_NAMES
from review.providers.local.runtime import litert_interpreter

SIDE: Final = 300
KEEP: Final = 0.4
SAME_CLASS_OVERLAP: Final = 0.5
ANCHOR_GRIDS: Final = (19, 10, 5, 3, 2, 1)
SMALLEST_SCALE: Final = 0.2
LARGEST_SCALE: Final = 0.95


class OidDetector:
    """`detect` gives boxes in pixels of the picture, whatever its size."""

    name = "ssd-mobilenet-v2-oidv4"

    def __init__(self) -> None:
        self._model: Any = litert_interpreter(weights.present(weights.OID_DETECTOR))
        self._input = self._model.get_input_details()[0]["index"]
        outputs = {output["name"]: output["index"] for output in self._model.get_output_details()}
        self._boxes = outputs["raw_outputs/box_encodings"]
        self._classes = outputs["raw_outputs/class_predictions"]
        self._anchors = anchors()
        # An interpreter's tensors are its own memory: one caller at a time.
        self._lock = threading.Lock()

    def detect(self, picture: Picture, *, keep: float | None = None) -> list[Detection]:
        """Everything scored at least `keep` (0.4), best first."""
        height, width = picture.shape[:2]
        small = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        with self._lock:
            self._model.set_tensor(self._input, (small.astype(np.float32) / 127.5 - 1.0)[None])
            self._model.invoke()
            encoded = self._model.get_tensor(self._boxes)[0].copy()
            logits = self._model.get_tensor(self._classes)[0].copy()
        boxes = decode(encoded, self._anchors) * np.array([width, height, width, height], np.float32)
        scores = 1.0 / (1.0 + np.exp(-logits))
        floor = KEEP if keep is None else keep
        found: list[Detection] = []
        for number, label in enumerate(OID_NAMES):
            if not label:
                continue
            chosen = np.flatnonzero(scores[:, number] >= floor)
            for best in overlap.keep_best(boxes[chosen], scores[chosen, number], limit=SAME_CLASS_OVERLAP):
                x1, y1, x2, y2 = (float(edge) for edge in boxes[chosen[best]])
                found.append(
                    Detection(
                        label=label,
                        bbox=(x1, y1, x2, y2),
                        score=float(scores[chosen[best], number]),
                        detector=self.name,
                    )
                )
        return sorted(found, key=lambda one: -one.score)


def anchors() -> Floats:
    """The 1,917 SSD anchors as (centre y, centre x, height, width), 0-1.

    Six grids with scales from 0.2 to 0.95; ratios 1, 2, ½, 3, ⅓ and one between two scales, but
    only three on the finest grid, the first at half the scale (TensorFlow's `reduce_boxes_in_lowest_layer`).
    """
    steps = len(ANCHOR_GRIDS) - 1
    scales = [SMALLEST_SCALE + (LARGEST_SCALE - SMALLEST_SCALE) * n / steps for n in range(steps + 1)] + [1.0]
    rows: list[tuple[float, float, float, float]] = []
    for layer, grid in enumerate(ANCHOR_GRIDS):
        scale = scales[layer]
        if layer == 0:
            shapes = [(0.1, 1.0), (scale, 2.0), (scale, 0.5)]
        else:
            shapes = [(scale, ratio) for ratio in (1.0, 2.0, 0.5, 3.0, 1 / 3)]
            shapes.append(((scale * scales[layer + 1]) ** 0.5, 1.0))
        for row in range(grid):
            for column in range(grid):
                rows.extend(
                    ((row + 0.5) / grid, (column + 0.5) / grid, size / ratio**0.5, size * ratio**0.5)
                    for size, ratio in shapes
                )
    return np.array(rows, dtype=np.float32)


def decode(encoded: Floats, around: Floats) -> Floats:
    """Box encodings (n, 4: y, x, h, w) with scales 10, 10, 5, 5 as x1, y1, x2, y2 in 0-1, clipped."""
    centre_y = encoded[:, 0] / 10 * around[:, 2] + around[:, 0]
    centre_x = encoded[:, 1] / 10 * around[:, 3] + around[:, 1]
    height = np.exp(encoded[:, 2] / 5) * around[:, 2]
    width = np.exp(encoded[:, 3] / 5) * around[:, 3]
    corners = [centre_x - width / 2, centre_y - height / 2, centre_x + width / 2, centre_y + height / 2]
    return np.clip(np.stack(corners, axis=1), 0.0, 1.0).astype(np.float32)
