"""The page at /api/v1/docs: every call of the OpenAPI document, and every error code with its anchor."""

import functools
from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.generators import SchemaGenerator

from tasks.domain.errors import Problem

_METHODS = ("get", "post", "put", "patch", "delete")


def api_docs(request: HttpRequest) -> HttpResponse:
    """Plain HTML from the document itself: no script of others, nothing fetched from elsewhere."""
    return render(request, "tasks/api_docs.html", {"calls": _calls(), "problems": _problems()})


@functools.cache
def _calls() -> list[dict[str, Any]]:
    generator: Any = SchemaGenerator
    document = generator().get_schema(request=None, public=True)
    return [
        {
            "method": method.upper(),
            "path": path,
            "id": operation["operationId"],
            "what": operation.get("description", ""),
            "query": [one["name"] for one in operation.get("parameters", []) if one["in"] == "query"],
            "body": _fields(document, operation.get("requestBody")),
            "replies": [status for status in operation["responses"] if status.startswith("2")],
        }
        for path, methods in document["paths"].items()
        for method in _METHODS
        if (operation := methods.get(method)) is not None
    ]


def _fields(document: dict[str, Any], body: dict[str, Any] | None) -> list[str]:
    """The names of a body's fields, those that are required with a star."""
    contents: list[dict[str, Any]] = list((body or {}).get("content", {}).values())
    schema: dict[str, Any] = contents[0]["schema"] if contents else {}
    name = schema.get("$ref", "").rsplit("/", 1)[-1]
    shape = document["components"]["schemas"].get(name, schema)
    required = set(shape.get("required", []))
    return [f"{field}*" if field in required else field for field in shape.get("properties", {})]


def _problems() -> list[dict[str, Any]]:
    """Every code that the API answers with, by status."""
    found = {
        problem.code: {
            "code": problem.code,
            "status": problem.status,
            "title": problem.title,
            "what": " ".join((problem.__doc__ or "").split()),
        }
        for problem in _subclasses(Problem)
        if not problem.__name__.startswith("_")
    }
    return sorted(found.values(), key=lambda one: (str(one["status"]), str(one["code"])))


def _subclasses(parent: type[Problem]) -> Iterator[type[Problem]]:
    for child in parent.__subclasses__():
        yield child
        yield from _subclasses(child)
