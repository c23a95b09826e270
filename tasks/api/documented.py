"""Describing a view's method in the OpenAPI document in one line."""

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema

from tasks.api.shapes import ProblemShape, Shape

F = TypeVar("F", bound=Callable[..., Any])

_PAGING = [
    OpenApiParameter("cursor", OpenApiTypes.STR, description="From the page before."),
    OpenApiParameter("limit", OpenApiTypes.INT, description="1 to 200; 50 without it."),
]


def documented(
    name: str,
    reply: Any,
    *,
    body: type[Shape] | None = None,
    status: int = 200,
    query: type[Shape] | None = None,
    is_page: bool = False,
    is_form: bool = False,
    parameters: list[OpenApiParameter] | None = None,
) -> Callable[[F], F]:
    """`name`: the operation's id. `reply`: a shape, or None for none. Errors are the problem shape."""
    wanted: list[Any] = list(parameters or [])
    if query is not None:
        wanted.append(query)
    if is_page:
        wanted += _PAGING
    request: Any = {"multipart/form-data": body} if is_form and body is not None else body
    decorate: Callable[[F], F] = extend_schema(
        operation_id=name,
        request=request,
        responses={
            status: reply,
            (400, "application/problem+json"): ProblemShape,
            (401, "application/problem+json"): ProblemShape,
            (403, "application/problem+json"): ProblemShape,
            (404, "application/problem+json"): ProblemShape,
            (409, "application/problem+json"): ProblemShape,
            (422, "application/problem+json"): ProblemShape,
        },
        parameters=wanted,
    )
    return decorate
