"""What every adapter to a model gives and takes, wherever the model runs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Picture: TypeAlias = npt.NDArray[np.uint8]
"""RGB, uint8, shape (height, width, 3)."""

Floats: TypeAlias = npt.NDArray[np.float32]
Mask: TypeAlias = npt.NDArray[np.bool_]
Box: TypeAlias = tuple[float, float, float, float]


class ProviderError(Exception):
    """A model could not answer.

    `code` is stable, `message` says what to do, `retryable` whether the same call may succeed later.
    """

    def __init__(self, code: str, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another name for the same thing, with its own score in 0-1."""

    label: str
    score: float


@dataclass(frozen=True, slots=True)
class Detection:
    """One thing found: its name, its box in pixels of the picture given, its score in 0-1, and by whom."""

    label: str
    bbox: Box
    score: float
    detector: str
    alternatives: tuple[Alternative, ...] = field(default=())

    def shifted(self, *, left: float, top: float) -> Detection:
        """The same thing in a picture whose origin lies `left`, `top` pixels before this one's."""
        x1, y1, x2, y2 = self.bbox
        return replace(self, bbox=(x1 + left, y1 + top, x2 + left, y2 + top))


class Detector(Protocol):
    """Finds things in a picture."""

    def detect(self, picture: Picture, *, keep: float | None = None) -> list[Detection]:
        """Everything scored at least `keep` (the detector's own threshold where None), best first."""


class Classifier(Protocol):
    """Names what a crop shows."""

    def classify(self, picture: Picture, *, top: int = 5) -> list[Alternative]:
        """The `top` best names, best first; scores sum to at most 1."""
