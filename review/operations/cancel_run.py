"""Cancel a run outside a job: what has not started never does, what cannot be stopped has no effect."""

from uuid import UUID

from review.domain.job_states import ACTIVE_RUNS, RunStatus
from review.models import NodeRun
from review.operations.row_locks import lock_run
from review.queries.run_body import addressed_run, run_body
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import JobActive
from tasks.domain.event_types import RunFinished
from tasks.domain.matrix import Operation
from tasks.models import User
from tasks.operations.audit import audit_task
from tasks.operations.events import append_event
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_manage, check_operation
from tasks.queries.task_body import task_body


@operation
def cancel_run(*, actor: User, run_id: UUID, request: RequestKey, context: RequestContext) -> Reply:
    """Cancel; the reply is the run. A run that has ended stays as it is, and that is no error.

    One's own needs the right to run; others' the right to manage. Raises NotFound, RoleForbidden,
    IdempotencyConflict, JobActive (the run belongs to a job: cancel the job).
    """
    seen = addressed_run(user=actor, run_id=run_id)
    if seen.created_by_id == actor.pk:
        role = check_operation(user=actor, task=seen.task, operation=Operation.RUN)
    else:
        role = check_manage(user=actor, project=seen.task.project)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(seen.task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    run = lock_run(run_id)
    if run.job_id is not None:
        raise JobActive(
            "This run is part of a job. Cancel the job instead.", snapshot=task_body(task.pk, viewer=actor)
        )
    if run.status in ACTIVE_RUNS:
        before, now = run.status, db_now()
        NodeRun.objects.filter(pk=run.pk).update(status=RunStatus.CANCELLED, finished_at=now)
        run.status, run.finished_at = RunStatus.CANCELLED, now
        audit_task(
            task=task,
            action="run.cancel",
            actor=actor,
            role=role,
            before={"run": str(run.pk), "status": before},
            after={"run": str(run.pk), "status": run.status},
            context=context,
        )
        append_event(
            task=task,
            data=RunFinished(
                run_id=str(run.pk), node_type=run.node_type, status=RunStatus.CANCELLED.value, error=None
            ),
        )
    return keep_reply(request, render_reply(200, run_body(run)))
