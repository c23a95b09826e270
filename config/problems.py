"""The one place where errors become `application/problem+json`."""

import json
from typing import Any

import psycopg
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.serializers.json import DjangoJSONEncoder
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from rest_framework import exceptions

from tasks.domain.errors import (
    Busy,
    FieldError,
    NotAuthenticated,
    NotFound,
    Problem,
    TooLarge,
    ValidationFailed,
)

CONTENT_TYPE = "application/problem+json"


def render_problem(problem: Problem) -> HttpResponse:
    """The problem as a response, with `Retry-After` where it says when to come back."""
    body: dict[str, Any] = {
        "type": f"/api/v1/docs#{problem.code}",
        "title": problem.title,
        "status": problem.status,
        "code": problem.code,
        "detail": problem.detail,
    }
    if problem.errors:
        body["errors"] = [error.as_dict() for error in problem.errors]
    body |= problem.fields
    response = HttpResponse(
        json.dumps(body, cls=DjangoJSONEncoder), content_type=CONTENT_TYPE, status=problem.status
    )
    if problem.retry_after is not None:
        response["Retry-After"] = str(problem.retry_after)
    if problem.status == 401:
        response["WWW-Authenticate"] = "Token"
    return response


class _HttpProblem(Problem):
    """An error of the framework, named by its own code."""

    def __init__(self, *, code: str, status: int, detail: str) -> None:
        super().__init__(detail)
        self.code = code  # type: ignore[misc]
        self.status = status
        self.title = code.replace("_", " ").capitalize()  # type: ignore[misc]


def _field_errors(detail: Any, prefix: str = "") -> list[FieldError]:
    """DRF's nested error detail as a flat list of named fields."""
    if isinstance(detail, dict):
        found: list[FieldError] = []
        for key, value in detail.items():
            name = key if key != "non_field_errors" else ""
            found += _field_errors(value, f"{prefix}.{name}".strip("."))
        return found
    if isinstance(detail, list):
        if detail and isinstance(detail[0], dict | list):
            found = []
            for index, value in enumerate(detail):
                found += _field_errors(value, f"{prefix}.{index}".strip("."))
            return found
        return [error for value in detail for error in _field_errors(value, prefix)]
    return [FieldError(prefix or "body", str(detail), getattr(detail, "code", "invalid") or "invalid")]


def _is_database_away(error: BaseException) -> bool:
    """No connection is free or to be had, or this one was lost: the next request may well succeed."""
    cause = error.__cause__ if isinstance(error, OperationalError | InterfaceError) else error
    if not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    # Without a code the connection itself broke; others are the server's own refusals and farewells.
    code = getattr(cause, "sqlstate", None) or ""
    return code[:2] in {"", "08"} or code[:3] == "57P" or code == "53300"


def as_problem(error: BaseException) -> Problem | None:
    """The problem that `error` is to a client, or None for a fault of ours."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, exceptions.ValidationError):
        return ValidationFailed(_field_errors(error.detail))
    if isinstance(error, exceptions.ParseError):
        return ValidationFailed([FieldError("body", str(error.detail), "parse_error")])
    if isinstance(error, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
        return NotAuthenticated(str(error.detail))
    if isinstance(error, exceptions.PermissionDenied):
        detail = str(error.detail)
        code = "CSRF_FAILED" if detail.startswith("CSRF") else "ROLE_FORBIDDEN"
        return _HttpProblem(code=code, status=403, detail=detail)
    if isinstance(error, Http404 | exceptions.NotFound):
        return NotFound()
    if isinstance(error, RequestDataTooBig):
        return TooLarge("The request body is too large. Send less at once.")
    if isinstance(error, TooManyFilesSent):
        return TooLarge("Too many files in one request. Send at most 50 at once.")
    if isinstance(error, TooManyFieldsSent):
        return ValidationFailed([FieldError("body", "There are too many fields in this form.", "too_many")])
    if _is_database_away(error):
        return Busy(
            "The database does not answer right now. Send the same request again in a moment; with the same "
            "id it takes effect once."
        )
    if isinstance(error, exceptions.APIException):
        code = str(error.default_code).upper()
        return _HttpProblem(code=code, status=error.status_code, detail=str(error.detail))
    return None


def problem_response(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """DRF's exception handler; None lets an unknown error through to the server's log and a 500."""
    problem = as_problem(error)
    return None if problem is None else render_problem(problem)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A refused CSRF token: mostly a page that was open while its person signed in again elsewhere."""
    if request.path.startswith("/api/"):
        return render_problem(
            _HttpProblem(
                code="CSRF_FAILED",
                status=403,
                detail="The CSRF token is missing or old. Reload the page, or send X-CSRFToken.",
            )
        )
    return _error_page(
        request,
        status=403,
        title=_("This page is out of date"),
        detail=_("Nothing was changed. Go back, reload the page and send it again."),
    )


def _error_page(request: HttpRequest, *, status: int, title: str, detail: str) -> HttpResponse:
    return render(request, "error.html", {"status": status, "title": title, "detail": detail}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400 before any view is asked: a host name that is not ours, more fields than a form has."""
    detail = "The server does not take such a request. Look at its address, headers and form."
    if request.path.startswith("/api/"):
        return render_problem(ValidationFailed([FieldError("request", detail, "invalid")]))
    # No template: what it asks of the request may be what is wrong with it.
    return HttpResponse(f"{detail}\n", status=400, content_type="text/plain; charset=utf-8")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404 for pages and API."""
    if request.path.startswith("/api/"):
        return render_problem(NotFound())
    return _error_page(
        request,
        status=404,
        title=_("Not found"),
        detail=_("There is no such page here, or you may not see it."),
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """500: the fault is ours, and nothing was half-written."""
    if request.path.startswith("/api/"):
        return render_problem(
            _HttpProblem(
                code="INTERNAL_ERROR",
                status=500,
                detail="Something broke on our side; nothing was half-written. Send the same request again.",
            )
        )
    return _error_page(
        request,
        status=500,
        title=_("Something broke"),
        detail=_("It is our fault, and nothing of your work is lost."),
    )
