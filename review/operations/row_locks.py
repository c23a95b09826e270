"""Row locks of jobs, pauses and runs. Order: task → task lock → batch → job → pause → run (page 03).

The caller holds the task's row lock already (`tasks.operations.row_locks.lock_task`), which is what makes
the two writers of one job wait for each other; these locks keep out whoever has not taken it.
"""

from uuid import UUID

from review.domain.job_states import PauseStatus
from review.models import Job, NodeRun, Pause
from tasks.domain.errors import NotFound


def lock_job(job_id: UUID) -> Job:
    """The job's row. Raises NotFound."""
    job = Job.objects.select_for_update(no_key=True, of=("self",)).filter(pk=job_id).first()
    if job is None:
        raise NotFound
    return job


def lock_waiting_pause(job_id: UUID) -> Pause | None:
    """The job's one waiting pause (partial unique index), or None."""
    return (
        Pause.objects.select_for_update(no_key=True, of=("self",))
        .select_related("snapshot")
        .filter(job_id=job_id, status=PauseStatus.WAITING)
        .first()
    )


def lock_run(run_id: UUID) -> NodeRun:
    """The run's row: against a worker that takes it or renews its lease right now. Raises NotFound."""
    run = NodeRun.objects.select_for_update(no_key=True, of=("self",)).filter(pk=run_id).first()
    if run is None:
        raise NotFound
    return run
