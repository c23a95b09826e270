"""Reading items and candidates out of a request's body: their shape only (400), each field named.

Written by hand because a save carries up to 2,000 items several times a minute: nested serializers took
most of the request's time.
"""

import math
from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from review.domain.items import LONGEST_LABEL

LONGEST_ID = 100
_NUMBER = {"type": "number"}
_POINT = {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2}
_BOX = {"type": "array", "items": _NUMBER, "minItems": 4, "maxItems": 4}
_GEOMETRY = {
    "oneOf": [
        {
            "type": "object",
            "required": ["type", "x", "y"],
            "properties": {"type": {"enum": ["point"]}, "x": _NUMBER, "y": _NUMBER},
        },
        {
            "type": "object",
            "required": ["type", "bbox"],
            "properties": {"type": {"enum": ["bbox"]}, "bbox": _BOX},
        },
        {
            "type": "object",
            "required": ["type", "points"],
            "properties": {
                "type": {"enum": ["polygon"]},
                "points": {"type": "array", "items": _POINT, "minItems": 3},
            },
        },
    ]
}
_TEXT_OR_NULL = {"type": "string", "nullable": True, "maxLength": LONGEST_LABEL}
_ID = {"type": "string", "minLength": 1, "maxLength": LONGEST_ID}
_ID_OR_NULL = {"type": "string", "nullable": True}
ITEMS_SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["id", "geometry"],
        "properties": {
            "id": _ID,
            "label": _TEXT_OR_NULL,
            "geometry": _GEOMETRY,
            "order": {"type": "integer", "nullable": True},
            "source": {
                "type": "object",
                "nullable": True,
                "properties": {
                    "candidate_set_id": {"type": "string", "format": "uuid", "nullable": True},
                    "candidate_id": _ID_OR_NULL,
                    "prediction_id": {"type": "string", "format": "uuid", "nullable": True},
                },
            },
        },
    },
}
CANDIDATES_SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "id": _ID_OR_NULL,
            "label": _TEXT_OR_NULL,
            "center": {**_POINT, "nullable": True},
            "bbox": {**_BOX, "nullable": True},
            "score": {"type": "number", "nullable": True},
        },
    },
}
PROPOSED_SCHEMA = {
    "type": "array",
    "items": {
        **CANDIDATES_SCHEMA["items"],  # type: ignore[dict-item]
        "properties": {
            "set_id": {"type": "string", "format": "uuid"},
            **CANDIDATES_SCHEMA["items"]["properties"],  # type: ignore[index]
        },
    },
}
_COORDINATES = {"point": ("x", "y"), "bbox": ("bbox",), "polygon": ("points",)}
_SOURCES = ("candidate_set_id", "candidate_id", "prediction_id")
_SHOWN_ERRORS = 50


class _Wrong(Exception):
    """One field's shape."""

    def __init__(self, field: str, message: str, code: str = "invalid") -> None:
        super().__init__(message)
        self.field, self.message, self.code = field, message, code


class _ListField(serializers.Field[Any, Any, Any, Any]):
    """A list whose entries `_entry` reads."""

    def to_internal_value(self, data: Any) -> list[dict[str, Any]]:
        """The entries. Raises ValidationError naming each by its place."""
        if not isinstance(data, list):
            raise serializers.ValidationError("A list is needed.", code="not_a_list")
        found, problems = [], {}
        for place, entry in enumerate(data):
            try:
                found.append(self._entry(entry))
            except _Wrong as wrong:
                detail = [serializers.ErrorDetail(wrong.message, wrong.code)]
                problems[f"{place}.{wrong.field}".rstrip(".")] = detail
                if len(problems) == _SHOWN_ERRORS:
                    break
        if problems:
            raise serializers.ValidationError(problems)
        return found

    def to_representation(self, value: Any) -> Any:
        """As it is."""
        return value

    def _entry(self, data: Any) -> dict[str, Any]:
        raise serializers.ValidationError("This list takes no entries.")


