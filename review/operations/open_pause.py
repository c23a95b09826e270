"""Asking a person: the durable pause."""

import secrets
from typing import Any

from review.domain.job_states import ACTIVE_RUNS, JobStatus, NodeType, RunStatus, Trigger
from review.models import CandidateSet, Job, NodeRun, Pause
from review.operations.dispatch_run import dispatch_run
from review.operations.move_job import move_job
from review.queries.acting_policies import acting_policies
from review.queries.pause_body import pause_body
from tasks.domain.event_types import PauseCreated
from tasks.domain.policies import PolicyKind
from tasks.models import Task
from tasks.operations.audit import audit_task
from tasks.operations.events import append_event
from tasks.operations.transactions import db_now


def open_pause(
    *,
    task: Task,
    job: Job,
    stage: JobStatus,
    round_number: int,
    snapshot: CandidateSet,
    problems: list[dict[str, str]] | None = None,
) -> Pause:
    """Move the (row-locked) job to `stage` and create its pause, inside the caller's transaction.

    No deadline is written: an answer or a cancel ends it (I5), and besides them only the version of a policy
    that is in force now and written onto it. While the person looks, the picture is encoded in the
    background, so that the segmenter can start at once afterwards.
    """
    acting = acting_policies(job=job, project_id=task.project_id)
    move_job(task=task, job=job, target=stage, trigger=Trigger.REPORT)
    pause = Pause.objects.create(
        job=job,
        pause_token=f"pause_{secrets.token_urlsafe(24)}",
        stage=stage,
        round=round_number,
        base_version=job.version,
        snapshot=snapshot,
        problems=problems or [],
        default_policy=acting.get(PolicyKind.TIMEOUT_DEFAULT),
        queue_policy=acting.get(PolicyKind.TIMEOUT_TO_QUEUE),
        created_at=db_now(),
    )
    audit_task(
        task=task,
        action="job.pause",
        actor=None,
        after={"job_id": str(job.pk), "stage": stage, "round": round_number, "base_version": job.version},
    )
    append_event(task=task, job_id=job.pk, data=PauseCreated(pause=pause_body(pause), by=None))
    encode_in_background(task=task, job=job)
    return pause


def encode_in_background(*, task: Task, job: Job) -> NodeRun | None:
    """Start the picture's encoding, unless it is there or on its way. Nobody sees it until it is used."""
    known = {*ACTIVE_RUNS, RunStatus.SUCCEEDED}
    runs = NodeRun.objects.filter(job=job, node_type=NodeType.ENCODE_PICTURE, status__in=known)
    if job.encoding or runs.exists():
        return None
    nothing: dict[str, Any] = {}
    return dispatch_run(
        task=task,
        job=job,
        node_type=NodeType.ENCODE_PICTURE,
        node_input=nothing,
        actor=None,
        is_background=True,
    )
