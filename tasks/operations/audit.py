"""Writing the audit chain. Verification is in queries/verify_audit.py and uses the same `entry_hash`."""

from datetime import datetime
from typing import Any
from uuid import UUID

from tasks.domain.actor import RequestContext
from tasks.domain.audit_hash import entry_hash
from tasks.models import AuditEntry, Project, Task, User
from tasks.operations.journal import written_together
from tasks.queries.database_clock import ClockTimestamp

SYSTEM = RequestContext()


def audit_task(
    *,
    task: Task,
    action: str,
    actor: User | None,
    role: str = "",
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    context: RequestContext = SYSTEM,
) -> AuditEntry:
    """Append to the task's chain."""
    with written_together(task) as journal:
        entry = _entry(
            at=journal.moment,
            project_id=task.project_id,
            task_id=task.pk,
            number=journal.audit_count + 1,
            prev_hash=journal.audit_head,
            action=action,
            actor=actor,
            role=role,
            reason=reason,
            before=before,
            after=after,
            context=context,
        )
        journal.note(entry)
    return entry


def audit_project(
    *,
    project: Project,
    action: str,
    actor: User | None,
    role: str = "",
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    context: RequestContext = SYSTEM,
) -> AuditEntry:
    """Append to the project's own chain. The caller holds the project's row lock."""
    number, head, at = Project.objects.values_list("audit_count", "audit_head", ClockTimestamp()).get(
        pk=project.pk
    )
    entry = _entry(
        at=at,
        project_id=project.pk,
        task_id=None,
        number=number + 1,
        prev_hash=head,
        action=action,
        actor=actor,
        role=role,
        reason=reason,
        before=before,
        after=after,
        context=context,
    )
    entry.save(force_insert=True)
    Project.objects.filter(pk=project.pk).update(audit_count=entry.number, audit_head=entry.hash)
    project.audit_count, project.audit_head = entry.number, entry.hash
    return entry


def _entry(
    *,
    at: datetime,
    project_id: UUID,
    task_id: UUID | None,
    number: int,
    prev_hash: str,
    action: str,
    actor: User | None,
    role: str,
    reason: str,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    context: RequestContext,
) -> AuditEntry:
    entry = AuditEntry(
        at=at,
        project_id=project_id,
        task_id=task_id,
        number=number,
        actor_id=actor.pk if actor else None,
        actor_name=actor.username if actor else "",
        role=role,
        action=action,
        reason=reason,
        before=before,
        after=after,
        request_id=context.request_id,
        address=context.address,
        prev_hash=prev_hash,
    )
    entry.hash = entry_hash(entry)
    return entry
