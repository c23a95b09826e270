"""What a stream has to know before it begins."""

from dataclasses import dataclass
from uuid import UUID

from tasks.domain.errors import NotFound
from tasks.domain.matrix import Role
from tasks.models import User
from tasks.queries.access import role_in, visible_project, visible_task

#: Page 03: viewers see confirmed work only, no drafts, candidates, jobs and runs.
HIDDEN_FROM_VIEWERS = frozenset(
    {
        "job.status",
        "pause.created",
        "pause.consumed",
        "boxes.changed",
        "policy.applied",
        "run.progress",
        "run.finished",
        "subject.finished",
        "draft.saved",
        "EMPTY_SELECTION_SUBMITTED",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOpening:
    """Where a task's stream stands, and what this person's role leaves out of it."""

    last_event_id: int
    hidden: frozenset[str]


def open_task(*, user_id: UUID, task_id: UUID) -> TaskOpening:
    """For a person who opens the task's stream. Raises NotFound where they do not see it."""
    user = active_user(user_id)
    task = visible_task(user=user, task_id=task_id)
    is_viewer = role_in(user=user, project=task.project) is Role.VIEWER
    return TaskOpening(last_event_id=task.event_seq, hidden=hidden_from(is_viewer=is_viewer))


def hidden_from(*, is_viewer: bool) -> frozenset[str]:
    """The types of events that somebody sees the numbers of only."""
    return HIDDEN_FROM_VIEWERS if is_viewer else frozenset()


def open_project(*, user_id: UUID, project_id: UUID) -> None:
    """For a person who opens the project's stream. Raises NotFound where they do not see it."""
    visible_project(user=active_user(user_id), project_id=project_id)


def active_user(user_id: UUID) -> User:
    """The person, who may sign in. Raises NotFound."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None:
        raise NotFound
    return user
