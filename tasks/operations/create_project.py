"""A project: its owner is a member, and its Inbox exists, from the start."""

from typing import Any

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import FieldError, ValidationFailed
from tasks.domain.labels import filled_labels
from tasks.domain.matrix import Role
from tasks.domain.statuses import BatchStatus
from tasks.models import Batch, Membership, Project, User
from tasks.models.project import GEOMETRIES
from tasks.operations.audit import audit_project
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_project
from tasks.operations.transactions import operation
from tasks.queries.project_body import SETTINGS, project_body

INBOX = "Inbox"


@operation
def create_project(
    *, actor: User, values: dict[str, Any], request: RequestKey, context: RequestContext
) -> Reply:
    """Any signed-in person may make one and owns it; the reply is the project (201).

    `values`: some of page 06's fields, `name` among them. Raises IdempotencyConflict, ValidationFailed (422).
    """
    if (reply := known_reply(request)) is not None:
        return reply
    project = create_project_within(actor=actor, values=values, context=context)
    return keep_reply(request, render_reply(201, project_body(project, viewer=actor)))


def create_project_within(*, actor: User, values: dict[str, Any], context: RequestContext) -> Project:
    """The project with Inbox and owner, inside the caller's transaction. Raises ValidationFailed (422)."""
    project = Project.objects.create(owner=actor, **checked_settings(values))
    Membership.objects.create(project=project, user=actor, role=Role.PROJECT_ADMIN)
    Batch.objects.create(project=project, name=INBOX, status=BatchStatus.ACTIVE, open=True, is_default=True)
    audit_project(
        project=lock_project(project.pk),
        action="project.create",
        actor=actor,
        role=Role.PROJECT_ADMIN,
        after={name: getattr(project, name) for name in SETTINGS},
        context=context,
    )
    return project


def checked_settings(values: dict[str, Any]) -> dict[str, Any]:
    """The settings ready to store. Raises ValidationFailed (422) naming the field."""
    checked = dict(values)
    if "name" in checked:
        checked["name"] = checked["name"].strip()
        if not checked["name"]:
            raise ValidationFailed([FieldError("name", "A project needs a name.", "blank")], status=422)
    if "labels" in checked:
        checked["labels"] = filled_labels(checked["labels"])
    if "geometries" in checked:
        wanted = set(checked["geometries"])
        if not wanted:
            message = f"Choose at least one of: {', '.join(GEOMETRIES)}."
            raise ValidationFailed([FieldError("geometries", message, "required")], status=422)
        checked["geometries"] = [name for name in GEOMETRIES if name in wanted]
    return checked
