"""Signing in and out."""

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import ensure_csrf_cookie

#: As AXES_COOLOFF_TIME of the settings: a quarter of an hour.
WAIT_SECONDS = 900
#: As long as a username may be; a longer one is nobody's.
LONGEST_NAME = 150


@method_decorator(ensure_csrf_cookie, name="dispatch")
class SignIn(LoginView):
    """Django's view, throttled by axes; the person's language comes along."""

    template_name = "login.html"
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Signed in: back to where the person wanted to go."""
        response = super().form_valid(form)
        user = form.get_user()
        if user.language:
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME, user.language, max_age=365 * 24 * 3600, samesite="Lax"
            )
        return response


class SignOut(LogoutView):
    """By POST only, so that no picture's address can sign a person out."""


def tried_name(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """The name of an attempt, as axes keeps it: its column is short, and a form takes any length."""
    name = (credentials or request.POST).get("username")
    return str(name or "")[:LONGEST_NAME]


def caller_address(request: HttpRequest) -> str | None:
    """Where an attempt came from; None where a proxy passed on a header that holds no address."""
    try:
        return str(ip_address(request.META.get("REMOTE_ADDR", "")))
    except ValueError:
        return None


def locked_out(request: HttpRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
    """What axes answers after too many failures; a middleware's answer, so rendered here and now."""
    context = {"form": AuthenticationForm(request), "is_locked_out": True}
    response = render(request, SignIn.template_name, context, status=429)
    response["Retry-After"] = str(WAIT_SECONDS)
    return response
