"""QUALITY_GATE_SUBJECT: is this mask good enough, worth refining, or no use?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

import cv2
import numpy as np

from review.executor import masks
from review.executor.contract import Input, NodeContext, Report, stop_if_cancelled
from review.executor.inputs import box_in, required
from review.executor.versions import made_by
from review.providers.contract import Mask, Picture

Verdict = Literal["pass", "refine", "fail"]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The gate's one table. Any change of a figure is a new version."""

    version: str
    least_fill: float
    """Area of the mask against its box: below it the object is elsewhere, or the box far too large."""
    most_outside: int
    """Mask pixels outside the box."""
    most_pieces: int
    """More separate pieces than this is noise, not an object."""
    least_predicted_iou: float
    """SAM's own estimate; below it the mask is a guess."""
    sure_predicted_iou: float
    """From here on the segmenter's edge is trusted as it is."""
    pieces_to_refine: int
    holes_to_refine: int
    softness_to_refine: float
    """Share of the outline where the picture shows no clear edge: fur, hair, blur, reflections."""
    clear_edge: float
    """Colour difference across the outline, 0-1, from which an edge is clear."""


THRESHOLDS: Final = Thresholds(
    version="2026-12-1",
    least_fill=0.02,
    most_outside=0,
    most_pieces=24,
    least_predicted_iou=0.5,
    sure_predicted_iou=0.9,
    pieces_to_refine=2,
    holes_to_refine=2,
    softness_to_refine=0.3,
    clear_edge=0.1,
)

NEAR: Final = 3
"""Pixels on both sides of the outline whose colours are compared."""
LOOKED_AT: Final = 1024
"""Longest side at which the outline is compared."""
COUNTED: Final = 0.001
"""Of the object's area: smaller pieces and holes are not counted."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What the gate measures; areas in pixels, shares in 0-1."""

    area: int
    fill: float
    outside: int
    touches_edge: bool
    pieces: int
    holes: int
    edge_softness: float
    predicted_iou: float | None


def handle(*, input: Input, context: NodeContext) -> Report:
    """`{box_id, bbox, mask: key, predicted_iou, refined}` → `{verdict, figures, reasons, …}`."""
    picture = context.picture()
    height, width = picture.shape[:2]
    box = box_in(input, picture)
    mask = masks.read_mask(context.read_artifact(required(input, "mask", str)), width=width, height=height)
    stop_if_cancelled(context)
    predicted = input.get("predicted_iou")
    figures = measure(
        picture,
        mask,
        masks.window_of(box),
        predicted_iou=float(predicted) if isinstance(predicted, (int, float)) else None,
    )
    verdict, reasons = judge(figures, refined=bool(input.get("refined")))
    return {
        "box_id": input.get("box_id"),
        "verdict": verdict,
        "figures": {
            "area": figures.area,
            "fill": round(figures.fill, 4),
            "outside": figures.outside,
            "touches_edge": figures.touches_edge,
            "pieces": figures.pieces,
            "holes": figures.holes,
            "edge_softness": round(figures.edge_softness, 4),
            "predicted_iou": figures.predicted_iou,
        },
        "reasons": reasons,
        "thresholds_version": THRESHOLDS.version,
        **made_by("quality-gate"),
    }


def judge(
    figures: Figures, *, refined: bool, limits: Thresholds = THRESHOLDS
) -> tuple[Verdict, list[dict[str, Any]]]:
    """The verdict and every reason for it. A refined mask is never sent to be refined again."""
    failures = [
        _reason(code, text)
        for applies, code, text in (
            (figures.area == 0, "EMPTY", "The mask is empty."),
            (
                figures.area > 0 and figures.fill < limits.least_fill,
                "TOO_LITTLE",
                f"The mask fills {figures.fill:.1%} of its box.",
            ),
            (
                figures.outside > limits.most_outside,
                "OUTSIDE_BOX",
                f"{figures.outside} pixels of the mask lie outside the box.",
            ),
            (
                figures.pieces > limits.most_pieces,
                "FRAGMENTED",
                f"The mask is in {figures.pieces} pieces.",
            ),
            (
                figures.predicted_iou is not None and figures.predicted_iou < limits.least_predicted_iou,
                "UNSURE",
                f"The segmenter rates its own mask {figures.predicted_iou or 0:.2f}.",
            ),
        )
        if applies
    ]
    if failures:
        return "fail", failures
    if refined:
        return "pass", []
    doubts = [
        _reason(code, text)
        for applies, code, text in (
            (
                figures.predicted_iou is None,
                "FALLBACK_SEGMENTER",
                "The segmenter found nothing; this mask is the fallback's.",
            ),
            (
                figures.predicted_iou is not None and figures.predicted_iou < limits.sure_predicted_iou,
                "NOT_SURE",
                f"The segmenter rates its own mask {figures.predicted_iou or 0:.2f}.",
            ),
            (
                figures.pieces >= limits.pieces_to_refine,
                "SEVERAL_PIECES",
                f"The mask is in {figures.pieces} pieces.",
            ),
            (figures.holes >= limits.holes_to_refine, "HOLES", f"The mask has {figures.holes} holes."),
            (
                figures.edge_softness > limits.softness_to_refine,
                "SOFT_EDGE",
                f"{figures.edge_softness:.0%} of the outline shows no clear edge.",
            ),
        )
        if applies
    ]
    return ("refine", doubts) if doubts else ("pass", [])


