"""The gate: each figure on drawn masks, each rule on its own."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from review.executor import masks
from review.executor.contract import NodeExecutionError
from review.executor.quality_gate import THRESHOLDS, Figures, judge, measure
from review.executor.registry import run_node
from tests.support.node_context import MemoryContext

GOOD = Figures(
    area=2500,
    fill=0.6,
    outside=0,
    touches_edge=False,
    pieces=1,
    holes=0,
    edge_softness=0.1,
    predicted_iou=0.97,
)


def scene() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """A red square on blue, 100×80, and its mask: rows 20-59, columns 30-79."""
    picture = np.full((80, 100, 3), (20, 40, 200), np.uint8)
    picture[20:60, 30:80] = (220, 30, 30)
    mask = np.zeros((80, 100), np.uint8)
    mask[20:60, 30:80] = 255
    return picture, mask


def figures_of(mask: npt.NDArray[np.uint8], picture: npt.NDArray[np.uint8] | None = None) -> Figures:
    shown = scene()[0] if picture is None else picture
    return measure(shown, mask, (25, 15, 85, 65), predicted_iou=0.95)


def test_a_clean_object_is_measured_and_passes() -> None:
    found = figures_of(scene()[1])
    assert (found.area, found.outside, found.pieces, found.holes) == (2000, 0, 1, 0)
    assert found.fill == pytest.approx(2000 / 3000)
    assert found.edge_softness == 0
    assert not found.touches_edge
    assert judge(found, refined=False) == ("pass", [])


def test_pieces_holes_and_pixels_outside_are_counted() -> None:
    mask = scene()[1]
    mask[30:34, 40:44] = 0
    mask[40:44, 50:54] = 0
    mask[20:60, 70:72] = 0
    mask[70:73, 10:14] = 255
    found = figures_of(mask)
    assert (found.pieces, found.holes, found.outside) == (2, 2, 12)


def test_specks_are_not_counted() -> None:
    mask = scene()[1]
    mask[30, 40] = 0
    mask[17, 27] = 255
    found = figures_of(mask)
    assert (found.pieces, found.holes) == (1, 0)


def test_the_pictures_edge_is_noticed() -> None:
    mask = np.zeros((80, 100), np.uint8)
    mask[0:40, 30:60] = 255
    assert measure(scene()[0], mask, (30, 0, 60, 40), predicted_iou=None).touches_edge


def test_an_outline_without_a_visible_edge_is_soft() -> None:
    flat = np.full((80, 100, 3), 128, np.uint8)
    found = figures_of(scene()[1], flat)
    assert found.edge_softness == 1
    verdict, reasons = judge(found, refined=False)
    assert (verdict, [reason["code"] for reason in reasons]) == ("refine", ["SOFT_EDGE"])


@pytest.mark.parametrize(
    ("change", "verdict", "code"),
    [
        ({"area": 0, "fill": 0.0}, "fail", "EMPTY"),
        ({"fill": THRESHOLDS.least_fill - 0.001}, "fail", "TOO_LITTLE"),
        ({"outside": 1}, "fail", "OUTSIDE_BOX"),
        ({"pieces": THRESHOLDS.most_pieces + 1}, "fail", "FRAGMENTED"),
        ({"predicted_iou": 0.49}, "fail", "UNSURE"),
        ({"predicted_iou": 0.89}, "refine", "NOT_SURE"),
        ({"predicted_iou": None}, "refine", "FALLBACK_SEGMENTER"),
        ({"pieces": 2}, "refine", "SEVERAL_PIECES"),
        ({"holes": 2}, "refine", "HOLES"),
        ({"edge_softness": 0.31}, "refine", "SOFT_EDGE"),
        ({"touches_edge": True}, "pass", None),
    ],
)
def test_each_rule(change: dict[str, Any], verdict: str, code: str | None) -> None:
    figures = replace(GOOD, **change)
    found, reasons = judge(figures, refined=False)
    assert found == verdict
    assert [reason["code"] for reason in reasons] == ([code] if code else [])
    assert all(reason["message"] for reason in reasons)
    # Once refined, a mask passes or fails; it never goes round again.
    assert judge(figures, refined=True)[0] == ("fail" if verdict == "fail" else "pass")


def test_the_handlers_report() -> None:
    picture, mask = scene()
    context = MemoryContext(picture)
    key = context.write_artifact("mask.png", masks.mask_png(mask))
    given = {
        "box_id": "box_1",
        "bbox": [25, 15, 85, 65],
        "mask": key,
        "predicted_iou": 0.95,
        "refined": False,
    }
    report = run_node(node_type="QUALITY_GATE_SUBJECT", input=given, context=context)
    assert report["verdict"] == "pass"
    assert report["thresholds_version"] == THRESHOLDS.version
    assert set(report["figures"]) == set(Figures.__dataclass_fields__)


def test_a_mask_of_another_picture_is_no_mask() -> None:
    context = MemoryContext(scene()[0])
    out = io.BytesIO()
    Image.new("L", (5, 5)).save(out, "PNG")
    for data in (out.getvalue(), b"nothing"):
        key = context.write_artifact("mask.png", data)
        with pytest.raises(NodeExecutionError) as caught:
            run_node(
                node_type="QUALITY_GATE_SUBJECT",
                input={"box_id": "b", "bbox": [25, 15, 85, 65], "mask": key},
                context=context,
            )
        assert caught.value.code == "BAD_ARTIFACT"


def test_a_window_never_reaches_outside_its_box() -> None:
    assert masks.window_of((10.2, 10.0, 20.9, 21.0)) == (11, 10, 20, 21)
    with pytest.raises(NodeExecutionError) as caught:
        masks.window_of((10.2, 10.0, 10.9, 21.0))
    assert caught.value.code == "EMPTY_MASK"


def test_tidying_drops_specks_and_pinholes_and_keeps_a_handles_opening() -> None:
    mask = np.zeros((60, 60), np.bool_)
    mask[5:50, 5:50] = True
    mask[20, 20] = False
    mask[30:40, 30:40] = False
    mask[55:57, 55:57] = True
    tidied = masks.tidy(mask)
    assert tidied[20, 20]
    assert not tidied[35, 35]
    assert not tidied[55, 55]


def test_a_cutout_carries_no_background_where_it_is_clear() -> None:
    picture, mask = scene()
    data = masks.cutout_png(picture, mask)
    with Image.open(io.BytesIO(data)) as image:
        assert image.mode == "RGBA"
        values = np.asarray(image)
    assert (values[mask == 0] == 0).all()
    assert (values[mask == 255] == (220, 30, 30, 255)).all()
