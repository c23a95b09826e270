"""The navigation and the sentences of the page scripts."""

from typing import Any

from django import template
from django.http import HttpRequest
from django.template.context import Context
from django.utils import timezone
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tasks.domain.times import iso
from tasks.models import User
from tasks.queries.navigation import review_work

register = template.Library()


@register.inclusion_tag("parts/nav.html", takes_context=True)
def site_nav(context: Context) -> dict[str, Any]:
    """Only what the person may open."""
    request: HttpRequest | None = context.get("request")
    user = getattr(request, "user", None)
    shown: dict[str, Any] = {"nav": context.get("nav", ""), "user": user, "request": request}
    if isinstance(user, User):
        shown["review"] = review_work(user)
    return shown


@register.simple_tag
def server_now() -> str:
    """The server's time, from which the page counts down."""
    return iso(timezone.now())


@register.simple_tag
def page_words() -> SafeString:
    """What `frontend/src/pages/words.ts` says, in the page's language, as JSON."""
    return json_script(
        {
            "minutes_seconds": _("{m} min {s} s"),
            "seconds": _("{s} s"),
            "seconds_ago": _("{n} s ago"),
            "minutes_ago": _("{n} min ago"),
            "hours_ago": _("{n} h ago"),
            "days_ago": _("{n} days ago"),
            "open": _("Open"),
            "upload_waiting": _("waits for its turn"),
            "upload_sending": _("uploading"),
            "upload_checking": _("uploaded, being checked"),
            "upload_refused": _("refused"),
            "no_connection": _("The server could not be reached. Drop the file again."),
            "too_large": _("The file is too large."),
            "free_now": _("free now, try again"),
            "none_done": _("Nothing is left to do for you here."),
            "none_on_hold": _("{n} tasks are in batches on hold."),
            "none_not_assigned": _("{n} tasks are in batches that are not given to you."),
            "none_reserved": _("{n} tasks wait for the people who worked on them."),
            "none_held": _("{name} is in a task that can be taken over in"),
            "CREATED": _("job accepted"),
            "DETECTING": _("the model is looking"),
            "WAITING_USER_SELECTION": _("waiting for your answer"),
            "VALIDATING_MANUAL_BOXES": _("checking drawn boxes"),
            "WAITING_BOX_BATCH_REVISION": _("some boxes need another look"),
            "PROCESSING_APPROVED_SUBJECTS": _("cutting out"),
            "FINALIZING_RESULTS": _("storing results"),
            "SUCCEEDED": _("cut out"),
            "PARTIAL_SUCCEEDED": _("partly cut out"),
            "FAILED": _("failed"),
            "EMPTY_SELECTION": _("nothing chosen"),
            "CANCELLED": _("cancelled"),
        },
        "page-words",
    )
