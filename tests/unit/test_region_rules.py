"""What of a region's preview may be applied."""

import copy

from hypothesis import given
from hypothesis import strategies as st

from review.domain.region_rules import check_replacements, joined_set, lies_wholly_inside, moved_point

REGION = [50, 40, 100, 90]


def stored(name, bbox=None, center=None):
    return {"box_id": name, "label": "cup", "bbox": bbox, "center": center}


@given(st.floats(0, 160), st.floats(0, 120))
def test_without_a_box_the_centre_decides_left_and_top_in_right_and_bottom_out(x, y):
    inside = lies_wholly_inside(stored("a", center=[x, y]), region=REGION)
    assert inside == (50 <= x < 100 and 40 <= y < 90)


def test_a_box_across_the_border_is_not_replaced_though_its_centre_is_inside():
    assert lies_wholly_inside(stored("a", bbox=[50, 40, 100, 90]), region=REGION)
    assert not lies_wholly_inside(stored("a", bbox=[49, 40, 100, 90]), region=REGION)
    assert not lies_wholly_inside(stored("a", bbox=[60, 50, 101, 60]), region=REGION)


def wrong(*, add=(), replace=None, count=0):
    present = {"in": stored("in", bbox=[60, 50, 70, 60]), "out": stored("out", bbox=[0, 0, 10, 10])}
    present |= {str(n): stored(str(n), center=[1, 1]) for n in range(count)}
    found = {"r1": stored("r1", bbox=[61, 51, 71, 61]), "r2": stored("r2", bbox=[62, 52, 72, 62])}
    errors = check_replacements(
        add=list(add), replace=replace or {}, found=found, present=present, region=REGION
    )
    return [(error.field, error.code) for error in errors]


def test_what_is_refused():
    assert wrong(add=["r1"], replace={"in": "r2"}) == []
    assert wrong(add=["r9"]) == [("add.0", "unknown")]
    assert wrong(replace={"in": "r9"}) == [("replace.in", "unknown")]
    assert wrong(replace={"gone": "r1"}) == [("replace.gone", "unknown")]
    assert wrong(replace={"out": "r1"}) == [("replace.out", "not_inside")]
    assert wrong(add=["r1"], replace={"in": "r1"}) == [("add", "duplicate")]
    assert wrong(add=["r1"], count=62) == [("add", "too_many")]
    assert wrong(replace={"in": "r1"}, count=62) == []


def test_replaced_ones_keep_their_place_and_added_ones_follow():
    present = [stored("a"), stored("b"), stored("c")]
    found = {"r1": stored("r1"), "r2": stored("r2")}
    joined = joined_set(present, add=["r2"], replace={"b": "r1"}, found=found)
    assert [item["box_id"] for item in joined] == ["a", "r1", "c", "r2"]


def test_moving_one_point_leaves_its_label_its_order_and_its_neighbours():
    items = [
        {"id": str(n), "label": f"l{n}", "order": n, "geometry": {"type": "point", "x": n, "y": n}}
        for n in range(3)
    ]
    before = copy.deepcopy(items)
    moved = moved_point(
        items, item_id="1", geometry={"type": "point", "x": 9, "y": 8}, source={"candidate_id": "r1"}
    )
    assert items == before
    assert [moved[0], moved[2]] == [before[0], before[2]]
    assert moved[1] == {
        **before[1],
        "geometry": {"type": "point", "x": 9, "y": 8},
        "source": {"candidate_id": "r1"},
    }
