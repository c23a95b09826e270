"""A batch as the API shows it."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from tasks.domain.errors import NotFound
from tasks.domain.matrix import Role
from tasks.domain.statuses import BatchStatus, Status
from tasks.domain.times import iso
from tasks.models import Batch, BatchAssignee, User
from tasks.queries.access import known_role, visible_project
from tasks.queries.project_cards import counts_of_batches
from tasks.queries.user_body import user_body, user_body_or_none

_ADMINS = frozenset({Role.SUPER_ADMIN, Role.PROJECT_ADMIN})


def visible_batches(*, user: User, project_id: UUID) -> QuerySet[Batch]:
    """The project's batches that the person sees: admins all, annotators open and own ones, none of them
    drafts. Raises NotFound for a stranger."""
    project = visible_project(user=user, project_id=project_id)
    return _seen_by(user, known_role(user=user, project=project), Batch.objects.filter(project=project))


def visible_batch(*, user: User, batch_id: UUID) -> Batch:
    """The batch with its project, archived ones for admins only. Raises NotFound."""
    batch = Batch.objects.select_related("project", "held_by").filter(pk=batch_id).first()
    if batch is None or batch.project.archived_at is not None:
        raise NotFound
    role = known_role(user=user, project=batch.project)
    if not _seen_by(user, role, Batch.objects.filter(pk=batch_id)).exists():
        raise NotFound
    return batch


def _seen_by(user: User, role: Role, batches: QuerySet[Batch]) -> QuerySet[Batch]:
    if role in _ADMINS:
        return batches
    batches = batches.exclude(status=BatchStatus.DRAFT).filter(archived_at=None)
    if role != Role.ANNOTATOR:
        return batches
    own = BatchAssignee.objects.filter(batch=OuterRef("pk"), user=user)
    return batches.filter(Q(open=True) | Exists(own))


def batch_body(batch: Batch) -> dict[str, Any]:
    """Page 06's batch."""
    return batch_bodies([batch])[0]


def hold_body(batch: Batch) -> dict[str, Any] | None:
    """Who put the batch on hold, when and why; None where it is not."""
    if batch.held_at is None:
        return None
    return {
        "by": user_body_or_none(batch.held_by),
        "at": iso(batch.held_at),
        "reason": batch.hold_reason,
    }


def batch_bodies(batches: Sequence[Batch]) -> list[dict[str, Any]]:
    """Several of them; two statements, however many there are (their `held_by` joined by the caller)."""
    counts = counts_of_batches(batches)
    assignees: dict[UUID, list[dict[str, str]]] = {}
    rows = BatchAssignee.objects.filter(batch__in=[batch.pk for batch in batches]).select_related("user")
    for row in rows.order_by("user__username"):
        assignees.setdefault(row.batch_id, []).append(user_body(row.user))
    return [
        {
            "id": str(batch.pk),
            "name": batch.name,
            "project": str(batch.project_id),
            "status": batch.status,
            "priority": batch.priority,
            "open": batch.open,
            "is_default": batch.is_default,
            "assignees": assignees.get(batch.pk, []),
            "hold": hold_body(batch),
            "counts": {status.value: counts.get(batch.pk, {}).get(status.value, 0) for status in Status},
        }
        for batch in batches
    ]
