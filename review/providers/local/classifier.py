"""EfficientNet-lite3 for 1,000 ImageNet classes, on litert (about 10 ms a crop)."""

from __future__ import annotations

import threading
from typing import Any, Final

import cv2
import numpy as np

from review.providers.contract import Alternative, Picture
from review.providers.local import weights
from review.providers.local.class_names import first_name
from review.providers.local.runtime import Lazily, litert_interpreter

SIDE: Final = 280


class ImageNetClassifier:
    """`classify` names a crop; what the crop shows beside the object counts too."""

    name = "efficientnet-lite3"

    def __init__(self) -> None:
        self._model: Any = litert_interpreter(weights.present(weights.CLASSIFIER))
        lines = weights.present(weights.CLASSIFIER_LABELS).read_text(encoding="utf-8").splitlines()
        self._labels = [first_name(line) for line in lines]
        self._input = self._model.get_input_details()[0]["index"]
        self._output = self._model.get_output_details()[0]["index"]
        self._lock = threading.Lock()

    def classify(self, picture: Picture, *, top: int = 5) -> list[Alternative]:
        """The `top` best names, best first. The softmax comes as uint8, in 256ths."""
        small = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        with self._lock:
            self._model.set_tensor(self._input, small[None])
            self._model.invoke()
            scores = self._model.get_tensor(self._output)[0].astype(np.float32) / 256.0
        best = np.argsort(-scores, kind="stable")[:top]
        return [Alternative(label=self._labels[n], score=float(scores[n])) for n in best if scores[n] > 0]


default_classifier: Lazily[ImageNetClassifier] = Lazily(ImageNetClassifier)
