"""What every page shares: who is signed in, what a refusal looks like, what is in the navigation."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tasks.domain.errors import NotFound, Problem, RoleForbidden
from tasks.domain.matrix import OPERATIONS, Operation, Role
from tasks.models import Project, User
from tasks.queries.access import known_role, visible_project

P = ParamSpec("P")

_ANY_ROLE = frozenset(Role)
ADMINS = frozenset(OPERATIONS[Operation.MANAGE].by_status[None])
REVIEWERS = ADMINS | {Role.REVIEWER}
#: Page 03, "who sees what": the audit page.
AUDITORS = REVIEWERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """A page of a project: its key, what it is called, where it is, who may open it."""

    key: str
    title: str | Promise
    url_name: str
    roles: frozenset[Role] = _ANY_ROLE


TABS = (
    Tab(key="overview", title=_("Overview"), url_name="project"),
    Tab(key="tasks", title=_("Tasks"), url_name="project-tasks"),
    Tab(key="review", title=_("Review"), url_name="project-review", roles=REVIEWERS),
    Tab(key="batches", title=_("Batches"), url_name="project-batches", roles=ADMINS),
    Tab(key="sessions", title=_("Sessions"), url_name="project-sessions", roles=ADMINS),
    Tab(key="members", title=_("Members"), url_name="project-members", roles=ADMINS),
    Tab(key="audit", title=_("Audit"), url_name="project-audit", roles=AUDITORS),
    Tab(key="settings", title=_("Settings"), url_name="project-settings", roles=ADMINS),
)
_BY_KEY = {tab.key: tab for tab in TABS}


def person(request: HttpRequest) -> User:
    """Who is signed in; only inside a `page`."""
    assert isinstance(request.user, User)
    return request.user


def page(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """A view for signed-in people: others go to the login form, a Problem becomes the error page."""

    @functools.wraps(view)
    def wrapped(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        try:
            return view(request, *args, **kwargs)
        except Problem as problem:
            return problem_page(request, problem)

    return wrapped


def problem_page(request: HttpRequest, problem: Problem) -> HttpResponse:
    """The problem as a page: what happened and what to do next."""
    title: str | Promise = problem.title
    detail: str | Promise = problem.detail
    if isinstance(problem, NotFound):
        title, detail = _("Not found"), _("There is no such page here, or you may not see it.")
    elif isinstance(problem, RoleForbidden):
        title = _("Not for your role")
        detail = _("Your role in this project does not include this page. Ask a project admin.")
    context = {"status": problem.status, "title": title, "detail": detail}
    return render(request, "error.html", context, status=problem.status)


def project_page(request: HttpRequest, *, project_id: UUID, tab: str) -> tuple[Project, Role, dict[str, Any]]:
    """The project, the person's role in it and the context of its page `tab`.

    Raises NotFound for a stranger, RoleForbidden where the role may not open the page.
    """
    user = person(request)
    project = visible_project(user=user, project_id=project_id)
    role = known_role(user=user, project=project)
    wanted = _BY_KEY[tab]
    if role not in wanted.roles:
        raise RoleForbidden("This page is for other roles.", required_roles=sorted(wanted.roles))
    tabs = [
        {"key": each.key, "title": each.title, "url": reverse(each.url_name, args=[project.pk])}
        for each in TABS
        if role in each.roles
    ]
    context = {
        "project": project,
        "role": role,
        "is_admin": role in ADMINS,
        "may_review": role in REVIEWERS,
        "sees_jobs": role is not Role.VIEWER,
        "tabs": tabs,
        "tab": tab,
        "live_project": project.pk,
    }
    return project, role, context
