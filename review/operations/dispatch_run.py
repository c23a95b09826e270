"""A new node run with its outbox row: it reaches a worker once the transaction has committed."""

from typing import Any

from review.domain.job_states import NodeType
from review.models import Job, NodeRun
from tasks.models import Task, User
from tasks.operations.outbox import enqueue
from tasks.operations.transactions import db_now

#: The outbox's kind for "tell a worker that this run is queued".
RUN_NODE = "run_node"


def dispatch_run(
    *,
    task: Task,
    job: Job | None,
    node_type: NodeType,
    node_input: dict[str, Any],
    actor: User | None,
    parent: NodeRun | None = None,
    box_id: str = "",
    step: int = 0,
    is_background: bool = False,
) -> NodeRun:
    """Create the run, QUEUED, and its message. The caller holds the task's row lock.

    A top-level run of a job becomes the job's `current_node_instance_id`.
    """
    now = db_now()
    run = NodeRun.objects.create(
        task=task,
        job=job,
        parent=parent,
        box_id=box_id,
        node_type=node_type,
        step=step,
        is_background=is_background,
        input=node_input,
        available_at=now,
        created_by=actor,
        created_at=now,
    )
    if job is not None and parent is None and not is_background:
        Job.objects.filter(pk=job.pk).update(current_node_instance_id=run.pk)
        job.current_node_instance_id = run.pk
    enqueue(kind=RUN_NODE, payload={"run_id": str(run.pk)})
    return run
