"""SEGMENT_SUBJECT: which pixels of a box are the object."""

from __future__ import annotations

from typing import Final

import numpy as np

from review.domain.coordinates import Box
from review.executor import masks
from review.executor.contract import Input, NodeContext, Report, stop_if_cancelled
from review.executor.inputs import box_in, required
from review.executor.versions import made_by
from review.providers.contract import Mask, Picture, ProviderError
from review.providers.local.saliency import default_saliency
from review.providers.local.sam import Encoding, default_segmenter

LEAST_AREA: Final = 0.005
"""Of the window; less than that is not the object that somebody drew a box around."""


def handle(*, input: Input, context: NodeContext) -> Report:
    """`{box_id, bbox, encoding: key | null}` → `{mask, cutout, offset, predicted_iou, area, segmenter, …}`.

    The mask is 8-bit grey in the picture's size, with nothing outside the box. The cut-out is the
    RGBA crop whose top left pixel is `offset` of the picture. Raises NodeExecutionError EMPTY_MASK.
    """
    picture = context.picture()
    height, width = picture.shape[:2]
    box = box_in(input, picture)
    box_id = required(input, "box_id", str)
    window = masks.window_of(box)
    stop_if_cancelled(context)
    context.progress("segmenting", 0, 1)
    mask, predicted_iou, segmenter = _segment(input, context, picture, box, window)
    alpha = masks.soft_edge(mask)
    whole = masks.full_mask(alpha, window, width=width, height=height)
    left, top, right, bottom = window
    mask_key = context.write_artifact("mask.png", masks.mask_png(whole))
    cutout_key = context.write_artifact(
        "cutout.png", masks.cutout_png(picture[top:bottom, left:right], alpha)
    )
    context.progress("segmenting", 1, 1)
    return {
        "box_id": box_id,
        "mask": mask_key,
        "cutout": cutout_key,
        "offset": [left, top],
        "predicted_iou": predicted_iou,
        "area": int(mask.sum()),
        "segmenter": segmenter,
        **made_by(segmenter),
    }


def _segment(
    input: Input, context: NodeContext, picture: Picture, box: Box, window: masks.Window
) -> tuple[Mask, float | None, str]:
    segmenter = default_segmenter()
    encoding = _stored_encoding(input, context, picture)
    if encoding is None:
        encoding = segmenter.encode(picture)
    found = segmenter.segment(encoding, box, inside=window)
    mask = masks.tidy(found.logits > 0)
    if mask.sum() >= LEAST_AREA * mask.size:
        return mask, round(min(max(found.predicted_iou, 0.0), 1.0), 4), segmenter.name
    # What stands out in the crop is a poorer answer than SAM's, but better than none.
    left, top, right, bottom = window
    saliency = default_saliency()
    mask = masks.tidy(saliency.saliency(np.ascontiguousarray(picture[top:bottom, left:right])) > 0.5)
    if mask.sum() < max(LEAST_AREA * mask.size, 1):
        raise masks.empty_mask()
    return mask, None, saliency.name


def _stored_encoding(input: Input, context: NodeContext, picture: Picture) -> Encoding | None:
    """The picture's encoding, or None where there is none to use: it can always be made again."""
    key = input.get("encoding")
    if not key:
        return None
    try:
        encoding = Encoding.from_bytes(context.read_artifact(key))
    except (ProviderError, OSError):
        return None
    return encoding if (encoding.height, encoding.width) == picture.shape[:2] else None
