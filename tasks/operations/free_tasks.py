"""Whoever may no longer work on a task lets go of it: their open page would go on beating, and nobody could
take it over; what is reserved for them would wait for ever."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from locks.models import TaskLock
from tasks.domain.actor import RequestContext
from tasks.domain.matrix import Role
from tasks.domain.statuses import Status
from tasks.models import BatchAssignee, Membership, Project, Task, User
from tasks.operations.force_release_lock import force_release_within
from tasks.operations.row_locks import lock_task


def free_tasks(
    *,
    tasks: QuerySet[Task],
    people: Collection[UUID],
    actor: User,
    role: Role,
    reason: str,
    context: RequestContext,
) -> None:
    """End these people's locks, reservations and claimed reviews among `tasks`, in the caller's transaction.

    Before the batch's and the project's row, tasks by key: the order of locks.
    """
    if not people:
        return
    held = TaskLock.objects.filter(user__in=people).values("task")
    theirs = (
        Q(pk__in=held)
        | Q(assignee__in=people, is_reserved=True)
        | Q(reviewer__in=people, status=Status.REVIEW, project__required_approvals=1)
    )
    for task_id in tasks.filter(theirs).order_by("pk").values_list("pk", flat=True):
        task = lock_task(task_id)
        lock = TaskLock.objects.filter(task=task).first()
        if lock is not None and lock.user_id in people:
            force_release_within(task=task, actor=actor, role=role, reason=reason, context=context)
        if task.is_reserved and task.assignee_id in people:
            Task.objects.filter(pk=task.pk).update(is_reserved=False)
        # Where several review, the first one's name says that the review has begun, whoever they were.
        if task.reviewer_id in people and task.project.required_approvals == 1:
            Task.objects.filter(pk=task.pk).update(reviewer=None)


def beyond(*, project: Project, user_id: UUID, role: Role) -> QuerySet[Task]:
    """The project's tasks on which a member with this role may not work as they stand."""
    tasks = Task.objects.filter(project=project)
    if role == Role.VIEWER:
        return tasks
    if role != Role.ANNOTATOR:
        return tasks.none()
    given = BatchAssignee.objects.filter(batch=OuterRef("batch"), user=user_id)
    return tasks.filter(
        ~(Q(batch__open=True) | Exists(given)) | ~Q(status__in=[Status.PENDING, Status.IN_PROGRESS])
    )


def annotators_without(*, project: Project, names: Collection[str]) -> set[UUID]:
    """The project's annotators whom `names` (usernames or ids) leave out."""
    members = Membership.objects.filter(project=project, role=Role.ANNOTATOR)
    known = set(names)
    return {
        user_id
        for user_id, username in members.values_list("user_id", "user__username")
        if username not in known and str(user_id) not in known
    }
