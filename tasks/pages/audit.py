"""The audit chain of a project, filtered."""

from datetime import UTC, datetime, time
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_safe

from tasks.models import AuditEntry, Membership, Task
from tasks.pages.shell import page, person, project_page

PAGE = 100


@require_safe
@page
def audit(request: HttpRequest, project_id: UUID) -> HttpResponse:
    """Newest first; filters by person, action and day are in the address."""
    project, _role, context = project_page(request, project_id=project_id, tab="audit")
    wanted = {name: request.GET.get(name, "").strip() for name in ("actor", "action", "since", "until", "after")}
    entries = AuditEntry.objects.filter(project_id=project.pk)
    if wanted["actor"]:
        entries = entries.filter(actor_name=wanted["actor"])
    if wanted["action"]:
        entries = entries.filter(action__startswith=wanted["action"])
    if since := _day(wanted["since"]):
        entries = entries.filter(at__gte=datetime.combine(since, time.min, UTC))
    if until := _day(wanted["until"]):
        entries = entries.filter(at__lte=datetime.combine(until, time.max, UTC))
    if wanted["after"].isdecimal():
        entries = entries.filter(pk__lt=int(wanted["after"]))
    found = list(entries.order_by("-pk")[: PAGE + 1])
    shown = found[:PAGE]
    # Rows outlive what they speak of, and a reviewer's list names no task that they may not see.
    visible = Task.objects.visible_to(person(request)).filter(pk__in={entry.task_id for entry in shown})
    names = dict(visible.values_list("pk", "name"))
    people = Membership.objects.filter(project=project).select_related("user").order_by("user__username")
    context |= {
        "rows": [{"entry": entry, "task": names.get(entry.task_id)} for entry in shown],
        "next_after": shown[-1].pk if len(found) > PAGE else "",
        "wanted": wanted,
        "people": [membership.user for membership in people],
        "kinds": ("task.", "lock.", "job.", "annotation.", "batch.", "project.", "member."),
    }
    return render(request, "projects/audit.html", context)


def _day(text: str) -> Any:
    try:
        return parse_date(text)
    except ValueError:
        return None
