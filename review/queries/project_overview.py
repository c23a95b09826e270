"""What a project's page shows besides its counts: pauses by age, failed jobs, what happened lately."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from review.domain.job_states import JobStatus, PauseStatus
from review.models import Job, Pause
from tasks.domain.matrix import Role
from tasks.models import AuditEntry, Project, Task, User
from tasks.queries.audit_entries import NEWEST_FIRST
from tasks.queries.task_history import OF_DRAFTS

EVENTS = 14
#: Holding and letting go is the sessions page's business.
NOT_NEWS = "lock."


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseAges:
    """How many pauses wait, and the longest-waiting ones that the viewer sees."""

    waiting: int
    oldest: list[Pause]


def pause_ages(*, project: Project, viewer: User, shown: int = 5) -> PauseAges:
    """Waiting pauses of tasks that `viewer` sees, oldest first."""
    tasks = Task.objects.visible_to(viewer).filter(project=project)
    pauses = Pause.objects.filter(status=PauseStatus.WAITING, job__task__in=tasks)
    oldest = pauses.select_related("job", "job__task", "job__task__asset").order_by("created_at", "pk")[
        :shown
    ]
    return PauseAges(waiting=pauses.count(), oldest=list(oldest))


def failed_jobs(project: Project, *, shown: int = 5) -> list[Job]:
    """The newest failed jobs that are still their task's last one."""
    tasks = Task.objects.filter(project=project, job_status=JobStatus.FAILED, archived_at=None).values(
        "job_id"
    )
    return list(
        Job.objects.filter(pk__in=tasks).select_related("task").order_by("-updated_at", "-pk")[:shown]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One line of "recently"."""

    at: datetime
    actor: str
    action: str
    reason: str
    task_id: UUID | None
    task_name: str


def recently(*, project: Project, viewer: User, role: Role) -> list[Happening]:
    """The newest acts on tasks that `viewer` sees, from the audit chain (ordered by the project's index).

    `role`: theirs in the project; viewers get it as they get a task's history, without drafts and jobs.
    """
    entries = AuditEntry.objects.filter(project_id=project.pk, task_id__isnull=False)
    for hidden in (NOT_NEWS, *(OF_DRAFTS if role is Role.VIEWER else ())):
        entries = entries.exclude(action__startswith=hidden)
    newest = list(entries.order_by(*NEWEST_FIRST)[: EVENTS * 4])
    seen = Task.objects.visible_to(viewer).filter(pk__in={entry.task_id for entry in newest})
    names = dict(seen.values_list("pk", "name"))
    ids = {entry.actor_id for entry in newest if entry.actor_id}
    people = {user.pk: user.name for user in User.objects.filter(pk__in=ids)}
    return [
        Happening(
            at=entry.at,
            actor=people.get(entry.actor_id, entry.actor_name) if entry.actor_id else "",
            action=entry.action,
            reason=entry.reason,
            task_id=entry.task_id,
            task_name=names[entry.task_id],
        )
        for entry in newest
        if entry.task_id in names
    ][:EVENTS]
