"""A node's context in memory, for handlers without a worker around them."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from PIL import Image


@dataclass
class MemoryContext:
    """Artifacts in a dict; `progress` calls are remembered."""

    image: npt.NDArray[np.uint8]
    artifacts: dict[str, bytes] = field(default_factory=dict)
    said: list[tuple[str, int, int]] = field(default_factory=list)
    is_cancelled: bool = False

    def picture(self) -> npt.NDArray[np.uint8]:
        return self.image

    def read_artifact(self, key: str) -> bytes:
        return self.artifacts[key]

    def write_artifact(self, name: str, data: bytes) -> str:
        key = f"artifacts/{len(self.artifacts)}/{name}"
        self.artifacts[key] = data
        return key

    def progress(self, phase: str, done: int, total: int) -> None:
        self.said.append((phase, done, total))

    def cancelled(self) -> bool:
        return self.is_cancelled

    def pixels(self, key: str) -> npt.NDArray[np.uint8]:
        """A stored PNG as an array."""
        with Image.open(io.BytesIO(self.artifacts[key])) as image:
            return np.asarray(image)
