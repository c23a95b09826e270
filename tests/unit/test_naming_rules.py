"""Naming and validation rules, with detectors that answer what the test says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from review.executor import detect_region, detect_subjects, validate_manual_boxes
from review.executor.contract import NodeExecutionError
from review.providers.contract import Alternative, Box, Detection, Picture
from review.providers.local.detectors import UnionDetector
from review.providers.local.naming import Namer
from review.providers.local.oid_detector import anchors, decode
from review.providers.local.overlap import iou, join_same, keep_best
from tests.support.node_context import MemoryContext

PICTURE = np.random.default_rng(7).integers(0, 255, (200, 300, 3), dtype=np.uint8)
BOX: Box = (100, 60, 180, 140)


class Scripted:
    """Detector and classifier in one: answers by the width of what it is shown."""

    name = "scripted"

    def __init__(
        self, *, whole: list[Detection] | None = None, crop: list[Detection] | None = None, names: Any = ()
    ) -> None:
        self.whole, self.crop, self.names = whole or [], crop or [], list(names)
        self.detected, self.classified = 0, 0

    def detect(self, picture: Picture, *, keep: float | None = None) -> list[Detection]:
        self.detected += 1
        return self.whole if picture.shape == PICTURE.shape else self.crop

    def classify(self, picture: Picture, *, top: int = 5) -> list[Alternative]:
        self.classified += 1
        return self.names


def found(label: str, bbox: Box, score: float = 0.9) -> Detection:
    return Detection(label=label, bbox=bbox, score=score, detector="scripted")


def validate(item: dict[str, Any], scripted: Scripted, *, labels: list[str], picture: Any = PICTURE) -> Any:
    report = validate_manual_boxes.handle(
        input={"items_to_validate": [{"box_id": "box_1", "bbox": list(BOX), **item}], "labels": labels},
        context=MemoryContext(picture),
        detector=scripted,
        classifier=scripted,
    )
    return report["items"][0]


def test_a_detector_on_the_whole_picture_names_first() -> None:
    scripted = Scripted(
        whole=[found("cup", BOX), found("table", (0, 0, 300, 200))], names=[Alternative("vase", 1.0)]
    )
    name = Namer(PICTURE, detector=scripted, classifier=scripted).name((105, 65, 185, 145))
    assert (name.label, name.named_by) == ("cup", "detector")
    assert (scripted.detected, scripted.classified) == (1, 0)


def test_then_a_detector_on_the_padded_crop_shifted_back() -> None:
    # Padded by 35 % of 80 px the crop begins at (72, 32): the box is at (28, 28) in it.
    scripted = Scripted(whole=[found("cup", (0, 0, 60, 60))], crop=[found("spoon", (28, 28, 108, 108))])
    name = Namer(PICTURE, detector=scripted, classifier=scripted).name(BOX)
    assert (name.label, name.named_by) == ("spoon", "detector_on_crop")


def test_then_the_classifier_and_below_the_threshold_nobody() -> None:
    scripted = Scripted(names=[Alternative("vase", 0.35)])
    name = Namer(PICTURE, detector=scripted, classifier=scripted).name(BOX)
    assert (name.label, name.named_by) == ("vase", "classifier")
    scripted = Scripted(names=[Alternative("vase", 0.349)])
    name = Namer(PICTURE, detector=scripted, classifier=scripted).name(BOX)
    assert (name.label, name.score, name.named_by) == (None, 0.349, None)


def test_the_whole_picture_is_detected_once_for_all_boxes() -> None:
    scripted = Scripted(whole=[found("cup", BOX)])
    namer = Namer(PICTURE, detector=scripted, classifier=scripted)
    for shift in range(5):
        namer.name((100 + shift, 60, 180 + shift, 140))
    assert scripted.detected == 1


def test_a_projects_own_label_is_the_persons_word() -> None:
    scripted = Scripted(whole=[found("cup", BOX)])
    item = validate({"label": " Löffel "}, scripted, labels=["tasse", "LÖFFEL"])
    assert (item["valid"], item["label"], item["named_by"]) == (True, " Löffel ", "person")
    assert (item["score"], item["code"]) == (None, None)
    assert (scripted.detected, scripted.classified) == (0, 0)


def test_an_empty_label_is_filled_and_a_foreign_one_never_overwritten() -> None:
    item = validate({"label": None}, Scripted(whole=[found("cup", BOX)]), labels=["tasse"])
    assert (item["valid"], item["label"], item["score"], item["named_by"]) == (True, "cup", 0.9, "detector")
    item = validate({"label": "goblet"}, Scripted(whole=[found("cup", BOX)]), labels=["tasse"])
    assert (item["valid"], item["label"], item["suggested_label"]) == (True, "goblet", "cup")
    item = validate({"label": "goblet"}, Scripted(), labels=["tasse"])
    assert (item["valid"], item["label"], item["code"]) == (False, "goblet", "NOT_RECOGNISED")


@pytest.mark.parametrize("label", [None, "spoon", "goblet"])
def test_too_small_and_no_content_fail_every_label(label: str | None) -> None:
    scripted = Scripted(whole=[found("cup", BOX)])
    small = validate({"label": label, "bbox": [100, 60, 115.9, 140]}, scripted, labels=["spoon"])
    assert (small["valid"], small["code"], small["label"]) == (False, "TOO_SMALL", label)
    assert "16" in small["message"]
    blank = np.full_like(PICTURE, 90)
    empty = validate({"label": label}, scripted, labels=["spoon"], picture=blank)
    assert (empty["valid"], empty["code"], empty["label"]) == (False, "NO_CONTENT", label)


def test_a_box_of_exactly_sixteen_pixels_is_large_enough() -> None:
    item = validate({"label": "spoon", "bbox": [100, 60, 116, 76]}, Scripted(), labels=["spoon"])
    assert item["valid"]


def test_one_thing_with_three_names_is_one_detection() -> None:
    cup, bowl = found("cup", BOX, 0.95), found("bowl", (98, 62, 178, 144), 0.87)
    mug, table = found("coffee cup", (100, 64, 184, 150), 0.56), found("dining table", (0, 0, 300, 200), 0.76)
    joined = join_same([mug, table, bowl, cup], limit=0.55)
    assert [one.label for one in joined] == ["cup", "dining table"]
    assert [other.label for other in joined[0].alternatives] == ["bowl", "coffee cup"]
    assert joined[1].alternatives == ()


def test_overlap_and_suppression() -> None:
    assert iou((0, 0, 10, 10), (0, 0, 10, 10)) == 1
    assert iou((0, 0, 10, 10), (10, 0, 20, 10)) == 0
    assert iou((0, 0, 10, 10), (5, 0, 15, 10)) == pytest.approx(1 / 3)
    boxes = np.array([[0, 0, 10, 10], [1, 0, 11, 10], [30, 30, 40, 40]], np.float32)
    assert keep_best(boxes, np.array([0.5, 0.9, 0.4], np.float32), limit=0.5) == [1, 2]


def test_an_anchor_without_offsets_is_its_own_box() -> None:
    around = anchors()
    assert around.shape == (1917, 4)
    boxes = decode(np.zeros((1917, 4), np.float32), around)
    middle = boxes[1083 + 4 * 60 + 4]  # a square inside the second grid, away from the edges
    assert 0 <= middle[0] < middle[2] <= 1
    assert boxes.min() >= 0
    assert boxes.max() <= 1


def test_detection_keeps_the_best_64_and_says_so() -> None:
    many = [found(f"thing {n}", (3.0 * n, 0, 3.0 * n + 2, 9), 0.4 + n / 1000) for n in range(70)]
    report = detect_subjects.handle(
        input={"image": {"width": 300, "height": 200}},
        context=MemoryContext(PICTURE),
        detector=UnionDetector((Scripted(whole=many),)),
    )
    scores = [box["score"] for box in report["boxes"]]
    assert len(scores) == 64
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 0.469
    assert [warning["code"] for warning in report["warnings"]] == ["TRUNCATED"]
    assert {"provider", "model", "adapter_version", "code_version"} <= set(report)


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(NodeExecutionError) as caught:
        detect_subjects.handle(
            input={"image": {"width": 301, "height": 200}},
            context=MemoryContext(PICTURE),
            detector=Scripted(),
        )
    assert caught.value.code == "PICTURE_MISMATCH"


def region_report(bbox: Box) -> dict[str, Any]:
    return detect_region.handle(
        input={"region": [100.5, 50, 299.5, 170], "run": "0192"},
        context=MemoryContext(PICTURE),
        detector=Scripted(crop=[found("cup", bbox)]),
    )


def test_a_regions_items_are_shifted_and_carry_the_run() -> None:
    report = region_report((40, 30, 80, 60))
    assert report["region"] == [100, 50, 300, 170]
    assert [(item["id"], item["bbox"], item["center"]) for item in report["items"]] == [
        ("r-0192-1", [140, 80, 180, 110], [160, 95])
    ]


def test_a_box_past_the_regions_edge_is_a_bad_response_not_another_place() -> None:
    with pytest.raises(NodeExecutionError) as caught:
        region_report((150, 30, 250, 60))
    assert caught.value.code == "BAD_RESPONSE"


@pytest.mark.parametrize(
    "given", [{"region": [0, 0, 5, 5], "run": "r"}, {"region": [0, 0, 50, 50]}, {"run": "r"}]
)
def test_a_region_has_a_size_and_a_run(given: dict[str, Any]) -> None:
    with pytest.raises(NodeExecutionError) as caught:
        detect_region.handle(input=given, context=MemoryContext(PICTURE), detector=Scripted())
    assert caught.value.retryable is False


def test_a_cancelled_run_stops_before_the_model() -> None:
    scripted = Scripted()
    context = MemoryContext(PICTURE, is_cancelled=True)
    with pytest.raises(NodeExecutionError) as caught:
        detect_subjects.handle(input={}, context=context, detector=scripted)
    assert caught.value.code == "CANCELLED"
    assert scripted.detected == 0
