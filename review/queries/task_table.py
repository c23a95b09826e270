"""The table of a project's tasks: filtered, newest first, a page at a time."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from review.domain.job_states import TERMINAL, WAITING, JobStatus
from tasks.domain.statuses import Mark, Status
from tasks.models import Project, Task, User
from tasks.queries.task_body import with_facts

PAGE = 50

#: States of a job as the filter names them.
JOB_GROUPS: dict[str, frozenset[JobStatus]] = {
    "waiting": WAITING,
    "running": frozenset(JobStatus) - WAITING - TERMINAL,
    "failed": frozenset({JobStatus.FAILED}),
    "ended": TERMINAL - {JobStatus.FAILED},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFilter:
    """What the address asks for; empty fields ask for nothing, unknown values find nothing."""

    status: str = ""
    batch: str = ""
    mark: str = ""
    job: str = ""
    mine: bool = False
    text: str = ""
    after: str = ""

    def applied(self, tasks: QuerySet[Task], *, viewer: User) -> QuerySet[Task]:
        """`tasks` narrowed down."""
        if self.status:
            tasks = tasks.filter(status=self.status)
        if self.batch:
            batch = as_uuid(self.batch)
            tasks = tasks.filter(batch=batch) if batch else tasks.none()
        if self.mark:
            tasks = tasks.filter(mark=self.mark)
        if self.job:
            tasks = tasks.filter(job_status__in=JOB_GROUPS.get(self.job, frozenset()))
        if self.mine:
            tasks = tasks.filter(Q(assignee=viewer) | Q(submitted_by=viewer) | Q(reviewer=viewer))
        if self.text:
            tasks = tasks.filter(name__icontains=self.text)
        return tasks

    @property
    def is_empty(self) -> bool:
        """Whether nothing is narrowed down."""
        return not (self.status or self.batch or self.mark or self.job or self.mine or self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPage:
    """One page; `next_after` is the key of its last task where more follow."""

    tasks: list[Task]
    next_after: str


STATUSES = [status.value for status in Status]
MARKS = [mark.value for mark in Mark]


def task_page(*, project: Project, viewer: User, wanted: TaskFilter) -> TaskPage:
    """The page of the project's tasks that `viewer` sees. One statement; `seen_at` is the database's time."""
    tasks = wanted.applied(Task.objects.visible_to(viewer).filter(project=project), viewer=viewer)
    if wanted.after:
        after = as_uuid(wanted.after)
        tasks = tasks.filter(pk__lt=after) if after else tasks.none()
    found = list(with_facts(tasks, viewer=viewer).order_by("-pk")[: PAGE + 1])
    return TaskPage(tasks=found[:PAGE], next_after=str(found[PAGE - 1].pk) if len(found) > PAGE else "")


def as_uuid(text: str) -> UUID | None:
    """The id that the text is, or None."""
    try:
        return UUID(text)
    except ValueError:
        return None
