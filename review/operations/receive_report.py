"""A worker's report: accepted once, and only from the attempt that holds the run (I6, I8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from review.domain.job_states import TERMINAL, JobStatus, RunStatus
from review.domain.reports import BrokenContract, check_report, storable
from review.models import Artifact, IgnoredReport, Job, NodeRun
from review.operations.continuations import continue_after, fail_after
from review.operations.dispatch_run import RUN_NODE
from review.operations.row_locks import lock_job, lock_run
from tasks.domain.errors import NotFound
from tasks.domain.event_types import RunFinished
from tasks.models import Task
from tasks.operations.events import append_event
from tasks.operations.outbox import enqueue
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import db_now, operation

#: Seconds before the second, third … attempt; the last one repeats.
BACK_OFF = (1, 4, 15, 60)


class Receipt(StrEnum):
    """What became of a report."""

    ACCEPTED = "ACCEPTED"
    #: It was accepted before; nothing changed.
    DUPLICATE = "DUPLICATE"
    #: It came too late; stored with why.
    IGNORED = "IGNORED"
    #: The run is queued again.
    RETRYING = "RETRYING"
    #: The run has failed for good.
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A file that the run wrote, to be registered with its report."""

    key: str
    size_bytes: int
    sha256: str


@operation
def receive_report(
    *,
    run_id: UUID,
    attempt: int,
    report: Any = None,
    error: dict[str, Any] | None = None,
    artifacts: Sequence[StoredFile] = (),
    worker: str = "",
) -> Receipt:
    """Take in `report`, or `error` {code, message, retryable}, of this run's attempt; one transaction.

    What follows from it (boxes, pause, next run, end of the job) is written in the same transaction.
    Raises NotFound for a run that there is not.
    """
    seen = NodeRun.objects.only("task_id", "job_id").filter(pk=run_id).first()
    if seen is None:
        raise NotFound
    task = lock_task(seen.task_id)
    job = lock_job(seen.job_id) if seen.job_id is not None else None
    run = lock_run(run_id)
    report, is_sound = storable(report)
    error = None if error is None else storable(error)[0]
    why = _too_late(run, job, attempt)
    if why is not None:
        return _ignore(run, attempt, why, report=report, error=error, worker=worker)
    if run.status != RunStatus.RUNNING:
        # This very attempt was accepted before: the broker delivered, or the worker sent, it twice.
        return Receipt.DUPLICATE
    if error is not None:
        if error.get("retryable") and run.attempt < settings.RUN_MAX_ATTEMPTS:
            return _retry(run, error)
        return fail_run(task=task, job=job, run=run, error=error)
    try:
        # A savepoint: what a broken report led to is taken back, the failed run stays.
        with transaction.atomic():
            if not is_sound:
                raise BrokenContract("it holds what JSON in a database cannot (NaN, NUL, or no JSON at all)")
            _accept(task, job, run, report, artifacts)
    except BrokenContract as broken:
        message = f"The model's answer is not usable: {broken}."
        return fail_run(
            task=task,
            job=job,
            run=lock_run(run_id),
            error={"code": "BROKEN_CONTRACT", "message": message, "retryable": False},
            raw=report,
        )
    return Receipt.ACCEPTED


def _too_late(run: NodeRun, job: Job | None, attempt: int) -> str | None:
    if job is not None and JobStatus(job.status) in TERMINAL and run.status not in _REPORTED:
        return f"job is {job.status}"
    if attempt != run.attempt:
        return f"attempt {attempt} is not the run's {run.attempt}"
    if run.status in {RunStatus.CANCELLED, RunStatus.INTERRUPTED, RunStatus.IGNORED}:
        return f"run is {run.status}"
    return None


_REPORTED = frozenset({RunStatus.SUCCEEDED, RunStatus.FAILED})


def _ignore(
    run: NodeRun, attempt: int, why: str, *, report: Any, error: dict[str, Any] | None, worker: str
) -> Receipt:
    _, is_new = IgnoredReport.objects.get_or_create(
        run=run,
        attempt=attempt,
        defaults={
            "why": why[:60],
            "report": report,
            "error": error,
            "worker": worker[:120],
            "received_at": db_now(),
        },
    )
    if is_new and run.status == RunStatus.CANCELLED:
        NodeRun.objects.filter(pk=run.pk).update(status=RunStatus.IGNORED)
    return Receipt.IGNORED


def _retry(run: NodeRun, error: dict[str, Any]) -> Receipt:
    due = db_now() + timedelta(seconds=BACK_OFF[min(run.attempt, len(BACK_OFF)) - 1])
    NodeRun.objects.filter(pk=run.pk).update(
        status=RunStatus.QUEUED,
        error=error,
        available_at=due,
        lease_worker="",
        lease_until=None,
        dispatched_at=None,
    )
    enqueue(kind=RUN_NODE, payload={"run_id": str(run.pk)}, available_at=due)
    return Receipt.RETRYING


def fail_run(
    *,
    task: Task,
    job: Job | None,
    run: NodeRun,
    error: dict[str, Any],
    raw: Any = None,
    status: RunStatus = RunStatus.FAILED,
) -> Receipt:
    """The (row-locked) run has failed for good, and what waits for it hears of it. Inside a transaction."""
    now = db_now()
    failure = {
        "code": str(error.get("code", "RUN_FAILED")),
        "message": str(error.get("message", "The model run failed.")),
        "retryable": bool(error.get("retryable")),
    }
    run.status, run.error, run.finished_at = status, failure, now
    run.report = raw
    run.lease_until = None
    run.save(update_fields=["status", "error", "finished_at", "report", "lease_until"])
    _announce(task, run)
    fail_after(task=task, job=job, run=run, error=failure)
    return Receipt.FAILED


def _accept(task: Task, job: Job | None, run: NodeRun, report: Any, artifacts: Sequence[StoredFile]) -> None:
    asset = task.asset
    assert asset is not None, "a task without a picture has no runs"
    check_report(node_type=run.node_type, report=report, width=asset.width, height=asset.height)
    now = db_now()
    run.status, run.report, run.error, run.finished_at = RunStatus.SUCCEEDED, report, None, now
    run.lease_until = None
    for name in ("provider", "model", "adapter_version", "prompt_version", "code_version"):
        setattr(run, name, str(report.get(name) or "")[:40])
    run.usage = report.get("usage") or {}
    run.cost = report.get("cost")
    run.save()
    for file in artifacts:
        Artifact.objects.create(
            task=task, run=run, key=file.key, size_bytes=file.size_bytes, sha256=file.sha256, created_at=now
        )
    _announce(task, run)
    continue_after(task=task, job=job, run=run, report=report)


def _announce(task: Task, run: NodeRun) -> None:
    append_event(
        task=task,
        job_id=run.job_id,
        data=RunFinished(run_id=str(run.pk), node_type=run.node_type, status=run.status, error=run.error),
    )