def measure(
    picture: Picture, mask: masks.Grey, window: masks.Window, *, predicted_iou: float | None
) -> Figures:
    """The figures of a mask of the picture's size, for the box whose whole pixels are `window`."""
    left, top, right, bottom = window
    solid = mask >= masks.HALF
    inside = solid[top:bottom, left:right]
    area = int(inside.sum())
    # One clear pixel around, so that a hole at the window's edge counts as open.
    framed = np.pad(inside, 1).astype(np.uint8)
    least = max(int(area * COUNTED), 1)
    pieces = _count(framed, connectivity=8, least=least)
    # The frame makes everything outside one region: it is not a hole.
    holes = _count((1 - framed).astype(np.uint8), connectivity=4, least=least) - 1
    on_edge = solid[0].any() or solid[-1].any() or solid[:, 0].any() or solid[:, -1].any()
    return Figures(
        area=area,
        fill=area / max(inside.size, 1),
        outside=int(np.count_nonzero(mask)) - int(np.count_nonzero(mask[top:bottom, left:right])),
        touches_edge=bool(on_edge),
        pieces=pieces,
        holes=max(holes, 0),
        edge_softness=softness(
            picture[max(top - NEAR, 0) : bottom + NEAR, max(left - NEAR, 0) : right + NEAR],
            solid[max(top - NEAR, 0) : bottom + NEAR, max(left - NEAR, 0) : right + NEAR],
        ),
        predicted_iou=predicted_iou,
    )


def _count(regions: masks.Grey, *, connectivity: int, least: int) -> int:
    areas = cv2.connectedComponentsWithStats(regions, connectivity=connectivity)[2][1:, cv2.CC_STAT_AREA]
    return int(np.count_nonzero(areas >= least))


def softness(picture: Picture, solid: Mask) -> float:
    """Share of the outline across which the colours differ by less than `clear_edge`.

    At each pixel of the outline the mean colour of the object's side is compared with the other
    side's, both within NEAR pixels; the difference is the largest over the channels.
    Large crops are looked at from further away: three pixels of a huge picture show no edge at all.
    """
    inner = solid.astype(np.float32)
    scale = LOOKED_AT / max(inner.shape)
    if scale < 1.0:
        size = (max(round(inner.shape[1] * scale), 1), max(round(inner.shape[0] * scale), 1))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        inner = (cv2.resize(inner, size, interpolation=cv2.INTER_AREA) >= 0.5).astype(np.float32)
    around = (2 * NEAR + 1, 2 * NEAR + 1)
    weight_in = cv2.boxFilter(inner, -1, around, normalize=True, borderType=cv2.BORDER_REPLICATE)
    outline = (cv2.erode(inner, np.ones((3, 3), np.uint8)) < inner) & (weight_in < 1.0 - 1e-6)
    if not outline.any():
        return 0.0
    colours = picture.astype(np.float32) / 255.0
    sum_in = cv2.boxFilter(colours * inner[..., None], -1, around, borderType=cv2.BORDER_REPLICATE)
    sum_all = cv2.boxFilter(colours, -1, around, borderType=cv2.BORDER_REPLICATE)
    mean_in = sum_in / np.maximum(weight_in, 1e-6)[..., None]
    mean_out = (sum_all - sum_in) / np.maximum(1.0 - weight_in, 1e-6)[..., None]
    across = np.abs(mean_in - mean_out).max(axis=2)
    return float((across[outline] < THRESHOLDS.clear_edge).mean())


def _reason(code: str, message: str) -> dict[str, Any]:
    return {"code": code, "message": message}
