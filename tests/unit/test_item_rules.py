"""Draft checks protect structure only; candidates and their sources are checked by id."""

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from review.domain.items import (
    KnownSources,
    Picture,
    candidate_item,
    check_candidates,
    check_draft,
    check_geometry,
    check_sources,
    geometry_of,
    shown_candidate,
)

PICTURE = Picture(width=160, height=120)
ALL = ["point", "bbox", "polygon"]


def point(x, y, name="i1"):
    return {"id": name, "label": None, "geometry": {"type": "point", "x": x, "y": y}}


def box(*edges, name="i1"):
    return {"id": name, "label": "cup", "geometry": {"type": "bbox", "bbox": list(edges)}}


def fields(errors):
    return [error.field for error in errors]


@given(st.floats(0, 159), st.floats(0, 119))
def test_a_point_in_the_picture_can_be_saved_without_a_label(x, y):
    assert check_draft([point(x, y)], picture=PICTURE) == []


@given(st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: not 0 <= x <= 159))
def test_a_point_outside_is_named_and_never_moved_inside(x):
    item = point(x, 5)
    before = copy.deepcopy(item)
    assert fields(check_draft([item], picture=PICTURE)) == ["items.0.geometry"]
    assert item == before


def test_edges_and_vertices_may_lie_on_the_border_but_a_point_may_not():
    assert check_geometry({"type": "bbox", "bbox": [0, 0, 160, 120]}, picture=PICTURE) is None
    corners = {"type": "polygon", "points": [[0, 0], [160, 0], [160, 120]]}
    assert check_geometry(corners, picture=PICTURE) is None
    assert check_geometry({"type": "point", "x": 160, "y": 0}, picture=PICTURE) is not None


def test_a_box_needs_an_area_and_a_polygon_three_points():
    assert check_geometry({"type": "bbox", "bbox": [5, 5, 5, 9]}, picture=PICTURE) is not None
    assert check_geometry({"type": "polygon", "points": [[0, 0], [1, 1]]}, picture=PICTURE) is not None


def test_an_id_twice_and_a_shape_that_does_not_fit_are_named():
    items = [point(1, 1), point(2, 2), box(1, 1, 5, 121, name="i2")]
    found = check_draft(items, picture=PICTURE, prefix="draft.items")
    assert fields(found) == ["draft.items.1.id", "draft.items.2.geometry"]


def test_two_thousand_items_fit_and_one_more_does_not():
    items = [point(1, 1, name=str(number)) for number in range(2001)]
    assert check_draft(items[:2000], picture=PICTURE) == []
    assert fields(check_draft(items, picture=PICTURE)) == ["items"]


def test_candidates_sixty_four_unique_ids_and_a_place_each():
    many = [{"id": str(n), "label": None, "center": [1, 1], "bbox": None} for n in range(65)]
    assert check_candidates(many[:64], picture=PICTURE) == []
    assert fields(check_candidates(many, picture=PICTURE)) == ["items"]
    wrong: list[dict[str, Any]] = [
        {"id": "a", "bbox": [0, 0, 161, 10]},
        {"id": "a", "bbox": [0, 0, 10, 10]},
        {"id": "b"},
        {"id": "c", "center": [160, 0]},
    ]
    assert fields(check_candidates(wrong, picture=PICTURE)) == [
        "items.0.bbox",
        "items.1.id",
        "items.2.center",
        "items.3.center",
    ]


def test_a_centre_beside_a_box_is_ours_to_compute():
    sent = {"id": "a", "label": "cup", "bbox": [0, 0, 10, 20], "center": [999, 999]}
    assert check_candidates([sent], picture=PICTURE) == []
    assert candidate_item(sent, new_id="new", before=None)["center"] == [5, 10]


def test_what_only_a_model_writes_comes_from_the_set_before():
    before = {
        "box_id": "a",
        "label": "cup",
        "bbox": [0, 0, 9, 9],
        "center": [4.5, 4.5],
        "score": 0.7,
        "source": "model",
    }
    before |= {"edited": False, "valid": True, "target_policy": "segment"}
    same = candidate_item(
        {"id": "a", "label": "cup", "bbox": [0, 0, 9, 9], "score": 1}, new_id="n", before=before
    )
    assert same == before
    moved = candidate_item({"id": "a", "label": "cup", "bbox": [0, 0, 8, 9]}, new_id="n", before=before)
    assert (moved["score"], moved["edited"], moved["source"]) == (0.7, True, "model")
    assert "valid" not in moved
    new = candidate_item({"label": None, "center": [1, 2], "bbox": None}, new_id="n", before=None)
    assert (new["box_id"], new["score"], new["source"], new["center"]) == ("n", None, "manual", [1, 2])


def test_references_lead_somewhere():
    known = KnownSources(candidates={"s1": frozenset({"c1"}), "s2": frozenset()}, predictions={"p1": "s1"})

    def item(**source):
        full = {"candidate_set_id": None, "candidate_id": None, "prediction_id": None} | source
        return [{**point(1, 1), "source": full}]

    right = item(candidate_set_id="s1", candidate_id="c1", prediction_id="p1")
    assert check_sources(right, known=known) == []
    assert check_sources([point(1, 1)], known=known) == []
    at = "items.0.source"
    assert fields(check_sources(item(candidate_set_id="s9"), known=known)) == [f"{at}.candidate_set_id"]
    other = item(candidate_set_id="s2", candidate_id="c1")
    assert fields(check_sources(other, known=known)) == [f"{at}.candidate_id"]
    assert fields(check_sources(item(prediction_id="p9"), known=known)) == [f"{at}.prediction_id"]
    crossed = item(candidate_set_id="s2", prediction_id="p1")
    assert fields(check_sources(crossed, known=known)) == [f"{at}.prediction_id"]


@given(st.integers(0, 158), st.integers(0, 118), st.integers(1, 200), st.integers(1, 200))
def test_whatever_candidate_is_applied_its_shape_can_be_saved(x, y, width, height):
    bbox = [x, y, min(x + width, 160), min(y + height, 120)]
    shown = shown_candidate({"box_id": "a", "bbox": bbox})
    for kinds in (["point"], ["bbox"], ALL):
        geometry = geometry_of(shown, geometries=kinds, picture=PICTURE)
        assert geometry is not None
        assert check_geometry(geometry, picture=PICTURE) is None
    assert geometry_of(shown, geometries=["polygon"], picture=PICTURE) is None
