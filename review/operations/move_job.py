"""The only place that changes a job's status."""

from typing import Any

from django.db.models.functions import Coalesce

from review.domain.job_states import (
    ACTIVE_RUNS,
    TERMINAL,
    IllegalJobMove,
    JobStatus,
    RunStatus,
    Trigger,
    check_move,
)
from review.models import Job, NodeRun
from tasks.domain.event_types import JobStatusEvent
from tasks.models import Task
from tasks.operations.events import append_event
from tasks.operations.transactions import db_now


def move_job(
    *,
    task: Task,
    job: Job,
    target: JobStatus,
    trigger: Trigger,
    failure: dict[str, Any] | None = None,
    results: int = 0,
    raises_version: bool = True,
) -> bool:
    """Move the job (task and job row-locked) by the table; False where it is there already.

    `trigger`: what moves it; the table says what may.

    The version rises once in each transaction that changes the status: `raises_version` False is for a
    further move in the same one. At the end, runs that are still active are cancelled with it, so that
    nothing keeps working for a job that is over, and the event is the last one of the job's stream.
    Raises IllegalJobMove, and nothing is written.
    """
    previous = JobStatus(job.status)
    if not check_move(previous, target, trigger):
        return False
    if job.cancel_requested and target != JobStatus.CANCELLED:
        raise IllegalJobMove(f"a job that is being cancelled cannot become {target}")
    now = db_now()
    version = job.version + 1 if raises_version else job.version
    is_end = target in TERMINAL
    moved = Job.objects.filter(pk=job.pk, status=previous, version=job.version).update(
        status=target,
        version=version,
        failure=failure,
        updated_at=now,
        ended_at=now if is_end else None,
    )
    if moved != 1:
        # Somebody wrote without the row lock; never reported as success.
        raise IllegalJobMove(f"job {job.pk} was moved by somebody else meanwhile")
    job.status, job.version, job.failure, job.updated_at = target, version, failure, now
    if is_end:
        job.ended_at = now
        NodeRun.objects.filter(job_id=job.pk, status__in=ACTIVE_RUNS).update(
            status=RunStatus.CANCELLED, finished_at=Coalesce("finished_at", now)
        )
    if task.job_id in {None, job.pk}:
        Task.objects.filter(pk=task.pk).update(job_id=job.pk, job_status=target, updated_at=now)
        task.job_id, task.job_status = job.pk, target
    event = append_event(
        task=task,
        job_id=job.pk,
        data=JobStatusEvent(
            status=target, version=version, previous=previous, failure=failure, results=results
        ),
    )
    if is_end:
        Job.objects.filter(pk=job.pk).update(last_event_seq=event.seq)
        job.last_event_seq = event.seq
    return True
