"""What every view of the API shares: strict parsing, request keys, replies, paging.

The order of answers: who are you (401), may you see it (404), is the shape right (400), may you do it (403),
then the operation.
"""

import base64
import binascii
import json
import math
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, TypeVar
from uuid import UUID

from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Model, Q, QuerySet
from django.http import HttpResponse, QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from tasks.api.negotiation import GivesWhatItHas
from tasks.api.parsers import BodyParser
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.canonical import canonical_json, sha256_hex
from tasks.domain.errors import FieldError, NotFound, ValidationFailed
from tasks.domain.matrix import Role
from tasks.models import User
from tasks.operations.idempotency import Reply

M = TypeVar("M", bound=Model)

#: They change with a reload of the page and do not make a request another one.
NOT_CONTENT = ("client_id", "lock_token")
DEFAULT_LIMIT, MOST_LIMIT = 50, 200
_MOST_INTEGER = 2**53


class ApiView(APIView):
    """A view of the API: JSON in, JSON out, signed in."""

    parser_classes = [BodyParser]
    content_negotiation_class = GivesWhatItHas

    @property
    def user(self) -> User:
        """Who is asking; the permission class has made sure that there is somebody."""
        user = self.request.user
        assert isinstance(user, User)
        return user


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses unknown fields, wrong JSON types (no "5" for 5, no true for 1), NUL and lone surrogates."""

    def to_internal_value(self, data: Any) -> Any:
        """The validated values. Raises ValidationError naming each field."""
        if not isinstance(data, Mapping):
            raise serializers.ValidationError({"body": ["Send a JSON object."]}, code="invalid")
        problems: dict[str, list[Any]] = {}
        for name in data:
            if name not in self.fields:
                problems[str(name)] = [serializers.ErrorDetail("There is no such field.", "unknown_field")]
        form = data if isinstance(data, QueryDict) else None
        for name, field in self.fields.items():
            if name not in data:
                continue
            if form is not None and len(form.getlist(name)) > 1:
                problems[name] = [
                    serializers.ErrorDetail("This was sent more than once. Send it once.", "repeated")
                ]
                continue
            # What a file field says of a text is better than what is wrong with the text.
            is_file = isinstance(field, serializers.FileField)
            fault = None if is_file else text_fault(data[name])
            fault = fault or (_type_fault(field, data[name]) if form is None else None)
            if fault is not None:
                problems[name] = [serializers.ErrorDetail(*fault)]
        if problems:
            raise serializers.ValidationError(problems)
        return super().to_internal_value(data)


def _type_fault(field: serializers.Field[Any, Any, Any, Any], value: Any) -> tuple[str, str] | None:
    """What is wrong with the JSON type of `value`; DRF itself would convert it."""
    if value is None:
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(field, serializers.IntegerField):
        if not is_number or not isinstance(value, int):
            return "A whole number is needed.", "invalid"
        return None if abs(value) <= _MOST_INTEGER else ("The number is too large.", "max_value")
    if isinstance(field, serializers.FloatField):
        fits = is_number and abs(value) <= 1e300 and math.isfinite(value)
        return None if fits else ("A number is needed.", "invalid")
    if isinstance(field, serializers.BooleanField):
        return None if isinstance(value, bool) else ("true or false is needed.", "invalid")
    if isinstance(field, serializers.CharField | serializers.ChoiceField | serializers.UUIDField):
        return None if isinstance(value, str) else ("A text is needed.", "invalid")
    if isinstance(field, serializers.ListField):
        if not isinstance(value, list):
            return "A list is needed.", "not_a_list"
        faults = (_type_fault(field.child, each) for each in value)
        return next((fault for fault in faults if fault is not None), None)
    if isinstance(field, serializers.DictField):
        if not isinstance(value, Mapping):
            return "An object is needed.", "not_a_dict"
        faults = (_type_fault(field.child, each) for each in value.values())
        return next((fault for fault in faults if fault is not None), None)
    return None


def text_fault(value: Any) -> tuple[str, str] | None:
    """NUL and lone surrogates anywhere inside; PostgreSQL takes neither."""
    if isinstance(value, str):
        if "\0" in value:
            return "The character NUL is not allowed.", "null_characters_not_allowed"
        try:
            value.encode()
        except UnicodeEncodeError:
            return "The text is not valid Unicode.", "invalid_unicode"
        return None
    inner: Sequence[Any] = ()
    if isinstance(value, Mapping):
        inner = [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple):
        inner = value
    return next((fault for fault in map(text_fault, inner) if fault is not None), None)


def parsed(serializer_class: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The body's validated values. Raises ValidationFailed (400) through DRF's ValidationError."""
    serializer = serializer_class(data=request.data)
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = dict(serializer.validated_data)
    return values


