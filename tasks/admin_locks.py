"""Live and expired locks for operators, with the release of selected ones (page 03)."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from locks.models import TaskLock
from tasks.admin_look_only import LookOnly
from tasks.domain.actor import RequestContext
from tasks.domain.errors import Problem
from tasks.models import User
from tasks.operations.force_release_lock import force_release_lock
from tasks.queries.database_clock import ClockTimestamp

ACTION = "release_selected"


class ReasonForm(forms.Form):
    """Why locks are released; it goes into the audit."""

    reason = forms.CharField(
        label=_("Reason"), max_length=2000, widget=forms.Textarea(attrs={"rows": 3, "cols": 60})
    )


class LiveFilter(admin.SimpleListFilter):
    """Locks that count, or rows that have run out."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """The two states."""
        return [("live", _("live")), ("expired", _("expired"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[TaskLock]) -> QuerySet[TaskLock]:
        """The chosen rows, by the database's clock."""
        if self.value() == "live":
            return queryset.filter(expire_at__gt=ClockTimestamp())
        if self.value() == "expired":
            return queryset.filter(expire_at__lte=ClockTimestamp())
        return queryset


class TaskLockAdmin(LookOnly):
    """Who holds which task; registered in admin.py."""

    list_display = (
        "task",
        "user",
        "device",
        "acquired_at",
        "heartbeat_at",
        "stale",
        "expire_at",
        "ttl_seconds",
    )
    list_select_related = ("task", "user")
    list_filter = (LiveFilter,)
    search_fields = ("=task__id", "task__name", "user__username")
    ordering = ("-acquired_at",)
    actions: Any = [ACTION]

    @admin.display(description=_("stale at"))
    def stale(self, lock: TaskLock) -> Any:
        """When others may take the task over."""
        return lock.stale_at

    @admin.action(description=_("Release selected locks"))
    def release_selected(self, request: HttpRequest, queryset: QuerySet[TaskLock]) -> HttpResponse | None:
        """Asks for a reason, then releases one by one by the API's operation, each with its audit row."""
        form = ReasonForm(request.POST if "reason" in request.POST else None)
        if not form.is_valid():
            return self._ask(request, queryset, form)
        user = request.user
        assert isinstance(user, User)
        context = RequestContext(address=str(request.META.get("REMOTE_ADDR", ""))[:64], device="Django admin")
        released = 0
        for task_id, project_id in list(queryset.values_list("task_id", "task__project_id")):
            try:
                released += force_release_lock(
                    actor=user,
                    project_id=project_id,
                    task_id=task_id,
                    reason=form.cleaned_data["reason"],
                    context=context,
                )
            except Problem as problem:
                self.message_user(request, f"{task_id}: {problem.detail}", messages.ERROR)
        text = ngettext("%(n)d lock was released.", "%(n)d locks were released.", released) % {"n": released}
        self.message_user(request, text, messages.SUCCESS if released else messages.WARNING)
        return None

    def _ask(self, request: HttpRequest, queryset: QuerySet[TaskLock], form: ReasonForm) -> TemplateResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": _("Release locks"),
            "opts": self.model._meta,
            "locks": queryset.select_related("task", "user"),
            "form": form,
            "action": ACTION,
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/release_locks.html", context)