@extend_schema_field(ITEMS_SCHEMA)
class ItemsField(_ListField):
    """Page 06's items. `order` and `source` are left out where they are null."""

    def _entry(self, data: Any) -> dict[str, Any]:
        _check_fields(data, {"id", "label", "geometry", "order", "source"}, required=("id", "geometry"))
        item: dict[str, Any] = {
            "id": _text(data["id"], "id", longest=LONGEST_ID),
            "label": _label(data.get("label")),
            "geometry": _geometry(data["geometry"]),
        }
        if data.get("order") is not None:
            order = data["order"]
            if isinstance(order, bool) or not isinstance(order, int) or not 0 <= order <= 1_000_000:
                raise _Wrong("order", "A whole number from 0 on is needed.")
            item["order"] = order
        if data.get("source") is not None:
            item["source"] = _source(data["source"])
        return item


@extend_schema_field(CANDIDATES_SCHEMA)
class CandidatesField(_ListField):
    """Page 06's candidates; a score is accepted and ignored, since only a model gives one."""

    def _entry(self, data: Any) -> dict[str, Any]:
        _check_fields(data, {"id", "label", "center", "bbox", "score"}, required=())
        for name, count in (("center", 2), ("bbox", 4)):
            if data.get(name) is not None:
                _numbers(data[name], name, count=count)
        name = data.get("id")
        return {
            "id": None if name is None else _text(name, "id", longest=LONGEST_ID),
            "label": _label(data.get("label")),
            "center": data.get("center"),
            "bbox": data.get("bbox"),
        }


@extend_schema_field(PROPOSED_SCHEMA)
class ProposedField(_ListField):
    """Candidates with their set; only shown."""


def _check_fields(data: Any, known: set[str], *, required: tuple[str, ...], at: str = "") -> None:
    prefix = f"{at}." if at else ""
    if not isinstance(data, Mapping):
        raise _Wrong(at, "An object is needed.")
    for name in data:
        if name not in known:
            raise _Wrong(f"{prefix}{name}", "There is no such field.", "unknown_field")
    for name in required:
        if name not in data:
            raise _Wrong(f"{prefix}{name}", "This field is required.", "required")


def _text(value: Any, field: str, *, longest: int) -> str:
    if not isinstance(value, str):
        raise _Wrong(field, "A text is needed.")
    if not value:
        raise _Wrong(field, "This may not be empty.", "blank")
    if len(value) > longest:
        raise _Wrong(field, f"At most {longest} characters.", "max_length")
    return value


def _label(value: Any) -> str | None:
    if value is None or value == "":
        return None
    return _text(value, "label", longest=LONGEST_LABEL)


def _geometry(data: Any) -> dict[str, Any]:
    kind = data.get("type") if isinstance(data, Mapping) else None
    if not isinstance(kind, str) or kind not in _COORDINATES:
        raise _Wrong("geometry.type", "One of point, bbox and polygon is needed.", "invalid_choice")
    names = _COORDINATES[kind]
    _check_fields(data, {"type", *names}, required=names, at="geometry")
    if kind == "point":
        _numbers([data["x"]], "geometry.x", count=1)
        _numbers([data["y"]], "geometry.y", count=1)
    elif kind == "bbox":
        _numbers(data["bbox"], "geometry.bbox", count=4)
    else:
        if not isinstance(data["points"], list):
            raise _Wrong("geometry.points", "A list is needed.", "not_a_list")
        for place, vertex in enumerate(data["points"]):
            _numbers(vertex, f"geometry.points.{place}", count=2)
    return {"type": kind, **{name: data[name] for name in names}}


def _numbers(values: Any, field: str, *, count: int) -> None:
    if not isinstance(values, list) or len(values) != count:
        raise _Wrong(field, f"A list of {count} numbers is needed.")
    for value in values:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1e300
        if not fits or not math.isfinite(value):
            raise _Wrong(field, "A number is needed.")


def _source(data: Any) -> dict[str, str | None]:
    _check_fields(data, set(_SOURCES), required=(), at="source")
    found: dict[str, str | None] = dict.fromkeys(_SOURCES)
    for name in _SOURCES:
        value = data.get(name)
        if value is None:
            continue
        text = _text(value, f"source.{name}", longest=LONGEST_ID)
        if name != "candidate_id":
            try:
                text = str(serializers.UUIDField().to_internal_value(text))
            except serializers.ValidationError:
                raise _Wrong(f"source.{name}", "An id is needed.") from None
        found[name] = text
    return found
