"""Closed-form matting: how much of each edge pixel is the object, and its colour without the background.

Levin, Lischinski, Weiss: A Closed-Form Solution to Natural Image Matting (2008), and multi-level
foreground estimation (Germer and others, 2020), both from pymatting.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from review.providers.contract import Floats, Picture, ProviderError
from review.providers.local import weights
from review.providers.local.runtime import Lazily

EDGE_SHARE: Final = 0.02
"""The unknown band: erode and dilate by this much of the shorter side."""
LONGEST_SIDE: Final = 900
"""Larger crops are matted at this size and alpha scaled up: the solver's time grows faster than the area."""
CLEAR: Final = 0.02
SOLID: Final = 0.98


@dataclass(frozen=True, slots=True)
class Matte:
    """`alpha` in 0-1 (height, width) and the object's own colours, RGB uint8 (height, width, 3)."""

    alpha: Floats
    foreground: Picture


def trimap(mask: npt.NDArray[np.bool_], *, shorter_side: int) -> Floats:
    """1 surely the object, 0 surely not, ½ to be found out; shape as the mask.

    An object thinner than the band keeps a core, so that there is always something to start from.
    """
    radius = max(round(EDGE_SHARE * shorter_side), 2)
    binary = mask.astype(np.uint8)
    inner = _eroded(binary, radius)
    while not inner.any() and radius > 1:
        radius -= 1
        inner = _eroded(binary, radius)
    if not inner.any():
        inner = binary
    outer = cv2.dilate(binary, _disk(max(round(EDGE_SHARE * shorter_side), 2)))
    result = np.full(mask.shape, 0.5, dtype=np.float32)
    result[inner > 0] = 1.0
    result[outer == 0] = 0.0
    return result


def matte(picture: Picture, mask: npt.NDArray[np.bool_], *, shorter_side: int) -> Matte:
    """The object's alpha and colours in a padded crop; `mask` is its hard mask, of the same size.

    Where the mask leaves nothing unknown or nothing surely outside, it is taken as it is.
    """
    height, width = mask.shape
    scale = min(LONGEST_SIDE / max(height, width), 1.0)
    if scale < 1.0:
        size = (max(round(width * scale), 1), max(round(height * scale), 1))
        small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        small_mask = cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_AREA) > 0
    else:
        small, small_mask = picture, mask
    unknown = trimap(small_mask, shorter_side=max(round(shorter_side * scale), 1))
    alpha = _alpha(small, small_mask, unknown)
    estimated = _library().estimate_foreground_ml(small.astype(np.float64) / 255.0, alpha.astype(np.float64))
    colours = np.clip(np.rint(estimated * 255.0), 0, 255).astype(np.uint8)
    if scale < 1.0:
        alpha = np.clip(cv2.resize(alpha, (width, height), interpolation=cv2.INTER_CUBIC), 0, 1)
        colours = np.asarray(
            cv2.resize(colours, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8
        )
    alpha = np.where(alpha < CLEAR, 0.0, np.where(alpha > SOLID, 1.0, alpha)).astype(np.float32)
    # Solid pixels are the picture's own, sharp; only what is mixed with the background is estimated.
    return Matte(alpha=alpha, foreground=np.where((alpha == 1.0)[..., None], picture, colours))


def _alpha(picture: Picture, mask: npt.NDArray[np.bool_], unknown: Floats) -> Floats:
    if not (unknown == 0.5).any() or not (unknown == 0.0).any():
        return mask.astype(np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # it warns where it stops at its limit of iterations; the result serves
        try:
            alpha = _library().estimate_alpha_cf(
                picture.astype(np.float64) / 255.0, unknown.astype(np.float64)
            )
        except (ValueError, np.linalg.LinAlgError) as problem:
            raise ProviderError(
                "MATTING_FAILED", "The edge could not be refined; the unrefined mask stands.", retryable=False
            ) from problem
    return np.asarray(np.nan_to_num(np.clip(alpha, 0.0, 1.0), nan=0.0), dtype=np.float32)


def _disk(radius: int) -> npt.NDArray[np.uint8]:
    return np.asarray(
        cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1)), dtype=np.uint8
    )


def _eroded(binary: npt.NDArray[np.uint8], radius: int) -> npt.NDArray[np.uint8]:
    # Outside the crop counts as not the object only where the crop ends in the picture's edge or
    # in padding, and there the mask is clear anyway: the default border (never erodes) is right.
    return np.asarray(cv2.erode(binary, _disk(radius)), dtype=np.uint8)


def _import() -> Any:
    # numba compiles for most of a minute at the first import; the cache has to be named before it.
    folder = weights.data_dir() / "numba"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))
    os.environ.setdefault("NUMBA_NUM_THREADS", "2")
    import pymatting

    return pymatting


_library: Lazily[Any] = Lazily(_import)
