"""The audit chain of a project, filtered."""

from datetime import UTC, datetime, time, timedelta
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_date
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tasks.models import Membership, Task
from tasks.pages.shell import page, person, project_page
from tasks.queries.audit_entries import NEWEST_FIRST, audit_entries, entries_after

PAGE = 100
FILTERS = ("actor", "action", "since", "until", "after")

KINDS = (
    ("task.", _("tasks")),
    ("lock.", _("locks")),
    ("job.", _("jobs")),
    ("annotation.", _("confirmations")),
    ("batch.", _("batches")),
    ("member.", _("members")),
    ("project.", _("the project")),
    ("policy.", _("policies")),
)


@require_safe
@page
def audit(request: HttpRequest, project_id: UUID) -> HttpResponse:
    """Newest first; filters by person, action and day are in the address."""
    project, role, context = project_page(request, project_id=project_id, tab="audit")
    wanted = {
        name: request.GET.get(name, "").replace("\x00", "").strip()
        for name in ("actor", "action", "since", "until", "after")
    }
    kept = {name: value for name, value in wanted.items() if value and name != "after"}
    entries = audit_entries(
        project=project,
        role=role,
        actor=wanted["actor"],
        action=wanted["action"],
        since=_day(wanted["since"]),
        until=_day(wanted["until"], plus=1),
    )
    if wanted["after"].isdecimal() and len(wanted["after"]) <= 18:
        entries = entries_after(entries, int(wanted["after"]))
    found = list(entries.order_by(*NEWEST_FIRST)[: PAGE + 1])
    shown = found[:PAGE]
    # Rows outlive what they speak of, and a reviewer's list names no task that they may not see.
    visible = Task.objects.visible_to(person(request)).filter(pk__in={entry.task_id for entry in shown})
    names = dict(visible.values_list("pk", "name"))
    people = Membership.objects.filter(project=project).select_related("user").order_by("user__username")
    context |= {
        "rows": [
            {"entry": entry, "task": names.get(entry.task_id) if entry.task_id else None} for entry in shown
        ],
        "next_query": urlencode(kept | {"after": shown[-1].pk}) if len(found) > PAGE else "",
        "wanted": wanted,
        "people": [membership.user for membership in people],
        "kinds": KINDS,
    }
    return render(request, "projects/audit.html", context)


def _day(text: str, *, plus: int = 0) -> datetime | None:
    """The day's beginning (UTC), `plus` days later; None for what is no date, or past the last one."""
    try:
        day = parse_date(text)
        return None if day is None else datetime.combine(day, time.min, UTC) + timedelta(days=plus)
    except (ValueError, OverflowError):
        return None
