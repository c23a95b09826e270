"""A worker takes a run, keeps it, and asks whether it is still wanted. The fence is `attempt`."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection

from review.domain.job_states import NodeType
from review.models import NodeRun
from tasks.operations.transactions import operation

# QUEUED and due, or taken by a worker whose lease ran out; by the database's clock (two workers' clocks
# differ). Two deliveries of one message at once: the second waits for the row and then matches nothing.
_TAKE = """
UPDATE node_runs SET
    status = 'RUNNING', attempt = attempt + 1, lease_worker = %(worker)s,
    lease_until = clock_timestamp() + %(lease)s * interval '1 second',
    started_at = coalesce(started_at, clock_timestamp()), phase = '', done = 0, total = 0
WHERE id = %(run)s AND attempt < %(most)s
  AND ((status = 'QUEUED' AND available_at <= clock_timestamp())
    OR (status = 'RUNNING' AND lease_until < clock_timestamp()))
RETURNING attempt
"""

_RENEW = """
UPDATE node_runs SET lease_until = clock_timestamp() + %s * interval '1 second'
WHERE id = %s AND attempt = %s AND status = 'RUNNING'
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenRun:
    """What a worker needs to do its work; nothing of it is a live row."""

    run_id: UUID
    attempt: int
    node_type: str
    input: dict[str, Any]
    task_id: UUID
    #: Storage key of the normalised picture.
    image: str


@operation
def take_run(*, run_id: UUID, worker: str) -> TakenRun | None:
    """Take the run for `settings.RUN_LEASE_SECONDS`; None where it is not to be had (taken, done, cancelled).

    A segmentation is told of the picture's encoding here, as late as possible: it is made while the
    person looks, and may be ready only now.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _TAKE,
            {
                "run": run_id,
                "worker": worker[:120],
                "lease": settings.RUN_LEASE_SECONDS,
                "most": settings.RUN_MAX_ATTEMPTS,
            },
        )
        row = cursor.fetchone()
    if row is None:
        return None
    run = NodeRun.objects.select_related("task__asset", "job").get(pk=run_id)
    node_input: dict[str, Any] = run.input
    if run.node_type == NodeType.SEGMENT_SUBJECT and run.job and not node_input.get("encoding"):
        node_input = {**node_input, "encoding": run.job.encoding or None}
        NodeRun.objects.filter(pk=run_id).update(input=node_input)
    asset = run.task.asset
    assert asset is not None, "a task without a picture has no runs"
    return TakenRun(
        run_id=run_id,
        attempt=row[0],
        node_type=run.node_type,
        input=node_input,
        task_id=run.task_id,
        image=asset.image,
    )


def renew_lease(*, run_id: UUID, attempt: int) -> bool:
    """Keep the run for another lease. False: it is no longer this attempt's (cancelled, or taken over)."""
    with connection.cursor() as cursor:
        cursor.execute(_RENEW, [settings.RUN_LEASE_SECONDS, run_id, attempt])
        renewed: int = cursor.rowcount
    return renewed == 1


def is_wanted(*, run_id: UUID, attempt: int) -> bool:
    """Whether this attempt's result would still count; asked just before the model is called."""
    return (
        NodeRun.objects.filter(pk=run_id, attempt=attempt, status="RUNNING")
        .exclude(job__cancel_requested=True)
        .exists()
    )
