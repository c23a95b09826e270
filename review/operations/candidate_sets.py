"""A new version of a task's candidates: stored, made the active one, announced. Inside a transaction."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Max

from review.domain.boxes import Box
from review.models import CandidateSet, Job
from tasks.domain.event_types import BoxesChanged
from tasks.models import Task, User
from tasks.operations.events import append_event
from tasks.operations.transactions import db_now


def active_set(task: Task) -> CandidateSet | None:
    """The candidates that the task works with now; None where it has none yet."""
    if task.active_candidate_set_id is None:
        return None
    return CandidateSet.objects.get(pk=task.active_candidate_set_id)


def add_set(
    *,
    task: Task,
    source: CandidateSet.Source,
    items: list[dict[str, Any]],
    actor: User | None,
    run_id: UUID | None = None,
    job_id: UUID | None = None,
    is_active: bool = True,
) -> CandidateSet:
    """Store `items` as the next revision of the (row-locked) task's sets.

    `is_active` False keeps it as history only: what it was computed from is no longer the task's (I8).
    """
    revision = CandidateSet.objects.filter(task_id=task.pk).aggregate(last=Max("revision"))["last"] or 0
    created = CandidateSet.objects.create(
        task_id=task.pk,
        job_id=job_id,
        run_id=run_id,
        revision=revision + 1,
        source=source,
        items=items,
        created_by=actor,
        created_at=db_now(),
    )
    if is_active:
        Task.objects.filter(pk=task.pk).update(active_candidate_set_id=created.pk)
        task.active_candidate_set_id = created.pk
        append_event(
            task=task,
            data=BoxesChanged(candidate_set_id=str(created.pk), revision=created.revision, count=len(items)),
            job_id=job_id,
        )
    return created


def keep_boxes(*, task: Task, job: Job, shown: CandidateSet, kept: Sequence[Box]) -> CandidateSet:
    """Make `kept`, some of `shown` as they are, the job's list: a new set, or `shown` where that is all."""
    if len(kept) == len(shown.items):
        return shown
    created = add_set(
        task=task,
        source=CandidateSet.Source(shown.source),
        items=[box.as_item() for box in kept],
        actor=None,
        job_id=job.pk,
    )
    Job.objects.filter(pk=job.pk).update(box_list=created)
    job.box_list = created
    return created
