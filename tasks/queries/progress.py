"""How far a project is: by status, by batch, by person; its pace, and how long people let pauses wait."""

from datetime import timedelta
from typing import Any

from django.db.models import Count, Max, OuterRef, Q, Subquery
from django.db.models.functions import TruncDate

from tasks.domain.statuses import Status
from tasks.domain.times import iso
from tasks.models import AuditEntry, Event, Project, Task, User
from tasks.queries.batch_body import visible_batches
from tasks.queries.database_clock import ClockTimestamp
from tasks.queries.project_cards import counts_of_batches, counts_of_projects
from tasks.queries.task_body import sees_jobs
from tasks.queries.user_body import user_body

DAYS = 14
MOST_BATCHES, MOST_PEOPLE, MOST_PAUSES = 200, 200, 50


def progress(project: Project, *, viewer: User) -> dict[str, Any]:
    """`{counts, batches, people, throughput, pauses}`; a bounded number of statements.

    The figures are the whole project's; the batches and the waiting tasks that are named are those that
    `viewer` sees.
    """
    seen = visible_batches(user=viewer, project_id=project.pk).filter(archived_at=None)
    batches = list(seen.order_by("-priority", "created_at")[:MOST_BATCHES])
    by_batch = counts_of_batches(batches)
    counts = counts_of_projects([project.pk]).get(project.pk, {})
    return {
        "counts": {status.value: counts.get(status.value, 0) for status in Status},
        "batches": [
            {
                "id": str(batch.pk),
                "name": batch.name,
                "status": batch.status,
                "counts": {
                    status.value: by_batch.get(batch.pk, {}).get(status.value, 0) for status in Status
                },
            }
            for batch in batches
        ],
        "people": _people(project),
        "throughput": _throughput(project),
        "pauses": _pauses(project, viewer=viewer),
    }


def _people(project: Project) -> list[dict[str, Any]]:
    tasks = Task.objects.filter(project=project, archived_at=None).order_by()
    found: dict[Any, dict[str, int]] = {}
    # Pending and somebody's: sent back, or reopened.
    theirs = tasks.filter(assignee__isnull=False, status__in=[Status.PENDING, Status.IN_PROGRESS])
    for person, status, number in theirs.values_list("assignee", "status").annotate(n=Count("pk")):
        found.setdefault(person, {})[status] = number
    handed_in = tasks.filter(submitted_by__isnull=False).values("submitted_by")
    for row in handed_in.annotate(
        review=Count("pk", filter=Q(status=Status.REVIEW)),
        completed=Count("pk", filter=Q(status=Status.COMPLETED)),
    ):
        found.setdefault(row["submitted_by"], {}).update(review=row["review"], completed=row["completed"])
    people = User.objects.filter(pk__in=found).order_by("username")[:MOST_PEOPLE]
    return [
        {
            "user": user_body(user),
            **dict.fromkeys(("pending", "in_progress", "review", "completed"), 0),
            **found[user.pk],
        }
        for user in people
    ]


def _throughput(project: Project) -> list[dict[str, Any]]:
    """Tasks handed in, approved and sent back on each of the last days on which there were any."""
    entries = (
        AuditEntry.objects.filter(
            project_id=project.pk,
            action__in=["task.submit", "task.approve", "task.reject"],
            at__gte=ClockTimestamp() - timedelta(days=DAYS),
        )
        .order_by()
        .annotate(day=TruncDate("at"))
        .values("day")
        .annotate(
            submitted=Count("pk", filter=Q(action="task.submit")),
            approved=Count("pk", filter=Q(action="task.approve")),
            rejected=Count("pk", filter=Q(action="task.reject")),
        )
    )
    return [
        {
            "day": row["day"].isoformat(),
            "submitted": row["submitted"],
            "approved": row["approved"],
            "rejected": row["rejected"],
        }
        for row in entries.order_by("day")
    ]


def _pauses(project: Project, *, viewer: User) -> list[dict[str, Any]]:
    """Jobs that wait for a person, longest first, for who is told of jobs.

    Nothing ever ends such a wait but a person (I5).
    """
    since = Event.objects.filter(task=OuterRef("pk"), job_id=OuterRef("job_id"), type="pause.created")
    waiting = (
        Task.objects.visible_to(viewer)
        .filter(sees_jobs(viewer), project=project, job_status__startswith="WAITING_")
        .annotate(
            since=Subquery(since.order_by().values("task").annotate(at=Max("at")).values("at")),
            seen_at=ClockTimestamp(),
        )
        .order_by("since")
        .values("pk", "job_id", "job_status", "since", "seen_at")[:MOST_PAUSES]
    )
    return [
        {
            "task_id": str(row["pk"]),
            "job_id": str(row["job_id"]),
            "status": row["job_status"],
            "since": iso(row["since"]),
            "seconds": (row["seen_at"] - row["since"]).total_seconds() if row["since"] else None,
        }
        for row in waiting
    ]
