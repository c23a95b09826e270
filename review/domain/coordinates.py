"""Coordinates: a model's 0-1000 answers, crops and regions, in pixels of the normalised picture.

Two kinds of figures live side by side. A *point* addresses a pixel and lies in 0…width−1 and
0…height−1. A *box edge* (and a polygon's vertex) lies between pixels, in 0…width and 0…height.
Nothing here clamps a model's answer: a figure outside is refused, because silently moving it
would invent a place nobody named. Only a person's own drag is clamped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[float, float, float, float]
Region: TypeAlias = tuple[int, int, int, int]

MODEL_SCALE: Final = 1000
SMALLEST_REGION: Final = 8


class CoordinateError(ValueError):
    """A figure that cannot be a place in the picture.

    `code` is one of NOT_A_NUMBER, NOT_FINITE, OUT_OF_RANGE, NO_AREA, TOO_SMALL, WRONG_SHAPE;
    the message names the figure.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def finite(value: object, *, name: str) -> float:
    """`value` as a float. Refuses anything that is not an int or a float, booleans, NaN and infinities."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise CoordinateError("NOT_A_NUMBER", f"{name} must be a number.")
    try:
        number = float(value)
    except OverflowError:
        raise CoordinateError("NOT_FINITE", f"{name} must be a finite number.") from None
    if not math.isfinite(number):
        raise CoordinateError("NOT_FINITE", f"{name} must be a finite number.")
    return number


def centre_from_model(*, x: object, y: object, width: int, height: int) -> Point:
    """A centre in 0-1000 of the picture the model saw, in pixels: n/1000·(size−1), two decimals.

    The right edge of the scale is the last pixel, so 500 in a picture 320 wide is 159.5 and 1000 is 319.
    Raises CoordinateError for figures that are not finite or outside 0-1000.
    """
    return (
        round(_in_scale(x, name="x") / MODEL_SCALE * (width - 1), 2),
        round(_in_scale(y, name="y") / MODEL_SCALE * (height - 1), 2),
    )


def box_from_model(*, box: Sequence[object], width: int, height: int) -> Box:
    """Box edges in 0-1000 of the picture the model saw, in pixels: n/1000·size, two decimals.

    Right and bottom may equal width and height. Raises CoordinateError for figures that are not
    finite or outside 0-1000, and for a box that is empty or inverted.
    """
    left, top, right, bottom = (
        _in_scale(value, name=name) for value, name in zip(_four(box), _EDGES, strict=True)
    )
    pixels = (
        round(left / MODEL_SCALE * width, 2),
        round(top / MODEL_SCALE * height, 2),
        round(right / MODEL_SCALE * width, 2),
        round(bottom / MODEL_SCALE * height, 2),
    )
    return _with_area(pixels)


def check_point(*, point: Sequence[object], width: int, height: int) -> Point:
    """The point itself when it lies in 0…width−1 and 0…height−1; otherwise CoordinateError."""
    if isinstance(point, (str, bytes)) or len(point) != 2:
        raise CoordinateError("WRONG_SHAPE", "A point is a list of two numbers: x and y.")
    return (
        _within(point[0], high=width - 1, name="x"),
        _within(point[1], high=height - 1, name="y"),
    )


def check_vertex(*, vertex: Sequence[object], width: int, height: int) -> Point:
    """A polygon's vertex when it lies in 0…width and 0…height; otherwise CoordinateError."""
    if isinstance(vertex, (str, bytes)) or len(vertex) != 2:
        raise CoordinateError("WRONG_SHAPE", "A vertex is a list of two numbers: x and y.")
    return (
        _within(vertex[0], high=width, name="x"),
        _within(vertex[1], high=height, name="y"),
    )


def check_box(*, box: Sequence[object], width: int, height: int) -> Box:
    """The box itself when its edges lie in 0…width and 0…height and it has an area."""
    left, top, right, bottom = _four(box)
    return _with_area(
        (
            _within(left, high=width, name="x1"),
            _within(top, high=height, name="y1"),
            _within(right, high=width, name="x2"),
            _within(bottom, high=height, name="y2"),
        )
    )


def centre_of_box(box: Box) -> Point:
    """The middle of a box, two decimals."""
    return (round((box[0] + box[2]) / 2, 2), round((box[1] + box[3]) / 2, 2))


