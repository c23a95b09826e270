"""A task's history: everything that was done to it, oldest first."""

from typing import Any

from tasks.domain.errors import RoleForbidden
from tasks.domain.matrix import Role
from tasks.models import AuditEntry, Task, User
from tasks.queries.access import known_role
from tasks.queries.audit_entries import audit_bodies
from tasks.queries.lock_body import live_lock

#: Actions about work that has not been confirmed; viewers do not see them.
OF_DRAFTS = ("draft.", "candidates.", "prediction.", "region.", "run.", "job.", "pause.", "intervention.")
#: Every action is audited, so this is far above what people do to one picture.
MOST = 5000


def task_history(task: Task, *, viewer: User) -> dict[str, Any]:
    """`{items: [{at, kind, action, actor, reason, before, after, revision?}]}`.

    `kind` is the first part of the action: task, lock, job, annotation, … Annotators see it of what they
    worked on or hold. Raises RoleForbidden.
    """
    role = known_role(user=viewer, project=task.project)
    if role == Role.ANNOTATOR and not _is_theirs(task, viewer):
        raise RoleForbidden(
            "You see the history of tasks that you worked on or hold.",
            required_roles=[Role.SUPER_ADMIN, Role.PROJECT_ADMIN, Role.REVIEWER, Role.VIEWER],
        )
    rows = audit_bodies(AuditEntry.objects.filter(task_id=task.pk).order_by("number")[:MOST])
    if role == Role.VIEWER:
        rows = [row for row in rows if not row["action"].startswith(OF_DRAFTS)]
    return {"items": [_item(row) for row in rows]}


def _is_theirs(task: Task, viewer: User) -> bool:
    if viewer.pk in {task.assignee_id, task.submitted_by_id, task.created_by_id}:
        return True
    lock = live_lock(task.pk)
    return lock is not None and lock.user_id == viewer.pk


def _item(row: dict[str, Any]) -> dict[str, Any]:
    item = {
        "at": row["at"],
        "kind": row["action"].split(".", 1)[0],
        "action": row["action"],
        "actor": row["actor"],
        "role": row["role"],
        "reason": row["reason"],
        "before": row["before"],
        "after": row["after"],
        "number": row["number"],
    }
    after = row["after"] if isinstance(row["after"], dict) else {}
    revision = after.get("revision") or after.get("annotation_revision")
    return item if revision is None else {**item, "revision": revision}
