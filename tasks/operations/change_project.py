"""Changing a project's settings."""

from typing import Any
from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.models import User
from tasks.operations.ask_anew import ask_anew, changes_the_question
from tasks.operations.audit import audit_project
from tasks.operations.create_project import checked_settings
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_project, lock_tasks_of
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_manage, visible_project
from tasks.queries.project_body import project_body


@operation
def change_project(
    *, actor: User, project_id: UUID, values: dict[str, Any], request: RequestKey, context: RequestContext
) -> Reply:
    """The reply is the project. Locks that are held keep their TTL; the next acquire takes the new one.

    Other label names or kinds of shapes are another question: all tasks' config versions rise with them.

    Raises NotFound, RoleForbidden, IdempotencyConflict, ValidationFailed (422).
    """
    seen = visible_project(user=actor, project_id=project_id)
    role = check_manage(user=actor, project=seen)
    if (reply := known_reply(request)) is not None:
        return reply
    wanted = checked_settings(values)
    if changes_the_question(seen, wanted):
        # Tasks before the project, as everywhere; nobody confirms or saves by the old question meanwhile.
        lock_tasks_of(project_id)
    project = lock_project(project_id)
    if (reply := known_reply(request)) is not None:
        return reply
    ask_anew(project=project, wanted=wanted, actor=actor)
    before = {name: getattr(project, name) for name in wanted}
    changed = {name: value for name, value in wanted.items() if before[name] != value}
    if changed:
        for name, value in changed.items():
            setattr(project, name, value)
        project.updated_at = db_now()
        project.save(update_fields=[*changed, "updated_at"])
        audit_project(
            project=project,
            action="project.change",
            actor=actor,
            role=role,
            before={name: before[name] for name in changed},
            after=changed,
            context=context,
        )
    return keep_reply(request, render_reply(200, project_body(project, viewer=actor)))
