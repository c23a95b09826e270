"""Cancelling a job: its pause and its active runs go with it; reports that arrive later are ignored."""

from uuid import UUID

from review.domain.job_states import ACTIVE_RUNS, TERMINAL, JobStatus, PauseStatus, RunStatus, Trigger
from review.models import Job, NodeRun, Pause
from review.operations.move_job import move_job
from review.operations.row_locks import lock_job
from review.queries.job_body import job_body
from review.queries.visible_job import addressed_job
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import IllegalTransition, RoleForbidden
from tasks.domain.matrix import OPERATIONS, Operation, Role
from tasks.models import User
from tasks.operations.audit import audit_task
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_operation


def check_cancel(*, actor: User, job: Job) -> Role:
    """One's own job needs the right to run models; somebody else's needs an admin. Raises RoleForbidden."""
    role = check_operation(user=actor, task=job.task, operation=Operation.RUN)
    admins = OPERATIONS[Operation.MANAGE].by_status[None]
    if role not in admins and job.created_by_id != actor.pk:
        raise RoleForbidden(
            "You may cancel the jobs that you started. Ask a project admin to cancel this one.",
            required_roles=[each.value for each in admins],
        )
    return role


@operation
def cancel_job(*, actor: User, job_id: UUID, request: RequestKey, context: RequestContext) -> Reply:
    """Cancel; the reply is the job. Cancelling again gives the same reply.

    Raises NotFound, RoleForbidden, IdempotencyConflict, IllegalTransition (ended otherwise; snapshot).
    """
    seen = addressed_job(user=actor, job_id=job_id)
    role = check_cancel(actor=actor, job=seen)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(seen.task_id)
    job = lock_job(job_id)
    if (reply := known_reply(request)) is not None:
        return reply
    if job.status in TERMINAL and job.status != JobStatus.CANCELLED:
        raise IllegalTransition(
            f"The job has ended as {job.status}; there is nothing to cancel.", snapshot=job_body(job_id)
        )
    if job.status != JobStatus.CANCELLED:
        now = db_now()
        Job.objects.filter(pk=job.pk).update(cancel_requested=True)
        job.cancel_requested = True
        Pause.objects.filter(job=job, status=PauseStatus.WAITING).update(status=PauseStatus.CANCELLED)
        NodeRun.objects.filter(job=job, status__in=ACTIVE_RUNS).update(
            status=RunStatus.CANCELLED, finished_at=now
        )
        audit_task(
            task=task,
            action="job.cancel",
            actor=actor,
            role=role,
            before={"status": job.status, "version": job.version},
            after={"job_id": str(job.pk), "status": JobStatus.CANCELLED},
            context=context,
        )
        move_job(task=task, job=job, target=JobStatus.CANCELLED, trigger=Trigger.CANCEL)
    return keep_reply(request, render_reply(200, job_body(job_id)))
