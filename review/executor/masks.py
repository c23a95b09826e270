"""Masks and cut-outs: a mask has the picture's size and lies inside its box; a cut-out is the box's crop."""

from __future__ import annotations

import io
import math
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from review.domain.coordinates import Box
from review.executor.contract import NodeExecutionError
from review.providers.contract import Mask, Picture

Grey: TypeAlias = npt.NDArray[np.uint8]
Window: TypeAlias = tuple[int, int, int, int]

HALF: Final = 128
LEAST_PIECE: Final = 0.03
"""Of the object: smaller separate pieces belong to something else."""
LEAST_HOLE: Final = 0.01
"""Of the object: smaller enclosed holes are noise; larger ones are openings, as in a cup's handle."""


def window_of(box: Box) -> Window:
    """The whole pixels inside a box: left, top, right, bottom.

    Pixel n spans n…n+1, so the left edge is rounded up and the right one down: nothing of the
    window is outside the box. Raises NodeExecutionError EMPTY_MASK when no whole pixel is inside.
    """
    left, top, right, bottom = math.ceil(box[0]), math.ceil(box[1]), math.floor(box[2]), math.floor(box[3])
    if right <= left or bottom <= top:
        raise empty_mask()
    return left, top, right, bottom


def empty_mask() -> NodeExecutionError:
    """The error for a box in which no object was found."""
    return NodeExecutionError(
        "EMPTY_MASK", "No object was found in this box. Draw the box closer around the object.", False
    )


def tidy(mask: Mask) -> Mask:
    """Without specks and pinholes. Holes that the window's edge opens stay."""
    area = int(mask.sum())
    solid = _without_small(mask, max(int(area * LEAST_PIECE), 1))
    return ~_without_small(~solid, max(int(area * LEAST_HOLE), 1), keep_at_border=True)


def without_islands(alpha: Grey) -> Grey:
    """Soft alpha without the small pieces that matting leaves apart from the object."""
    area = int(np.count_nonzero(alpha >= HALF))
    kept = _without_small(alpha > 0, max(int(area * LEAST_PIECE), 1))
    return np.where(kept, alpha, 0).astype(np.uint8)


def _without_small(mask: Mask, least: int, *, keep_at_border: bool = False) -> Mask:
    count, labels, figures, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    height, width = mask.shape
    keep = np.zeros(count, dtype=np.bool_)
    for number in range(1, count):
        left, top, wide, high, area = (int(figure) for figure in figures[number])
        at_border = left == 0 or top == 0 or left + wide == width or top + high == height
        keep[number] = area >= least or (keep_at_border and at_border)
    return np.asarray(keep[labels], dtype=np.bool_)


def soft_edge(mask: Mask) -> Grey:
    """A hard mask as alpha with an edge one pixel soft, never growing past the mask's own window."""
    alpha = np.where(mask, np.uint8(255), np.uint8(0)).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(alpha, (3, 3), 0, borderType=cv2.BORDER_REPLICATE), dtype=np.uint8)


def full_mask(alpha: Grey, window: Window, *, width: int, height: int) -> Grey:
    """The window's alpha in a mask of the picture's size, 0 everywhere else."""
    mask = np.zeros((height, width), dtype=np.uint8)
    mask[window[1] : window[3], window[0] : window[2]] = alpha
    return mask


def mask_png(mask: Grey) -> bytes:
    """An 8-bit grey PNG."""
    return _png(Image.fromarray(mask))


def cutout_png(colours: Picture, alpha: Grey) -> bytes:
    """An RGBA PNG of the window; where alpha is 0 the colour is 0 too, so that no background leaks out."""
    rgba = np.dstack([colours, alpha])
    rgba[alpha == 0] = 0
    return _png(Image.fromarray(np.ascontiguousarray(rgba)))


def read_mask(data: bytes, *, width: int, height: int) -> Grey:
    """A stored mask. Raises NodeExecutionError BAD_ARTIFACT when it is not a mask of this picture."""
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as stored:
            mask = np.asarray(stored.convert("L"), dtype=np.uint8)
    except (OSError, SyntaxError, ValueError) as problem:
        raise NodeExecutionError("BAD_ARTIFACT", "The stored mask cannot be read.", False) from problem
    if mask.shape != (height, width):
        raise NodeExecutionError("BAD_ARTIFACT", "The stored mask is another picture's.", False)
    return mask


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, format="PNG", compress_level=1)
    return out.getvalue()
