"""Django admin for jobs: to look, to cancel what is stuck, to send dead letters again. Nothing is edited."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from review.admin_records import RECORDS
from review.domain.job_states import TERMINAL
from review.models import IgnoredReport, Intervention, Job, NodeRun, Pause
from review.operations.cancel_job import cancel_job, check_cancel
from review.operations.relay_outbox import send_again
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import Problem
from tasks.models import OutboxMessage, User
from tasks.queries.database_clock import ClockTimestamp

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    # Generic for the type checker only.
    ModelAdmin = admin.ModelAdmin


class LookOnly(ModelAdmin):
    """Rows that operations write: no form adds, changes or deletes one."""

    actions: Any = []
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


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

    list_display = ("id", "task", "pipeline", "status", "version", "created_by", "created_at", "ended_at")
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
        "id", "node_type", "status", "attempt", "task", "box_id", "lease_worker", "lease_until",
        "finished_at",
    )  # fmt: skip
    list_filter = ("status", "node_type")
    list_select_related = ("task",)
    search_fields = ("id", "job__id", "task__id")
    ordering = ("-id",)


@admin.register(Pause)
class PauseAdmin(LookOnly):
    """Pauses: who is asked since when. The token is not shown: it answers for a person."""

    list_display = ("id", "job", "stage", "round", "status", "created_at", "consumed_by", "consumed_at")
    list_filter = ("status", "stage")
    list_select_related = ("job", "consumed_by")
    search_fields = ("id", "job__id")
    ordering = ("created_at",)
    exclude = ("pause_token",)


@admin.register(Intervention)
class InterventionAdmin(LookOnly):
    """Answers."""

    list_display = ("intervention_id", "job", "actor", "role", "outcome", "created_at")
    list_filter = ("outcome",)
    list_select_related = ("job", "actor")
    search_fields = ("intervention_id", "job__id")
    ordering = ("-id",)
    exclude = ("content",)


@admin.register(IgnoredReport)
class IgnoredReportAdmin(LookOnly):
    """Reports that came too late."""

    list_display = ("run", "attempt", "why", "worker", "received_at")
    list_select_related = ("run",)
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

    list_display = ("id", "kind", "payload", "attempts", "available_at", "sent_at", "dead_at", "dead_reason")
    list_filter = (OutboxState, "kind")
    ordering = ("-id",)
    actions: Any = ["send_selected_again"]

    @admin.action(description=_("Send selected dead letters again"))
    def send_selected_again(self, request: HttpRequest, queryset: QuerySet[OutboxMessage]) -> None:
        """Whatever was not dead is left as it is."""
        again = send_again(message_ids=list(queryset.values_list("pk", flat=True)))
        self.message_user(request, _("%(n)s dead letters will be tried again.") % {"n": again})
