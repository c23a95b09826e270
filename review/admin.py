"""Django admin for jobs: to look, to cancel what is stuck, to send dead letters again. Nothing is edited."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from review.admin_records import RECORDS
from review.domain.job_states import TERMINAL
from review.models import IgnoredReport, Intervention, Job, NodeRun, Pause
from review.operations.cancel_job import cancel_job, check_cancel
from review.operations.relay_outbox import send_again
from tasks.admin_look_only import LookOnly, follow
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import Problem
from tasks.models import OutboxMessage, User
from tasks.queries.database_clock import ClockTimestamp


class IsLive(admin.SimpleListFilter):
    """Jobs that have not ended."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Live, or live with a run whose worker is gone."""
        return [("live", _("not ended")), ("stuck", _("a run's lease has run out"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Job]) -> QuerySet[Job]:
        """The chosen jobs."""
        if self.value() == "live":
            return queryset.exclude(status__in=TERMINAL)
        if self.value() == "stuck":
            stuck = NodeRun.objects.filter(status="RUNNING", lease_until__lt=ClockTimestamp())
            return queryset.filter(pk__in=stuck.values("job_id"))
        return queryset


for _model, _page in RECORDS.items():
    admin.site.register(_model, _page)


@admin.register(Job)
class JobAdmin(LookOnly):
    """Jobs, with cancelling."""

    list_display = ("task", "pipeline", "status", "version", "created_by", "created_at", "ended_at")
    list_filter = (IsLive, "status", "pipeline")
    list_select_related = ("task", "created_by")
    search_fields = ("id", "task__id", "task__name")
    ordering = ("-id",)
    actions: Any = ["cancel_selected"]

    @admin.action(description=_("Cancel selected jobs"))
    def cancel_selected(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        """Through the operation that the API uses: audited, with its event."""
        user = request.user
        assert isinstance(user, User)
        cancelled = 0
        for job in queryset.select_related("task__project", "task__batch"):
            try:
                key = RequestKey(
                    key=None,
                    scope="request",
                    actor_id=user.pk,
                    role=check_cancel(actor=user, job=job),
                    operation="cancel_job",
                    payload_hash="",
                )
                cancel_job(actor=user, job_id=job.pk, request=key, context=RequestContext(device="admin"))
                cancelled += 1
            except Problem as problem:
                self.message_user(request, f"{job.pk}: {problem.detail}", messages.WARNING)
        self.message_user(request, _("%(n)s jobs cancelled.") % {"n": cancelled})


@admin.register(NodeRun)
class NodeRunAdmin(LookOnly):
    """Runs: what they were given, what they said."""

    list_display = (
        "node_type", "task", "status", "attempt", "box_id", "lease_worker", "lease_until",
        "finished_at",
    )  # fmt: skip
    list_filter = ("status", "node_type")
    list_select_related = ("task",)
    search_fields = ("id", "job__id", "task__id")
    ordering = ("-id",)


@admin.register(Pause)
class PauseAdmin(LookOnly):
    """Pauses: who is asked since when. The token is not shown: it answers for a person."""

    list_display = (
        "stage", follow("job__task"), "round", "status", "created_at", "consumed_by", "consumed_at",
    )  # fmt: skip
    list_filter = ("status", "stage")
    list_select_related = ("job__task", "consumed_by")
    search_fields = ("id", "job__id", "job__task__name")
    ordering = ("created_at",)
    exclude = ("pause_token",)


@admin.register(Intervention)
class InterventionAdmin(LookOnly):
    """Answers."""

    list_display = ("outcome", follow("job__task"), "actor", "role", "created_at", "intervention_id")
    list_filter = ("outcome",)
    list_select_related = ("job__task", "actor")
    search_fields = ("intervention_id", "job__id", "job__task__name")
    ordering = ("-id",)
    exclude = ("content",)


@admin.register(IgnoredReport)
class IgnoredReportAdmin(LookOnly):
    """Reports that came too late."""

    list_display = ("why", follow("run__task"), follow("run"), "attempt", "worker", "received_at")
    list_select_related = ("run__task",)
    search_fields = ("=run__id", "run__task__name")
    ordering = ("-received_at",)


class OutboxState(admin.SimpleListFilter):
    """Where a message is."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Waiting, dead."""
        return [("waiting", _("waiting")), ("dead", _("dead letters"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[OutboxMessage]) -> QuerySet[OutboxMessage]:
        """The chosen messages."""
        if self.value() == "waiting":
            return queryset.filter(sent_at=None, dead_at=None)
        if self.value() == "dead":
            return queryset.filter(dead_at__isnull=False)
        return queryset


@admin.register(OutboxMessage)
class OutboxAdmin(LookOnly):
    """The outbox, with another life for dead letters."""

    list_display = ("kind", "payload", "attempts", "available_at", "sent_at", "dead_at", "dead_reason")
    list_filter = (OutboxState, "kind")
    ordering = ("-id",)
    actions: Any = ["send_selected_again"]

    @admin.action(description=_("Send selected dead letters again"))
    def send_selected_again(self, request: HttpRequest, queryset: QuerySet[OutboxMessage]) -> None:
        """Whatever was not dead is left as it is."""
        again = send_again(message_ids=list(queryset.values_list("pk", flat=True)))
        self.message_user(request, _("%(n)s dead letters will be tried again.") % {"n": again})
