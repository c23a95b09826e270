"""Loading everything before the first person waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import numpy as np

from review.providers.local.classifier import default_classifier
from review.providers.local.detectors import default_detector
from review.providers.local.matting import matte
from review.providers.local.saliency import default_saliency
from review.providers.local.sam import default_segmenter

SIDE: Final = 64


def warm() -> dict[str, float]:
    """Load each model and run it once on a small picture; the seconds each took.

    Raises WeightsMissing where a file has not been fetched. Call it in the process that will use
    the models, after any fork.
    """
    picture = np.full((SIDE, SIDE, 3), 200, dtype=np.uint8)
    picture[16:48, 16:48] = (40, 90, 160)
    mask = np.zeros((SIDE, SIDE), dtype=np.bool_)
    mask[16:48, 16:48] = True

    def segment() -> None:
        encoding = default_segmenter().encode(picture)
        default_segmenter().segment(encoding, (16, 16, 48, 48), inside=(16, 16, 48, 48))

    steps: dict[str, Callable[[], object]] = {
        "detectors": lambda: default_detector().detect(picture),
        "classifier": lambda: default_classifier().classify(picture),
        "segmenter": segment,
        "saliency": lambda: default_saliency().saliency(picture),
        "matting": lambda: matte(picture, mask, shorter_side=32),
    }
    seconds: dict[str, float] = {}
    for name, step in steps.items():
        began = time.monotonic()
        step()
        seconds[name] = round(time.monotonic() - began, 2)
    return seconds
