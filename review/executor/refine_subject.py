"""REFINE_SUBJECT: the edge of a cut-out, by matting."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from review.executor import masks
from review.executor.contract import Input, NodeContext, Report, stop_if_cancelled
from review.executor.inputs import box_in, required
from review.executor.versions import made_by
from review.providers.local import matting

PADDING: Final = 0.1
"""Of the shorter side, around the box: matting has to see background to know it."""
LEAST_PADDING: Final = 8


def handle(*, input: Input, context: NodeContext) -> Report:
    """`{box_id, bbox, mask: key}` → `{mask, cutout, offset, area, …}`, the new mask inside the box too."""
    picture = context.picture()
    height, width = picture.shape[:2]
    box = box_in(input, picture)
    box_id = required(input, "box_id", str)
    window = left, top, right, bottom = masks.window_of(box)
    before = masks.read_mask(context.read_artifact(required(input, "mask", str)), width=width, height=height)
    shorter = min(right - left, bottom - top)
    margin = max(math.ceil(shorter * PADDING), LEAST_PADDING)
    x1, y1 = max(left - margin, 0), max(top - margin, 0)
    x2, y2 = min(right + margin, width), min(bottom + margin, height)
    stop_if_cancelled(context)
    context.progress("refining", 0, 1)
    matte = matting.matte(
        np.ascontiguousarray(picture[y1:y2, x1:x2]),
        before[y1:y2, x1:x2] >= masks.HALF,
        shorter_side=shorter,
    )
    inside = np.s_[top - y1 : bottom - y1, left - x1 : right - x1]
    alpha = masks.without_islands(np.rint(matte.alpha[inside] * 255.0).astype(np.uint8))
    if not (alpha >= masks.HALF).any():
        raise masks.empty_mask()
    whole = masks.full_mask(alpha, window, width=width, height=height)
    mask_key = context.write_artifact("mask.png", masks.mask_png(whole))
    cutout_key = context.write_artifact("cutout.png", masks.cutout_png(matte.foreground[inside], alpha))
    context.progress("refining", 1, 1)
    return {
        "box_id": box_id,
        "mask": mask_key,
        "cutout": cutout_key,
        "offset": [left, top],
        "area": int((alpha >= masks.HALF).sum()),
        **made_by("pymatting-closed-form"),
    }
