"""How a request says who it is: a token (first, so that anonymous calls get 401), or the page's session."""

import hashlib
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.request import Request

from tasks.models import ApiToken, User
from tasks.queries.database_clock import ClockTimestamp

#: "Last used" is right to this.
SHOWN_TO = timedelta(minutes=5)


def token_digest(token: str) -> str:
    """What is stored of a token. SHA-256 is enough for 256 random bits."""
    return hashlib.sha256(token.encode()).hexdigest()


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Token …`, made on the settings page."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token's person; None where no such header is sent. Raises AuthenticationFailed."""
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != b"token":
            return None
        if len(parts) != 2:
            raise exceptions.AuthenticationFailed("Send the header as: Authorization: Token <token>.")
        token = (
            ApiToken.objects.select_related("user")
            .filter(
                digest=token_digest(parts[1].decode("ascii", "replace")),
                revoked_at=None,
                user__is_active=True,
            )
            .first()
        )
        if token is None:
            raise exceptions.AuthenticationFailed(
                "This token is not known or was revoked. Make a new one on the settings page."
            )
        # For the person's eyes only ("last used"): whether it is old may be told by any clock.
        if token.last_used_at is None or abs(timezone.now() - token.last_used_at) > SHOWN_TO:
            ApiToken.objects.filter(pk=token.pk).update(last_used_at=ClockTimestamp())
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Makes an anonymous call a 401."""
        return "Token"


class PageSessionAuthentication(SessionAuthentication):
    """The browser's session, with CSRF enforced."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """The session's person, or None."""
        user = getattr(request._request, "user", None)
        if user is None or isinstance(user, AnonymousUser) or not user.is_active:
            return None
        self.enforce_csrf(request)
        return user, None
