"""Who may see and do what: every operation and read asks here first (page 03).

The order of answers is: may you see it (404), may you do it (403), and, once the rows are locked, does the
status allow it (409).
"""

from uuid import UUID

from django.db import connection

from tasks.domain.errors import IllegalTransition, NotFound, RoleForbidden
from tasks.domain.matrix import OPERATIONS, TRANSITIONS, Action, Operation, Role, Scope, required_roles
from tasks.domain.statuses import Status
from tasks.models import Batch, BatchAssignee, Project, Task, User
from tasks.queries.one_moment import may_lock_rows
from tasks.queries.sees_task import sees_task
from tasks.queries.task_body import task_body

ADMINS = frozenset(OPERATIONS[Operation.MANAGE].by_status[None])

_ROLE = "SELECT role FROM memberships WHERE project_id = %s AND user_id = %s"
# What an operation was allowed stays allowed until it commits: who removes the member or changes the role
# waits for it, and then finds what it has written.
_UNTIL_COMMIT = " FOR SHARE"


def role_in(*, user: User, project: Project) -> Role | None:
    """The person's role in the project; None for a stranger."""
    if user.is_superuser:
        return Role.SUPER_ADMIN
    if project.owner_id == user.pk:
        return Role.PROJECT_ADMIN
    with connection.cursor() as cursor:
        cursor.execute(_ROLE + (_UNTIL_COMMIT if may_lock_rows() else ""), [project.pk, user.pk])
        row = cursor.fetchone()
    return None if row is None else Role(row[0])


def visible_project(*, user: User, project_id: UUID) -> Project:
    """The project, where the person sees it. Raises NotFound."""
    project = Project.objects.visible_to(user).filter(pk=project_id).first()
    if project is None:
        raise NotFound
    return project


def visible_task(*, user: User, task_id: UUID) -> Task:
    """The task with project, batch and asset, where the person sees it. Raises NotFound."""
    # Two statements cost less than one that the ORM would have to build anew for each person.
    if not sees_task(user=user, task_id=task_id):
        raise NotFound
    task = Task.objects.select_related("project", "batch", "asset").filter(pk=task_id).first()
    if task is None:
        raise NotFound
    return task


def project_to_archive(*, user: User, project_id: UUID) -> Project:
    """As `visible_project`; its admins find it here when it is archived too, since a request to archive it
    may be repeated. Raises NotFound."""
    found = Project.objects.filter(pk=project_id).first()
    if found is None or (found.archived_at is not None and role_in(user=user, project=found) not in ADMINS):
        raise NotFound
    return found if found.archived_at is not None else visible_project(user=user, project_id=project_id)


def task_to_archive(*, user: User, task_id: UUID) -> Task:
    """As `visible_task`; admins of its project find it here when it is archived too. Raises NotFound."""
    found = Task.objects.select_related("project").filter(pk=task_id, project__archived_at=None).first()
    if found is None or found.archived_at is None:
        return visible_task(user=user, task_id=task_id)
    if role_in(user=user, project=found.project) not in ADMINS:
        raise NotFound
    return found


def known_role(*, user: User, project: Project) -> Role:
    """The person's role. Raises NotFound for a stranger."""
    role = role_in(user=user, project=project)
    if role is None:
        raise NotFound
    return role


def works_in(*, user: User, batch: Batch) -> bool:
    """Whether the batch is open to everyone or given to this person."""
    return batch.open or BatchAssignee.objects.filter(batch=batch, user=user).exists()


def check_manage(*, user: User, project: Project) -> Role:
    """For what admins do. Raises RoleForbidden, or NotFound for a stranger."""
    role = known_role(user=user, project=project)
    allowed = OPERATIONS[Operation.MANAGE].by_status[None]
    if role not in allowed:
        raise RoleForbidden(
            "Only admins of this project may do this. Ask one of them.",
            required_roles=[each.value for each in allowed],
        )
    return role


def check_action(*, user: User, task: Task, action: Action) -> Role:
    """Whether the person may ever do `action` on this task: role, own batch, own submission, ownership.

    Says nothing about status and lock. Raises RoleForbidden, or NotFound for a stranger.
    """
    role = known_role(user=user, project=task.project)
    scope = TRANSITIONS[action].roles.get(role)
    if scope is None or not _reaches(scope, user=user, task=task):
        raise RoleForbidden(_why_not(scope, action), required_roles=required_roles(action))
    return role


def may_do(*, user: User, task: Task, action: Action) -> bool:
    """Whether a page offers `action` now: `check_action` and `check_source` as an answer. Raises NotFound."""
    scope = TRANSITIONS[action].roles.get(known_role(user=user, project=task.project))
    fits = Status(task.status) in TRANSITIONS[action].sources
    return fits and scope is not None and _reaches(scope, user=user, task=task)


def check_operation(*, user: User, task: Task, operation: Operation) -> Role:
    """Whether the person may do `operation` in any of the statuses that the table has for it.

    Raises RoleForbidden with `required_roles`, or NotFound for a stranger.
    """
    role = known_role(user=user, project=task.project)
    rows = OPERATIONS[operation].by_status.values()
    scopes = [row[role] for row in rows if role in row]
    if not any(_reaches(scope, user=user, task=task) for scope in scopes):
        raise RoleForbidden(
            "Your role in this project does not include this, or the batch is not given to you."
            if scopes
            else "Your role in this project does not include this. Ask a project admin.",
            required_roles=[each.value for each in Role if any(each in row for row in rows)],
        )
    return role


def check_operation_status(
    *, task: Task, operation: Operation, role: Role, viewer: User | None = None
) -> None:
    """Whether `role` may do `operation` in the task's status. Raises IllegalTransition with the task."""
    permission = OPERATIONS[operation].by_status
    if None in permission or role in permission.get(Status(task.status), {}):
        return
    raise IllegalTransition(
        f"This is not possible while the task is {task.status.replace('_', ' ')}.",
        snapshot=task_body(task.pk, viewer=viewer),
    )


def check_source(*, task: Task, action: Action, viewer: User) -> None:
    """Whether `action` starts from the task's status. Raises IllegalTransition with the current task."""
    if Status(task.status) in TRANSITIONS[action].sources:
        return
    wanted = " or ".join(sorted(source.replace("_", " ") for source in TRANSITIONS[action].sources))
    raise IllegalTransition(
        f"The task is {task.status.replace('_', ' ')}; {action.replace('_', ' ')} needs it to be {wanted}.",
        snapshot=task_body(task.pk, viewer=viewer),
    )


def _reaches(scope: Scope, *, user: User, task: Task) -> bool:
    if scope is Scope.OWN_BATCH:
        return works_in(user=user, batch=task.batch)
    if scope is Scope.OWN_SUBMISSION:
        return task.submitted_by_id == user.pk
    if scope is Scope.OWNER:
        return task.project.owner_id == user.pk
    return True  # ANY; HOLDS_LOCK is judged under the task's row lock


def _why_not(scope: Scope | None, action: Action) -> str:
    name = action.replace("_", " ")
    if scope is Scope.OWN_BATCH:
        return f"You may {name} tasks of batches that are given to you; this one is not."
    if scope is Scope.OWN_SUBMISSION:
        return f"You may {name} only what you handed in yourself."
    if scope is Scope.OWNER:
        return f"Only the project's owner may {name} a task."
    return f"Your role in this project may not {name} tasks. Ask a project admin."
