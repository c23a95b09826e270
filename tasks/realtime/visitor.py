"""Who opens a stream: the person of a token or of a session, from the connection's headers."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any, cast
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest
from django.http.request import validate_host
from rest_framework.request import Request

from tasks.api.authentication import TokenAuthentication
from tasks.models import User

Headers = Iterable[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """A person behind one open stream, with what proves that they are still signed in."""

    user_id: UUID
    username: str
    name: str
    #: One of the two is set.
    session_key: str | None
    token_id: UUID | None
    #: Changes with the password, which ends every session.
    password_stamp: str

    def as_user_body(self) -> dict[str, str]:
        """Page 06's user."""
        return {"id": str(self.user_id), "username": self.username, "name": self.name}


def password_stamp(user: User) -> str:
    """A short digest that changes when the password does."""
    return hashlib.sha256(user.password.encode()).hexdigest()[:16]


def header(headers: Headers, name: bytes) -> str:
    """The header's first value, or ""."""
    return next((value.decode("latin-1") for key, value in headers if key.lower() == name), "")


def authenticate(headers: Headers) -> Visitor | None:
    """The person who connects, or None for nobody. Reads the database.

    Raises rest_framework's AuthenticationFailed for a token that is not known.
    """
    request = HttpRequest()
    request.META["HTTP_AUTHORIZATION"] = header(headers, b"authorization")
    found = TokenAuthentication().authenticate(cast(Request, request))
    if found is not None:
        user, token = found
        return _visitor(user, token_id=token.pk)
    session_key = _session_key(header(headers, b"cookie"))
    if not session_key:
        return None
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    someone: Any = get_user(request)
    if not isinstance(someone, User) or not someone.is_active:
        return None
    return _visitor(someone, session_key=session_key)


def is_own_origin(headers: Headers) -> bool:
    """Whether a browser's page of another site is behind this connection (then False).

    Programs send no Origin; a browser always does, and its cookies come along from any site.
    """
    host = header(headers, b"host")
    if not validate_host(host.rsplit(":", 1)[0] if not host.endswith("]") else host, _allowed_hosts()):
        return False
    origin = header(headers, b"origin")
    if not origin:
        return True
    return urlsplit(origin).netloc == host or origin in settings.CSRF_TRUSTED_ORIGINS


def _allowed_hosts() -> list[str]:
    return list(settings.ALLOWED_HOSTS)


def _session_key(cookies: str) -> str | None:
    try:
        parsed = SimpleCookie(cookies)
    except CookieError:
        return None
    morsel = parsed.get(settings.SESSION_COOKIE_NAME)
    return morsel.value if morsel else None


def _visitor(user: User, *, session_key: str | None = None, token_id: UUID | None = None) -> Visitor:
    return Visitor(
        user_id=user.pk,
        username=user.username,
        name=user.name,
        session_key=session_key,
        token_id=token_id,
        password_stamp=password_stamp(user),
    )