def parsed_query(serializer_class: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The query string's validated values (`cursor`, `limit` and `format` belong to others)."""
    query = QueryDict(mutable=True)
    for name, values in request.query_params.lists():
        if name not in {"cursor", "limit", "format"}:
            query.setlist(name, values)
    serializer = serializer_class(data=query)
    serializer.is_valid(raise_exception=True)
    found: dict[str, Any] = dict(serializer.validated_data)
    return found


def request_context(request: Request) -> RequestContext:
    """What an audit row says of the request."""
    return RequestContext(
        request_id=_key_of(request) or "",
        address=str(request.META.get("REMOTE_ADDR", ""))[:64],
        device=device_name(str(request.META.get("HTTP_USER_AGENT", ""))),
    )


def device_name(user_agent: str) -> str:
    """A user agent in a few words: "Firefox on Linux"; at most 60 characters."""
    browsers = {
        "Edg/": "Edge",
        "OPR/": "Opera",
        "Firefox/": "Firefox",
        "Chrome/": "Chrome",
        "Safari/": "Safari",
    }
    systems = {
        "Android": "Android",
        "iPhone": "iPhone",
        "iPad": "iPad",
        "Windows": "Windows",
        "Mac OS": "macOS",
        "Linux": "Linux",
    }
    browser = next((name for sign, name in browsers.items() if sign in user_agent), None)
    system = next((name for sign, name in systems.items() if sign in user_agent), None)
    if browser is None:
        return user_agent.replace("\0", "").split(" ")[0][:60]
    return browser if system is None else f"{browser} on {system}"


def _key_of(request: Request) -> str | None:
    body = request.data
    value = body.get("request_id") if isinstance(body, Mapping) else None
    return _one_spelling(value)[:64] if value else None


def _one_spelling(request_id: Any) -> str:
    """One UUID may be written in capitals, without hyphens or in braces: it is the same id."""
    try:
        return str(UUID(str(request_id)))
    except ValueError:
        return str(request_id).lower()


def request_key(
    request: Request, *, operation: str, role: Role, key: str | None = None, scope: str = "request"
) -> RequestKey:
    """What makes this request the same request: method, path and content (I4).

    `key`: an intervention's id instead of the body's `request_id`. A file counts by its SHA-256. Raises
    ValidationFailed for a number that is not finite (JSON's 1e999) in a part whose reader takes anything.
    """
    user = request.user
    assert isinstance(user, User)
    content = {"method": request.method, "path": request.path, "body": _content(request)}
    try:
        payload_hash = sha256_hex(canonical_json(content))
    except ValueError as error:
        raise ValidationFailed([FieldError("body", "A number in it is not finite.", "invalid")]) from error
    return RequestKey(
        key=key or _key_of(request),
        scope=scope,
        actor_id=user.pk,
        role=role,
        operation=operation,
        payload_hash=payload_hash,
    )


def _content(request: Request) -> Any:
    body = request.data
    if isinstance(body, QueryDict):
        return {
            name: [_part(name, value) for value in values]
            for name, values in sorted(body.lists())
            if name not in NOT_CONTENT
        }
    if not isinstance(body, Mapping):
        return body
    return {name: _part(name, value) for name, value in body.items() if name not in NOT_CONTENT}


def _part(name: str, value: Any) -> Any:
    if name == "request_id" and isinstance(value, str):
        return _one_spelling(value)
    if not isinstance(value, UploadedFile):
        return value
    value.seek(0)
    digest = sha256_hex(value.read())
    value.seek(0)
    return {"file": value.name, "sha256": digest}


def reply_response(reply: Reply) -> HttpResponse:
    """The reply's bytes as they are: a repeated request gets the very same ones."""
    if reply.status == 204:
        return HttpResponse(status=204)
    return HttpResponse(reply.body, status=reply.status, content_type="application/json")


def id_or_404(text: str | UUID) -> UUID:
    """The id in an address. Raises NotFound where it is none: nothing has such an id."""
    try:
        return text if isinstance(text, UUID) else UUID(text)
    except ValueError as error:
        raise NotFound from error


def page_of(
    queryset: QuerySet[M],
    request: Request,
    *,
    order: str | Sequence[str],
    render: Callable[[M], dict[str, Any]],
) -> dict[str, Any]:
    """One page, `{"items", "next_cursor"}`, each row rendered by itself; see `page_rows`."""
    rows, next_cursor = page_rows(queryset, request, order=order)
    return {"items": [render(row) for row in rows], "next_cursor": next_cursor}


def page_rows(
    queryset: QuerySet[M], request: Request, *, order: str | Sequence[str]
) -> tuple[list[M], str | None]:
    """The rows of one page by `?cursor=&limit=`, and the next page's cursor; right while rows are added.

    `order`: columns without NULL, the last of them unique; "-" before each or none. Raises ValidationFailed.
    """
    columns = [order] if isinstance(order, str) else list(order)
    kind = queryset.model._meta.db_table
    names = [column.lstrip("-") for column in columns]
    limit = _limit(request.query_params.get("limit"))
    cursor = request.query_params.get("cursor")
    try:
        if cursor:
            queryset = queryset.filter(_beyond(columns, names, _cursor_values(cursor, kind, names)))
        rows = list(queryset.order_by(*columns)[: limit + 1])
    except (ValueError, TypeError, OverflowError, DjangoValidationError) as error:
        raise _bad_cursor() from error
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], _cursor(kind, [getattr(rows[limit - 1], name) for name in names])


