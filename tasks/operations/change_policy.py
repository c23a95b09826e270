"""Declaring what may happen without a person: each change is a new version, audited, never an update."""

from typing import Any
from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import VersionConflict
from tasks.domain.policies import UNSAID, PolicyKind, checked_terms
from tasks.models import ProjectPolicy, User
from tasks.operations.audit import audit_project
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_project
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_manage, visible_project
from tasks.queries.policies import newest_policies, policy_body, undeclared


@operation
def change_policy(
    *,
    actor: User,
    project_id: UUID,
    kind: PolicyKind,
    values: dict[str, Any],
    expected_version: int | None,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """`values`: {is_on, and the kind's terms}, the whole of it; the reply is the version in force.

    Terms that are in force already make no new version. Running pauses keep the version that they were made
    under, so a change, too, takes them out of reach.
    Raises NotFound, RoleForbidden, IdempotencyConflict, VersionConflict (snapshot), ValidationFailed (422).
    """
    role = check_manage(user=actor, project=visible_project(user=actor, project_id=project_id))
    if (reply := known_reply(request)) is not None:
        return reply
    project = lock_project(project_id)
    if (reply := known_reply(request)) is not None:
        return reply
    current = newest_policies(project_id).get(kind)
    version = current.version if current else 0
    if expected_version is not None and expected_version != version:
        raise VersionConflict(
            f"The policy is at version {version}, your change is to version {expected_version}. "
            "Look at what is in force now.",
            snapshot=policy_body(current) if current else undeclared(kind),
        )
    terms = checked_terms(kind, values)
    before = None if current is None else _terms(current)
    if current is not None and before == terms:
        return keep_reply(request, render_reply(200, policy_body(current)))
    policy = ProjectPolicy.objects.create(
        project=project, kind=kind, version=version + 1, created_by=actor, created_at=db_now(), **terms
    )
    audit_project(
        project=project,
        action="policy.change",
        actor=actor,
        role=role,
        reason=policy.authorisation,
        before=None if before is None else {"policy": kind, "version": version, **before},
        after={"policy": kind, "version": policy.version, **terms},
        context=context,
    )
    return keep_reply(request, render_reply(200, policy_body(policy)))


def _terms(policy: ProjectPolicy) -> dict[str, Any]:
    return {name: getattr(policy, name) for name in ("is_on", *UNSAID)}
