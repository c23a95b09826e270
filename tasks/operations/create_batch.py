"""A batch: a draft until somebody opens it."""

from typing import Any
from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import FieldError, ValidationFailed
from tasks.models import Batch, BatchAssignee, Membership, Project, User
from tasks.operations.audit import audit_project
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_project
from tasks.operations.transactions import operation
from tasks.queries.access import check_manage, visible_project
from tasks.queries.batch_body import batch_body
from tasks.queries.people import named_people


@operation
def create_batch(
    *, actor: User, project_id: UUID, values: dict[str, Any], request: RequestKey, context: RequestContext
) -> Reply:
    """`values`: name, and any of priority, open, assignees; the reply is the batch (201).

    Raises NotFound, RoleForbidden, IdempotencyConflict, ValidationFailed (422).
    """
    role = check_manage(user=actor, project=visible_project(user=actor, project_id=project_id))
    if (reply := known_reply(request)) is not None:
        return reply
    project = lock_project(project_id)
    if (reply := known_reply(request)) is not None:
        return reply
    people = assignable(project, values.get("assignees", []))
    batch = Batch.objects.create(
        project=project,
        name=checked_name(values["name"]),
        priority=values.get("priority", 0),
        open=values.get("open", False),
    )
    BatchAssignee.objects.bulk_create([BatchAssignee(batch=batch, user=user) for user in people])
    audit_project(
        project=project,
        action="batch.create",
        actor=actor,
        role=role,
        after={
            "batch": str(batch.pk),
            "name": batch.name,
            "priority": batch.priority,
            "open": batch.open,
            "assignees": [user.username for user in people],
        },
        context=context,
    )
    return keep_reply(request, render_reply(201, batch_body(batch)))


def checked_name(name: str) -> str:
    """A batch's name. Raises ValidationFailed (422)."""
    if not name.strip():
        raise ValidationFailed([FieldError("name", "A batch needs a name.", "blank")], status=422)
    return name.strip()


def assignable(project: Project, names: list[str]) -> list[User]:
    """The members of these names or ids. Raises ValidationFailed (422) naming who is no member."""
    people = named_people(names, field="assignees") if names else []
    members = set(
        Membership.objects.filter(project=project, user__in=people).values_list("user_id", flat=True)
    )
    strangers = [user for user in people if user.pk not in members]
    if strangers:
        errors = [
            FieldError("assignees", f"{user.username} is not a member of this project.", "not_a_member")
            for user in strangers
        ]
        raise ValidationFailed(errors, status=422)
    return people