def is_flat(points: Sequence[Sequence[float]]) -> bool:
    """Whether all points lie on one line, or in one place: such a polygon covers nothing."""
    x, y = points[0]
    other = next((point for point in points if list(point) != [x, y]), None)
    if other is None:
        return True
    dx, dy = other[0] - x, other[1] - y
    return all(dx * (b - y) == dy * (a - x) for a, b in points)


def snap_region(*, region: Sequence[object], width: int, height: int) -> Region:
    """A region of whole pixels: left and top rounded down, right and bottom up.

    Raises CoordinateError for a region outside the picture, without area, or under 8×8 px.
    """
    left, top, right, bottom = check_box(box=region, width=width, height=height)
    snapped = (math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom))
    if snapped[2] - snapped[0] < SMALLEST_REGION or snapped[3] - snapped[1] < SMALLEST_REGION:
        raise CoordinateError(
            "TOO_SMALL", f"A region must be at least {SMALLEST_REGION}×{SMALLEST_REGION} pixels."
        )
    return snapped


def centre_is_in_region(*, centre: Point, region: Box | Region) -> bool:
    """Left and top edges belong to the region, right and bottom edges do not."""
    return region[0] <= centre[0] < region[2] and region[1] <= centre[1] < region[3]


def box_is_in_region(*, box: Box, region: Box | Region) -> bool:
    """Whether the whole box lies in the region; shared edges count as inside."""
    return region[0] <= box[0] and region[1] <= box[1] and box[2] <= region[2] and box[3] <= region[3]


def point_from_crop(*, point: Sequence[object], region: Region, width: int, height: int) -> Point:
    """A point in pixels of the region's crop, in pixels of the picture.

    It is checked inside the crop *first*: a point past the crop's edge may well be inside the
    picture once shifted, and would then name something the model never saw.
    """
    inside = check_point(point=point, width=region[2] - region[0], height=region[3] - region[1])
    shifted = (round(inside[0] + region[0], 2), round(inside[1] + region[1], 2))
    return check_point(point=shifted, width=width, height=height)


def box_from_crop(*, box: Sequence[object], region: Region, width: int, height: int) -> Box:
    """A box in pixels of the region's crop, in pixels of the picture; checked in the crop first."""
    inside = check_box(box=box, width=region[2] - region[0], height=region[3] - region[1])
    shifted = (
        round(inside[0] + region[0], 2),
        round(inside[1] + region[1], 2),
        round(inside[2] + region[0], 2),
        round(inside[3] + region[1], 2),
    )
    return check_box(box=shifted, width=width, height=height)


def clamp_dragged_point(*, point: Sequence[object], width: int, height: int) -> Point:
    """A person's own drag past the picture's edge ends at its last pixel."""
    if isinstance(point, (str, bytes)) or len(point) != 2:
        raise CoordinateError("WRONG_SHAPE", "A point is a list of two numbers: x and y.")
    return (
        min(max(finite(point[0], name="x"), 0.0), float(width - 1)),
        min(max(finite(point[1], name="y"), 0.0), float(height - 1)),
    )


def clamp_dragged_box(*, box: Sequence[object], width: int, height: int) -> Box:
    """A person's own drag past the picture's edge ends at the edge, from whichever corner it began.

    Raises CoordinateError when nothing of the box is in the picture.
    """
    x1, y1, x2, y2 = (finite(value, name=name) for value, name in zip(_four(box), _EDGES, strict=True))
    left, right = sorted((min(max(x1, 0.0), float(width)), min(max(x2, 0.0), float(width))))
    top, bottom = sorted((min(max(y1, 0.0), float(height)), min(max(y2, 0.0), float(height))))
    return _with_area((left, top, right, bottom))


_EDGES: Final = ("x1", "y1", "x2", "y2")


def _four(box: Sequence[object]) -> Sequence[object]:
    if isinstance(box, (str, bytes)) or len(box) != 4:
        raise CoordinateError("WRONG_SHAPE", "A box is a list of four numbers: x1, y1, x2, y2.")
    return box


def _in_scale(value: object, *, name: str) -> float:
    return _within(value, high=MODEL_SCALE, name=name)


def _within(value: object, *, high: float, name: str) -> float:
    number = finite(value, name=name)
    if not 0 <= number <= high:
        raise CoordinateError("OUT_OF_RANGE", f"{name} is {number:g}; it must lie in 0…{high:g}.")
    return number


def _with_area(box: Box) -> Box:
    if box[2] <= box[0] or box[3] <= box[1]:
        raise CoordinateError(
            "NO_AREA", "A box needs its right edge right of its left one and its bottom below its top."
        )
    return box
