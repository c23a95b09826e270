"""The second sweep: runs that were sent but not taken, or whose worker is gone. An outbox cannot see what a
broker lost."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import connection

from review.domain.job_states import RunStatus
from review.models import NodeRun
from review.operations.dispatch_run import RUN_NODE
from review.operations.receive_report import fail_run
from review.operations.row_locks import lock_job, lock_run
from tasks.models import OutboxMessage
from tasks.operations.outbox import enqueue
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import db_now, operation
from tasks.queries.database_clock import ClockTimestamp

MOST_AT_ONCE = 500
#: While messages wait in the broker, a run not taken is most likely among them: be slower to send it again.
PATIENCE_WITH_A_QUEUE = 30


@dataclass(frozen=True, slots=True)
class Swept:
    """What one sweep did."""

    sent_again: int
    interrupted: int


def sweep_runs(*, messages_waiting: int) -> Swept:
    """Dispatch again what a broker or a worker lost; end runs that have used up their attempts.

    `messages_waiting`: messages in the broker's queue right now.
    """
    interrupted = 0
    for run_id in _exhausted():
        interrupted += _interrupt(run_id=run_id)
    return Swept(sent_again=_send_again(messages_waiting=messages_waiting), interrupted=interrupted)


def _exhausted() -> list[UUID]:
    runs = NodeRun.objects.filter(
        status=RunStatus.RUNNING,
        lease_until__lt=ClockTimestamp(),
        attempt__gte=settings.RUN_MAX_ATTEMPTS,
    )
    return list(runs.values_list("pk", flat=True)[:MOST_AT_ONCE])


@operation
def _interrupt(*, run_id: UUID) -> bool:
    """A run that takes its worker down each time is a poison: it fails visibly. False: it has come back."""
    seen = NodeRun.objects.only("task_id", "job_id").get(pk=run_id)
    task = lock_task(seen.task_id)
    job = lock_job(seen.job_id) if seen.job_id is not None else None
    run = lock_run(run_id)
    if run.status != RunStatus.RUNNING or run.lease_until is None or run.lease_until > db_now():
        return False
    message = f"The worker was lost {run.attempt} times while it ran this node."
    error = {"code": "WORKER_LOST", "message": message, "retryable": True}
    fail_run(task=task, job=job, run=run, error=error, status=RunStatus.INTERRUPTED)
    return True


@operation
def _send_again(*, messages_waiting: int) -> int:
    with connection.cursor() as cursor:
        # One relay at a time: the other's sweep would send the same runs once more.
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext('countersign.sweep_runs'))")
        row = cursor.fetchone()
    if row is None or not row[0]:
        return 0
    now = db_now()
    patience = settings.SWEEP_SECONDS * (PATIENCE_WITH_A_QUEUE if messages_waiting else 1)
    not_taken = NodeRun.objects.filter(
        status=RunStatus.QUEUED,
        available_at__lte=now,
        dispatched_at__lt=now - timedelta(seconds=patience),
    )
    abandoned = NodeRun.objects.filter(
        status=RunStatus.RUNNING,
        lease_until__lt=now,
        attempt__lt=settings.RUN_MAX_ATTEMPTS,
        dispatched_at__lt=now - timedelta(seconds=settings.SWEEP_SECONDS),
    )
    # A run whose worker holds the row right now (it is just being taken) is left alone.
    found = [
        run_id
        for runs in (not_taken, abandoned)
        for run_id in runs.select_for_update(skip_locked=True, no_key=True).values_list("pk", flat=True)[
            :MOST_AT_ONCE
        ]
    ]
    # Messages that wait for the broker to come back are not lost: no second one for the same run.
    unsent = OutboxMessage.objects.filter(kind=RUN_NODE, sent_at=None, dead_at=None)
    waiting = set(unsent.values_list("payload__run_id", flat=True))
    found = [run_id for run_id in found if str(run_id) not in waiting]
    for run_id in found:
        enqueue(kind=RUN_NODE, payload={"run_id": str(run_id)})
    NodeRun.objects.filter(pk__in=found).update(dispatched_at=now)
    return len(found)
