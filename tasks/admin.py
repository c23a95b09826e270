"""Django admin for the workflow's tables: all is readable, people are managed, the rest is looked at."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from locks.models import TaskLock
from tasks.admin_locks import TaskLockAdmin
from tasks.admin_look_only import LookOnly, follow, link_to
from tasks.models import (
    ApiToken,
    Asset,
    AuditEntry,
    Batch,
    BatchAssignee,
    BatchCount,
    Event,
    IdempotentRequest,
    Membership,
    Project,
    ProjectPolicy,
    Task,
    User,
)

if TYPE_CHECKING:
    PeopleAdmin = UserAdmin[User]
else:
    PeopleAdmin = UserAdmin

admin.site.site_header = _("Countersign: operators' pages")
admin.site.site_title = _("Countersign")
admin.site.index_title = _("Tables")
admin.site.register(TaskLock, TaskLockAdmin)


@admin.register(User)
class PersonAdmin(PeopleAdmin):
    """People: added, given a new password, made operators. Never deleted: their acts carry their id."""

    list_display = (
        "username",
        "first_name",
        "last_name",
        "is_active",
        "is_staff",
        "is_superuser",
        "last_login",
    )
    fieldsets = (
        *(UserAdmin.fieldsets or ()),
        (_("Pages"), {"fields": ("language",)}),
    )
    ordering = ("username",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never; set them inactive instead."""
        return False


@admin.register(ApiToken)
class ApiTokenAdmin(LookOnly):
    """Who made tokens, and when they were last used."""

    list_display = ("name", "user", "created_at", "last_used_at", "revoked_at")
    list_select_related = ("user",)
    exclude = ("digest",)
    search_fields = ("name", "user__username")
    ordering = ("-created_at",)


@admin.register(Project)
class ProjectAdmin(LookOnly):
    """Projects and their rules."""

    list_display = (
        "name",
        "owner",
        "sampling",
        "required_approvals",
        "four_eyes",
        "created_at",
        "archived_at",
    )
    list_select_related = ("owner",)
    search_fields = ("id", "name")
    ordering = ("name",)


@admin.register(ProjectPolicy)
class ProjectPolicyAdmin(LookOnly):
    """What projects declared to happen without a person, version by version."""

    list_display = ("project", "kind", "version", "is_on", "created_by", "created_at")
    list_select_related = ("project", "created_by")
    list_filter = ("kind", "is_on")
    search_fields = ("=project__id", "project__name")
    ordering = ("-id",)


@admin.register(Membership)
class MembershipAdmin(LookOnly):
    """Who is in which project."""

    list_display = ("user", "project", "role", "created_at")
    list_select_related = ("user", "project")
    list_filter = ("role",)
    search_fields = ("user__username", "project__name")
    ordering = ("-created_at",)


@admin.register(Batch)
class BatchAdmin(LookOnly):
    """Batches with their state and holds."""

    list_display = ("name", "project", "status", "priority", "open", "held_by", "held_at", "archived_at")
    list_select_related = ("project", "held_by")
    list_filter = ("status", "open")
    search_fields = ("id", "name")
    ordering = ("-created_at",)


@admin.register(BatchAssignee)
class BatchAssigneeAdmin(LookOnly):
    """To whom batches are given."""

    list_display = ("batch", "user")
    list_select_related = ("batch", "user")
    ordering = ("-id",)


@admin.register(BatchCount)
class BatchCountAdmin(LookOnly):
    """The counters' rows; their sum is the count."""

    list_display = ("batch", "status", "delta")
    list_select_related = ("batch",)
    list_filter = ("status",)
    ordering = ("-id",)


@admin.register(Asset)
class AssetAdmin(LookOnly):
    """Stored pictures."""

    list_display = ("original_name", "project", "width", "height", "size_bytes", "is_demo", "created_at")
    list_select_related = ("project",)
    search_fields = ("id", "original_name", "sha256")
    ordering = ("-id",)


@admin.register(Task)
class TaskAdmin(LookOnly):
    """Tasks, wherever they stand."""

    list_display = ("name", "project", "batch", "status", "job_status", "assignee", "mark", "updated_at")
    list_select_related = ("project", "batch", "assignee")
    list_filter = ("status", "mark", "job_status")
    search_fields = ("id", "name")
    ordering = ("-id",)


@admin.register(AuditEntry)
class AuditAdmin(LookOnly):
    """The audit chains. The database itself refuses to change or delete a row."""

    list_display = ("at", "action", "actor_name", "role", "of_task", "of_project", "number", "reason")
    search_fields = ("=task_id", "=project_id", "actor_name", "action")
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditEntry]:
        """With names: rows of the audit carry ids, and outlive what they speak of."""
        entries: QuerySet[AuditEntry] = super().get_queryset(request)
        return entries.annotate(
            task_name=Subquery(Task.objects.filter(pk=OuterRef("task_id")).values("name")),
            project_name=Subquery(Project.objects.filter(pk=OuterRef("project_id")).values("name")),
        )

    @admin.display(description=_("task"), empty_value="–")
    def of_task(self, entry: AuditEntry) -> str:
        """The task by name."""
        return link_to(Task, entry.task_id, getattr(entry, "task_name"))  # noqa: B009 - an annotation

    @admin.display(description=_("project"), empty_value="–")
    def of_project(self, entry: AuditEntry) -> str:
        """The project by name."""
        return link_to(Project, entry.project_id, getattr(entry, "project_name"))  # noqa: B009 - as above


@admin.register(Event)
class EventAdmin(LookOnly):
    """Events of tasks, in their order."""

    list_display = ("at", "type", follow("task"), "seq")
    list_select_related = ("task",)
    list_filter = ("type",)
    search_fields = ("=task__id", "=job_id", "task__name")
    ordering = ("-id",)


@admin.register(IdempotentRequest)
class IdempotentRequestAdmin(LookOnly):
    """Requests that were answered, so that they are answered the same again."""

    list_display = ("created_at", "scope", "key", "operation", "role", "status")
    search_fields = ("=key", "=scope")
    exclude = ("reply",)
    ordering = ("-id",)
