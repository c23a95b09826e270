"""How far a run is, for the people who watch. The worker says it at most once a second."""

from uuid import UUID

from review.models import NodeRun
from tasks.domain.event_types import RunProgress
from tasks.operations.events import append_event
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import operation


@operation
def report_progress(*, run_id: UUID, attempt: int, phase: str, done: int, total: int) -> bool:
    """Store and announce it. False, and nothing happens, where the run is no longer this attempt's."""
    row = NodeRun.objects.filter(pk=run_id).values_list("task_id", "job_id", "node_type").first()
    if row is None:
        return False
    task_id, job_id, node_type = row
    task = lock_task(task_id)
    # After the task's lock: a cancel that came first has changed the status, and no event follows it.
    kept = NodeRun.objects.filter(pk=run_id, attempt=attempt, status="RUNNING").update(
        phase=phase[:60], done=done, total=total
    )
    if not kept:
        return False
    append_event(
        task=task,
        job_id=job_id,
        data=RunProgress(run_id=str(run_id), node_type=node_type, phase=phase, done=done, total=total),
    )
    return True
