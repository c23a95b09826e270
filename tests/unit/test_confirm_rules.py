"""What a draft has to mean before it is confirmed, and what a config may be."""

import pytest

from review.domain.config_rules import changed_parts, check_config
from review.domain.confirm_rules import check_meaning
from review.domain.items import Picture


def item(label, number=1, **more):
    return {"id": f"i{number}", "label": label, "geometry": {"type": "point", "x": number, "y": 1}, **more}


def check(items, *, mode="free", targets=(), labels=("cup", "spoon"), geometries=("point",)):
    found = check_meaning(
        items,
        selection_mode=mode,
        targets=list(targets),
        labels=labels,
        geometries=geometries,
        picture=Picture(width=160, height=120),
    )
    return [(error.field, error.code) for error in found]


CUP, SPOON = item("cup", 1), item("spoon", 2)


def test_every_missing_or_foreign_label_is_named_by_its_item():
    items = [CUP, item(None, 2), item("  ", 3), item("teapot", 4)]
    assert check(items) == [
        ("items.1.label", "required"),
        ("items.2.label", "required"),
        ("items.3.label", "unknown_label"),
    ]


def test_a_kind_of_shape_that_is_not_taken_any_more_is_named_by_its_item():
    box = {**SPOON, "geometry": {"type": "bbox", "bbox": [1, 1, 5, 5]}}
    assert check([CUP, box]) == [("items.1.geometry", "geometry_not_allowed")]


@pytest.mark.parametrize(
    ("points", "is_right"),
    [
        ([[1, 1], [5, 5], [9, 9]], False),
        ([[1, 1], [1, 1], [1, 1]], False),
        ([[1, 1], [1, 1], [9, 1], [4, 1]], False),
        ([[1, 1], [9, 1], [4, 1.5]], True),
        # Crosses itself: its halves cancel in the area formula, and yet it covers something.
        ([[1, 1], [9, 9], [9, 1], [1, 9]], True),
    ],
)
def test_a_polygon_covers_something(points, is_right):
    polygon = {**CUP, "geometry": {"type": "polygon", "points": points}}
    expected = [] if is_right else [("items.0.geometry", "no_area")]
    assert check([polygon], geometries=("polygon",)) == expected


def test_a_project_without_labels_takes_every_label_but_not_none():
    assert check([item("teapot")], labels=()) == []
    assert check([item(None)], labels=()) == [("items.0.label", "required")]


@pytest.mark.parametrize(
    ("mode", "targets", "items", "is_right"),
    [
        ("free", [], [], True),
        ("free", [], [CUP, SPOON], True),
        ("single", [], [], False),
        ("single", [], [CUP], True),
        ("single", [], [CUP, SPOON], False),
        ("all", [], [], False),
        ("all", [], [CUP, SPOON], True),
        ("ordered", ["cup", "spoon"], [CUP], False),
        ("ordered", ["cup", "spoon"], [CUP, SPOON], True),
        ("ordered", ["cup", "spoon"], [SPOON, CUP], False),
        ("ordered", ["the red one", "the blue one"], [SPOON, CUP], True),
        ("ordered", ["cup", "spoon"], [{**SPOON, "order": 2}, {**CUP, "order": 1}], True),
        ("ordered", ["cup", "spoon"], [{**CUP, "order": 2}, {**SPOON, "order": 1}], False),
        ("ordered", ["cup", "spoon"], [{**CUP, "order": 1}, {**SPOON, "order": 1}], False),
        ("ordered", ["cup", "spoon"], [{**CUP, "order": 1}, SPOON], False),
    ],
)
def test_counts_and_order_by_selection_mode(mode, targets, items, is_right):
    assert (check(items, mode=mode, targets=targets) == []) is is_right


def test_a_place_that_is_not_in_the_picture_is_not_confirmed_either():
    outside = {"id": "i1", "label": "cup", "geometry": {"type": "point", "x": 160, "y": 1}}
    assert check([outside]) == [("items.0.geometry", "outside")]


def wrong(wanted):
    found = check_config(wanted, project_geometries=["point", "bbox"], labels=["cup"])
    return [error.field for error in found]


def test_what_a_config_may_not_be():
    assert wrong({"question": "x" * 2001}) == ["config.question"]
    assert wrong({"targets": ["cup", " "]}) == ["config.targets.1"]
    assert wrong({"targets": ["x"] * 65}) == ["config.targets"]
    assert wrong({"geometries": []}) == ["config.geometries"]
    assert wrong({"geometries": ["point", "polygon"]}) == ["config.geometries"]
    assert wrong({"labels": ["spoon"]}) == ["config.labels"]
    assert wrong({"question": "Which?", "targets": ["cup"], "geometries": ["bbox"], "labels": ["cup"]}) == []


def test_only_what_differs_is_a_change():
    present = {"question": "Which?", "selection_mode": "free", "targets": [], "geometries": ["point"]}
    assert changed_parts(present, {"question": "Which?", "targets": []}) == {}
    assert changed_parts(present, {"question": "What?", "targets": []}) == {"question": "What?"}
