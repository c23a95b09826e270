"""Who is in a project, and as what: add, change, remove. Each is audited."""

from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import FieldError, NotFound, ValidationFailed
from tasks.domain.matrix import Role
from tasks.domain.system_reasons import SystemReason
from tasks.models import BatchAssignee, Membership, Project, Task, User
from tasks.operations.audit import audit_project
from tasks.operations.free_tasks import beyond, free_tasks
from tasks.operations.hints import hint_membership
from tasks.operations.idempotency import NO_CONTENT, Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_membership, lock_project
from tasks.operations.transactions import operation
from tasks.queries.access import check_manage, visible_project
from tasks.queries.member_body import member_body
from tasks.queries.people import named_people


@operation
def add_member(
    *,
    actor: User,
    project_id: UUID,
    person: str,
    member_role: str,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Add `person` (a username or an id); the reply is {user, role} (201).

    Raises NotFound, RoleForbidden, IdempotencyConflict, ValidationFailed (422: unknown, or a member already).
    """
    role = check_manage(user=actor, project=visible_project(user=actor, project_id=project_id))
    if (reply := known_reply(request)) is not None:
        return reply
    project = lock_project(project_id)
    if (reply := known_reply(request)) is not None:
        return reply
    user = named_people([person], field="user")[0]
    if Membership.objects.filter(project=project, user=user).exists():
        message = f"{user.name} is a member already. Change their role instead."
        raise ValidationFailed([FieldError("user", message, "unique")], status=422)
    membership = add_member_within(
        project=project, user=user, member_role=member_role, actor=actor, role=role, context=context
    )
    return keep_reply(request, render_reply(201, member_body(membership)))


@operation
def change_member(
    *,
    actor: User,
    project_id: UUID,
    user_id: UUID,
    member_role: str,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Another role for a member; the reply is {user, role}. They let go of what they may no longer work on.

    Raises NotFound, RoleForbidden, IdempotencyConflict, ValidationFailed (422: the owner stays an admin).
    """
    seen = visible_project(user=actor, project_id=project_id)
    role = check_manage(user=actor, project=seen)
    if (reply := known_reply(request)) is not None:
        return reply
    lock_membership(project_id=project_id, user_id=user_id)
    free_tasks(
        tasks=beyond(project=seen, user_id=user_id, role=Role(member_role)),
        people={user_id},
        actor=actor,
        role=role,
        reason=SystemReason.OTHER_ROLE.because(member_role),
        context=context,
    )
    project = lock_project(project_id)
    if (reply := known_reply(request)) is not None:
        return reply
    membership = _membership(project, user_id)
    before = membership.role
    if before != member_role:
        membership.role = member_role
        membership.save(update_fields=["role"])
        audit_project(
            project=project,
            action="member.role",
            actor=actor,
            role=role,
            before={"user": membership.user.username, "role": before},
            after={"user": membership.user.username, "role": member_role},
            context=context,
        )
        hint_membership(user_id, project.pk)
    return keep_reply(request, render_reply(200, member_body(membership)))


@operation
def remove_member(
    *, actor: User, project_id: UUID, user_id: UUID, request: RequestKey, context: RequestContext
) -> Reply:
    """End a membership: the person's locks end, and what waited for them waits for anybody.

    Raises NotFound, RoleForbidden, IdempotencyConflict, ValidationFailed (422: the owner stays).
    """
    role = check_manage(user=actor, project=visible_project(user=actor, project_id=project_id))
    if (reply := known_reply(request)) is not None:
        return reply
    lock_membership(project_id=project_id, user_id=user_id)
    free_tasks(
        tasks=Task.objects.filter(project=project_id),
        people={user_id},
        actor=actor,
        role=role,
        reason=SystemReason.NO_MEMBER,
        context=context,
    )
    project = lock_project(project_id)
    if (reply := known_reply(request)) is not None:
        return reply
    membership = _membership(project, user_id)
    BatchAssignee.objects.filter(batch__project=project, user=user_id).delete()
    audit_project(
        project=project,
        action="member.remove",
        actor=actor,
        role=role,
        before={"user": membership.user.username, "role": membership.role},
        context=context,
    )
    membership.delete()
    hint_membership(user_id, project.pk)
    return keep_reply(request, NO_CONTENT)


def add_member_within(
    *, project: Project, user: User, member_role: str, actor: User, role: Role, context: RequestContext
) -> Membership:
    """The membership inside the caller's transaction, which holds the project's row; audited."""
    membership = Membership.objects.create(project=project, user=user, role=member_role)
    audit_project(
        project=project,
        action="member.add",
        actor=actor,
        role=role,
        after={"user": user.username, "role": member_role},
        context=context,
    )
    hint_membership(user.pk, project.pk)
    return membership


def _membership(project: Project, user_id: UUID) -> Membership:
    membership = Membership.objects.select_related("user").filter(project=project, user=user_id).first()
    if membership is None:
        raise NotFound
    if project.owner_id == user_id:
        message = "The project's owner stays a project admin."
        raise ValidationFailed([FieldError("user", message, "owner")], status=422)
    return membership
