"""Describing a view's method in the OpenAPI document in one line."""

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema

from tasks.api.shapes import ProblemShape, Shape

F = TypeVar("F", bound=Callable[..., Any])

_PROBLEMS = (400, 401, 403, 404, 409, 422)
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
    also: tuple[int, ...] = (),
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

    def decorate(method: F) -> F:
        described: F = extend_schema(
            operation_id=name,
            description=method.__doc__,
            request=request,
            responses={
                status: reply,
                **dict.fromkeys(also, reply),
                **{(number, "application/problem+json"): ProblemShape for number in _PROBLEMS},
            },
            parameters=wanted,
        )(method)
        return described

    return decorate
