"""What a worker's report must look like. Anything else is a failed run with the raw reply kept."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from review.domain.coordinates import CoordinateError, check_box
from review.domain.job_states import NodeType


class BrokenContract(Exception):
    """The report is not what its node type promises; the message names the field."""


class _Report(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, allow_inf_nan=False)


class _Found(_Report):
    label: str | None
    bbox: list[float]
    score: float | None = None


class _Warning(_Report):
    code: str
    message: str


class _Detection(_Report):
    boxes: list[_Found]
    warnings: list[_Warning] = []


class _Answer(_Report):
    box_id: str
    valid: bool
    label: str | None = None
    score: float | None = None
    code: str | None = None
    message: str | None = None


class _Validation(_Report):
    items: list[_Answer]


class _Processing(_Report):
    subjects: list[str]


class _Encoding(_Report):
    encoding: str


class _Segmentation(_Report):
    mask: str
    cutout: str
    predicted_iou: float | None = None


class _Gate(_Report):
    verdict: Literal["pass", "refine", "fail"]


class _Refinement(_Report):
    mask: str
    cutout: str


_SHAPES: dict[NodeType, type[_Report]] = {
    NodeType.DETECT_SUBJECTS: _Detection,
    NodeType.VALIDATE_MANUAL_BOX_LIST: _Validation,
    NodeType.PROCESS_APPROVED_BOX_LIST: _Processing,
    NodeType.ENCODE_PICTURE: _Encoding,
    NodeType.SEGMENT_SUBJECT: _Segmentation,
    NodeType.QUALITY_GATE_SUBJECT: _Gate,
    NodeType.REFINE_SUBJECT: _Refinement,
}


def storable(report: Any) -> tuple[Any, bool]:
    """The report as the database can keep it, and whether that is the report itself.

    What JSON or PostgreSQL cannot hold (NaN, the character NUL, an object of a library) is kept as text.
    """
    try:
        text = json.dumps(report, allow_nan=False)
    except (TypeError, ValueError):
        return {"as_text": repr(report)[:100_000].replace("\0", "")}, False
    if "\\u0000" in text:
        return {"as_text": text[:100_000]}, False
    return report, True


def check_report(*, node_type: str, report: Any, width: int, height: int) -> None:
    """Whether the report keeps its node type's contract; boxes lie in the picture of that size (I13).

    Raises BrokenContract.
    """
    if not isinstance(report, dict):
        raise BrokenContract("the report is not an object")
    shape = _SHAPES.get(NodeType(node_type)) if node_type in set(NodeType) else None
    if shape is None:
        return
    try:
        shape.model_validate(report)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BrokenContract(f"{place}: {first['msg']}") from error
    for number, found in enumerate(report.get("boxes", []) if shape is _Detection else []):
        try:
            check_box(box=found["bbox"], width=width, height=height)
        except CoordinateError as error:
            raise BrokenContract(f"boxes.{number}.bbox: {error.message}") from error
