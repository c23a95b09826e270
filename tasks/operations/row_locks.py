"""Every row lock of the workflow.

Order: user → membership → task → task lock → batch → job → pause → the rest by key.

`FOR NO KEY UPDATE` everywhere: foreign-key checks of other transactions (an event, an audit row) do not
have to wait for it.
"""

from uuid import UUID

from django.db import connection

from tasks.domain.errors import NotFound
from tasks.models import Batch, Project, Task


def lock_user(user_id: UUID) -> None:
    """The person's row: one person pressing "next" twice gets one task."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM users WHERE id = %s FOR NO KEY UPDATE", [user_id])


def lock_membership(*, project_id: UUID, user_id: UUID) -> None:
    """The membership, before it changes or ends: operations that rely on it keep it until they commit."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM memberships WHERE project_id = %s AND user_id = %s FOR UPDATE",
            [project_id, user_id],
        )


def lock_project(project_id: UUID) -> Project:
    """The project's row, for its audit chain and its settings."""
    project = Project.objects.select_for_update(no_key=True).filter(pk=project_id).first()
    if project is None:
        raise NotFound
    return project


def lock_task(task_id: UUID) -> Task:
    """The task's row: the mutex of everything that changes its holder or relies on it (page 03).

    Raises NotFound.
    """
    task = (
        Task.objects.select_for_update(no_key=True, of=("self",))
        .select_related("project", "batch", "asset")
        .filter(pk=task_id)
        .first()
    )
    if task is None:
        raise NotFound
    return task


def lock_tasks_of(project_id: UUID) -> None:
    """The rows of all tasks of the project, archived ones too, by key; nothing is read of them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM"
            " (SELECT id FROM tasks WHERE project_id = %s ORDER BY id FOR NO KEY UPDATE) AS locked",
            [project_id],
        )


def lock_batch(batch_id: UUID) -> Batch:
    """The batch's row; taken after the task's and only where a self-move is possible."""
    return Batch.objects.select_for_update(no_key=True).get(pk=batch_id)