def _limit(text: str | None) -> int:
    if text is None or text == "":
        return DEFAULT_LIMIT
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= MOST_LIMIT and len(text) <= 6):
        message = f"A whole number from 1 to {MOST_LIMIT} is needed."
        raise ValidationFailed([FieldError("limit", message, "invalid")])
    return int(text)


def _beyond(columns: list[str], names: list[str], after: list[Any]) -> Q:
    """Rows after the cursor's: (a, b) > (x, y) spelled out."""
    steps = []
    for place, column in enumerate(columns):
        same = dict(zip(names[:place], after, strict=False))
        comparison = "lt" if column.startswith("-") else "gt"
        steps.append(Q(**same, **{f"{names[place]}__{comparison}": after[place]}))
    # Implied by the steps, and what an index can begin with: without it a deep page reads all before it.
    edge = "lte" if columns[0].startswith("-") else "gte"
    return Q(**{f"{names[0]}__{edge}": after[0]}) & reduce(or_, steps)


def _cursor(kind: str, values: list[Any]) -> str:
    """Where a page ended. It says of what rows: another list's would be taken for a place in this one."""
    plain = [kind, *(value if isinstance(value, int | float | str) else str(value) for value in values)]
    return base64.urlsafe_b64encode(json.dumps(plain).encode()).decode().rstrip("=")


def _cursor_values(cursor: str, kind: str, names: list[str]) -> list[Any]:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        values = json.loads(base64.urlsafe_b64decode(padded.encode("ascii")))
    except (ValueError, binascii.Error, UnicodeError, RecursionError) as error:
        raise _bad_cursor() from error
    fits = isinstance(values, list) and len(values) == len(names) + 1 and values[0] == kind
    if not fits or any(not isinstance(value, int | float | str) or text_fault(value) for value in values):
        raise _bad_cursor()
    return list(values[1:])


def _bad_cursor() -> ValidationFailed:
    message = "This is no cursor of this list. Start without one."
    return ValidationFailed([FieldError("cursor", message, "invalid")])
