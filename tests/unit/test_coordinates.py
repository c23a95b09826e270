"""Coordinates: the seed's own examples, and what holds for every picture."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.domain.coordinates import (
    CoordinateError,
    box_from_crop,
    box_from_model,
    box_is_in_region,
    centre_from_model,
    centre_is_in_region,
    centre_of_box,
    check_box,
    check_point,
    check_vertex,
    clamp_dragged_box,
    clamp_dragged_point,
    point_from_crop,
    snap_region,
)

sides = st.integers(min_value=1, max_value=20_000)
figures = st.floats(min_value=0, max_value=1000) | st.integers(min_value=0, max_value=1000)


def code_of(call: Any, **arguments: Any) -> str:
    with pytest.raises(CoordinateError) as caught:
        call(**arguments)
    return caught.value.code


def test_500_of_a_picture_320_wide_is_159_and_a_half() -> None:
    assert centre_from_model(x=500, y=0, width=320, height=200) == (159.5, 0)
    assert centre_from_model(x=1000, y=1000, width=320, height=200) == (319, 199)


@given(x=figures, y=figures, width=sides, height=sides)
def test_every_centre_is_a_pixel_of_the_picture(x: float, y: float, width: int, height: int) -> None:
    point = centre_from_model(x=x, y=y, width=width, height=height)
    assert check_point(point=point, width=width, height=height) == point


def test_box_edges_may_equal_the_pictures_size() -> None:
    assert box_from_model(box=[0, 0, 1000, 1000], width=320, height=200) == (0, 0, 320, 200)
    assert box_from_model(box=[250, 333, 500, 666], width=320, height=200) == (80, 66.6, 160, 133.2)


@given(edges=st.tuples(figures, figures, figures, figures), width=sides, height=sides)
def test_a_models_box_is_a_box_of_the_picture_or_refused(
    edges: tuple[float, float, float, float], width: int, height: int
) -> None:
    try:
        box = box_from_model(box=edges, width=width, height=height)
    except CoordinateError as problem:
        assert problem.code == "NO_AREA"  # noqa: PT017 (both outcomes are right)
        return
    assert edges[0] < edges[2]
    assert edges[1] < edges[3]
    assert check_box(box=box, width=width, height=height) == box


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400])
def test_figures_that_are_not_finite_are_refused(value: float) -> None:
    assert code_of(centre_from_model, x=value, y=1, width=9, height=9) == "NOT_FINITE"
    assert code_of(box_from_model, box=[0, 0, value, 5], width=9, height=9) == "NOT_FINITE"
    assert code_of(check_point, point=[1, value], width=9, height=9) == "NOT_FINITE"
    assert code_of(check_box, box=[0, 0, 5, value], width=9, height=9) == "NOT_FINITE"
    assert code_of(clamp_dragged_point, point=[value, 1], width=9, height=9) == "NOT_FINITE"


@pytest.mark.parametrize("value", [True, "5", None, [1]])
def test_what_is_no_number_is_refused(value: object) -> None:
    assert code_of(centre_from_model, x=value, y=1, width=9, height=9) == "NOT_A_NUMBER"


@pytest.mark.parametrize("value", [-0.01, 1000.01])
def test_outside_the_scale_is_refused_not_clamped(value: float) -> None:
    assert code_of(centre_from_model, x=value, y=1, width=9, height=9) == "OUT_OF_RANGE"
    assert code_of(box_from_model, box=[value, 0, 900, 900], width=9, height=9) == "OUT_OF_RANGE"


@pytest.mark.parametrize("box", [[5, 5, 5, 9], [5, 5, 9, 5], [9, 5, 5, 9], [5, 9, 9, 5]])
def test_empty_and_inverted_boxes_are_refused(box: list[int]) -> None:
    assert code_of(check_box, box=box, width=10, height=10) == "NO_AREA"
    assert code_of(box_from_model, box=box, width=1000, height=1000) == "NO_AREA"


@pytest.mark.parametrize("box", [[], [1, 2, 3], [1, 2, 3, 4, 5], "1234"])
def test_a_box_has_four_figures(box: Any) -> None:
    assert code_of(check_box, box=box, width=10, height=10) == "WRONG_SHAPE"


def test_a_point_ends_a_pixel_before_a_vertex_does() -> None:
    assert check_point(point=[319, 199], width=320, height=200) == (319, 199)
    assert code_of(check_point, point=[319.01, 0], width=320, height=200) == "OUT_OF_RANGE"
    assert check_vertex(vertex=[320, 200], width=320, height=200) == (320, 200)
    assert code_of(check_vertex, vertex=[320.01, 0], width=320, height=200) == "OUT_OF_RANGE"


def test_a_region_is_snapped_outwards_and_has_a_least_size() -> None:
    assert snap_region(region=[10.9, 20.1, 99.2, 80.0], width=320, height=200) == (10, 20, 100, 80)
    assert snap_region(region=[0, 0, 8, 8], width=320, height=200) == (0, 0, 8, 8)
    assert code_of(snap_region, region=[0, 0, 7, 50], width=320, height=200) == "TOO_SMALL"
    assert code_of(snap_region, region=[300, 0, 321, 50], width=320, height=200) == "OUT_OF_RANGE"


def test_the_seeds_region_maps_40_30_to_140_80() -> None:
    region = (100, 50, 300, 170)
    assert point_from_crop(point=[40, 30], region=region, width=320, height=200) == (140, 80)


def test_a_point_past_the_crop_is_refused_though_the_picture_has_room_for_it() -> None:
    region = (100, 50, 300, 170)
    assert code_of(point_from_crop, point=[250, 30], region=region, width=4000, height=2000) == "OUT_OF_RANGE"
    assert code_of(point_from_crop, point=[200, 30], region=region, width=4000, height=2000) == "OUT_OF_RANGE"
    assert point_from_crop(point=[199, 119], region=region, width=320, height=200) == (299, 169)
    assert (
        code_of(box_from_crop, box=[150, 0, 250, 50], region=region, width=4000, height=2000)
        == "OUT_OF_RANGE"
    )
    assert box_from_crop(box=[150, 0, 200, 120], region=region, width=320, height=200) == (250, 50, 300, 170)


def test_a_regions_left_and_top_belong_to_it_right_and_bottom_do_not() -> None:
    region = (100, 50, 300, 170)
    assert centre_is_in_region(centre=(100, 50), region=region)
    assert not centre_is_in_region(centre=(300, 60), region=region)
    assert not centre_is_in_region(centre=(150, 170), region=region)
    assert box_is_in_region(box=(100, 50, 300, 170), region=region)
    assert not box_is_in_region(box=(99.99, 50, 300, 170), region=region)


def test_a_persons_drag_ends_at_the_picture() -> None:
    assert clamp_dragged_point(point=[-5, 500], width=320, height=200) == (0, 199)
    assert clamp_dragged_box(box=[300, 150, -20, 400], width=320, height=200) == (0, 150, 300, 200)
    assert code_of(clamp_dragged_box, box=[330, 10, 400, 20], width=320, height=200) == "NO_AREA"


def test_the_middle_of_a_box() -> None:
    assert centre_of_box((0, 0, 3, 5)) == (1.5, 2.5)
