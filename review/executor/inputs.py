"""Reading a node's input; what does not fit is a failed run that no retry can mend."""

from __future__ import annotations

from typing import Any

from review.domain.coordinates import Box, CoordinateError, check_box
from review.executor.contract import Input, NodeExecutionError
from review.providers.contract import Picture


def invalid(message: str) -> NodeExecutionError:
    """The error for an input that breaks the contract."""
    return NodeExecutionError("INVALID_INPUT", message, False)


def required(input: Input, name: str, kind: type | tuple[type, ...]) -> Any:
    """The input's field, of the kind asked for."""
    value = input.get(name)
    if not isinstance(value, kind):
        raise invalid(f"The node's input needs a field {name!r}.")
    return value


def box_in(input: Input, picture: Picture) -> Box:
    """The input's `bbox`, inside the picture and with an area."""
    bbox = required(input, "bbox", (list, tuple))
    height, width = picture.shape[:2]
    try:
        return check_box(box=bbox, width=width, height=height)
    except CoordinateError as problem:
        raise invalid(f"bbox: {problem.message}") from problem
