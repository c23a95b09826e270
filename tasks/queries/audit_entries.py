"""Audit rows of a project, filtered, and as the API shows them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce

from tasks.domain.errors import RoleForbidden
from tasks.domain.matrix import Role
from tasks.domain.statuses import BatchStatus
from tasks.domain.times import iso
from tasks.models import AuditEntry, Batch, Project, Task, User
from tasks.queries.access import known_role
from tasks.queries.user_body import user_body

ADMINS = (Role.SUPER_ADMIN, Role.PROJECT_ADMIN)
READERS = (*ADMINS, Role.REVIEWER)
#: By the moment, which every reader sees; several rows of one act have the same.
NEWEST_FIRST = ("-at", "-id")


def check_audit_reader(*, user: User, project: Project) -> Role:
    """Admins and reviewers read the audit. Raises RoleForbidden, or NotFound for a stranger."""
    role = known_role(user=user, project=project)
    if role not in READERS:
        raise RoleForbidden(
            "The audit is for reviewers and admins of this project.",
            required_roles=[each.value for each in READERS],
        )
    return role


def audit_entries(
    *,
    project: Project,
    role: Role,
    actor: str = "",
    action: str = "",
    task_id: UUID | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[AuditEntry]:
    """The project's rows. `actor`: a username or an id; `action`: one of them, or a beginning ("lock.").

    `since` counts, `until` does not. Who is no admin sees nothing of batches that are drafts (I12).
    """
    entries = AuditEntry.objects.filter(project_id=project.pk)
    if role not in ADMINS:
        entries = _without_drafts(entries, project)
    if actor:
        named = Q(actor_name=actor)
        entries = entries.filter(named | Q(actor_id=actor) if _is_uuid(actor) else named)
    if action:
        entries = (
            entries.filter(action__startswith=action)
            if action.endswith(".")
            else entries.filter(action=action)
        )
    if task_id is not None:
        entries = entries.filter(task_id=task_id)
    if since is not None:
        entries = entries.filter(at__gte=since)
    if until is not None:
        entries = entries.filter(at__lt=until)
    return entries


def entries_after(entries: QuerySet[AuditEntry], entry_id: int) -> QuerySet[AuditEntry]:
    """Those that follow this one in the list."""
    last = AuditEntry.objects.filter(pk=entry_id).first()
    if last is None:
        return entries
    return entries.filter(Q(at__lt=last.at) | Q(at=last.at, pk__lt=last.pk), at__lte=last.at)


def _without_drafts(entries: QuerySet[AuditEntry], project: Project) -> QuerySet[AuditEntry]:
    drafts = list(
        Batch.objects.filter(project=project, status=BatchStatus.DRAFT).values_list("pk", flat=True)
    )
    # A row that names no batch has no key; NULL would drop it as well.
    batch = Coalesce(
        KeyTextTransform("batch", "after"),
        KeyTextTransform("batch", "before"),
        Value(""),
        output_field=TextField(),
    )
    shown = entries.exclude(task_id__in=Task.objects.filter(batch__in=drafts).values("pk"))
    return shown.alias(of_batch=batch).exclude(of_batch__in=[str(draft) for draft in drafts])


def audit_bodies(entries: Iterable[AuditEntry]) -> list[dict[str, Any]]:
    """The rows with their people; two statements, however many there are."""
    rows = list(entries)
    people: dict[UUID | None, dict[str, str]] = {
        user.pk: user_body(user)
        for user in User.objects.filter(pk__in=[row.actor_id for row in rows if row.actor_id])
    }
    return [
        {
            "id": row.pk,
            "at": iso(row.at),
            "task_id": str(row.task_id) if row.task_id else None,
            "number": row.number,
            "action": row.action,
            # Who is gone keeps the name that the row has.
            "actor": people.get(row.actor_id)
            or (
                {"id": str(row.actor_id), "username": row.actor_name, "name": row.actor_name}
                if row.actor_id
                else None
            ),
            "role": row.role,
            "reason": row.reason,
            "before": row.before,
            "after": row.after,
            "request_id": row.request_id,
            "hash": row.hash,
        }
        for row in rows
    ]


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
