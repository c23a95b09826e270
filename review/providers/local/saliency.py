"""U²-Net (small): what stands out in a crop. The fallback where the segmenter finds nothing (0.3 s)."""

from __future__ import annotations

import threading
from typing import Final

import cv2
import numpy as np

from review.providers.contract import Floats, Picture
from review.providers.local import weights
from review.providers.local.runtime import Lazily, onnx_session

SIDE: Final = 320
MEAN: Final = np.array([0.485, 0.456, 0.406], dtype=np.float32)
DEVIATION: Final = np.array([0.229, 0.224, 0.225], dtype=np.float32)


class SaliencyModel:
    """`saliency` gives 0-1 for each pixel of the crop."""

    name = "u2netp"

    def __init__(self) -> None:
        self._session = onnx_session(weights.present(weights.SALIENCY))
        self._input = self._session.get_inputs()[0].name
        self._output = self._session.get_outputs()[0].name
        self._lock = threading.Lock()

    def saliency(self, picture: Picture) -> Floats:
        """How much each pixel belongs to what stands out, stretched to 0-1; shape (height, width)."""
        small = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
        scaled = small / max(float(small.max()), 1.0)
        planes = ((scaled - MEAN) / DEVIATION).transpose(2, 0, 1)[None].astype(np.float32)
        with self._lock:
            (answer,) = self._session.run([self._output], {self._input: planes})
        flat = np.asarray(answer, dtype=np.float32)[0, 0]
        low, high = float(flat.min()), float(flat.max())
        stretched = (flat - low) / max(high - low, 1e-6)
        height, width = picture.shape[:2]
        full = cv2.resize(stretched, (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(full, dtype=np.float32)


default_saliency: Lazily[SaliencyModel] = Lazily(SaliencyModel)
