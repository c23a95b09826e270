"""A person's own settings: password, API tokens, language."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from tasks.domain.errors import ValidationFailed
from tasks.models import ApiToken, User
from tasks.operations import api_tokens
from tasks.pages.shell import page, person


def _shown(request: HttpRequest, *, form: PasswordChangeForm | None = None, token: str = "") -> HttpResponse:
    user = person(request)
    context = {
        "form": form or PasswordChangeForm(user),
        "tokens": ApiToken.objects.filter(user=user, revoked_at=None).order_by("-created_at"),
        "new_token": token,
        "languages": settings.LANGUAGES,
        "nav": "account",
    }
    status = 200 if form is None else 422
    response = render(request, "account/settings.html", context, status=status)
    if token:
        # A page that shows a secret is not to be found again with the back button.
        response["Cache-Control"] = "no-store"
    return response


@require_safe
@page
def account(request: HttpRequest) -> HttpResponse:
    """The page with all three."""
    return _shown(request)


@sensitive_post_parameters()
@require_POST
@page
def change_password(request: HttpRequest) -> HttpResponse:
    """A new password; other sessions of the person end, this one goes on."""
    form = PasswordChangeForm(person(request), request.POST)
    if not form.is_valid():
        return _shown(request, form=form)
    update_session_auth_hash(request, form.save())
    messages.success(request, _("Your password is changed. Other browsers were signed out."))
    return redirect("account")


@require_POST
@page
def make_token(request: HttpRequest) -> HttpResponse:
    """A new API token, shown this once; only its hash is kept."""
    name = request.POST.get("name", "").replace("\x00", "")[:100]
    try:
        _row, token = api_tokens.create_token(actor=person(request), name=name)
    except ValidationFailed as refused:
        messages.error(request, refused.errors[0].message)
        return redirect("account")
    return _shown(request, token=token)


@require_POST
@page
def revoke_token(request: HttpRequest, token_id: UUID) -> HttpResponse:
    """The token stops working at once. Raises NotFound for one of somebody else."""
    api_tokens.revoke_token(actor=person(request), token_id=token_id)
    messages.success(request, _("The token is revoked."))
    return redirect("account")


@require_POST
@page
def change_language(request: HttpRequest) -> HttpResponse:
    """The language of the pages, kept with the person and in the browser."""
    language = request.POST.get("language", "")
    if language in dict(settings.LANGUAGES):
        User.objects.filter(pk=person(request).pk).update(language=language)
        with override(language):
            messages.success(request, _("The language is changed."))
    response = redirect("account")
    if language in dict(settings.LANGUAGES):
        response.set_cookie(settings.LANGUAGE_COOKIE_NAME, language, max_age=365 * 24 * 3600, samesite="Lax")
    return response
