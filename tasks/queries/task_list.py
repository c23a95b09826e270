"""Lists of tasks."""

from uuid import UUID

from django.db.models import Q, QuerySet

from tasks.models import Task, User
from tasks.queries.task_body import with_facts


def task_list(
    *,
    user: User,
    project_id: UUID | None = None,
    status: str = "",
    batch_id: UUID | None = None,
    mark: str = "",
    mine: bool = False,
    search: str = "",
) -> QuerySet[Task]:
    """The tasks that `user` sees, those of archived batches left out, with everything for their bodies.

    `mine`: assigned to or handed in by the person. `search`: in name and question.
    """
    tasks = Task.objects.visible_to(user).filter(batch__archived_at=None)
    if project_id is not None:
        tasks = tasks.filter(project=project_id)
    if status:
        tasks = tasks.filter(status=status)
    if batch_id is not None:
        tasks = tasks.filter(batch=batch_id)
    if mark:
        tasks = tasks.filter(mark=mark)
    if mine:
        tasks = tasks.filter(Q(assignee=user) | Q(submitted_by=user))
    if search:
        tasks = tasks.filter(Q(name__icontains=search) | Q(question__icontains=search))
    return with_facts(tasks, viewer=user)
