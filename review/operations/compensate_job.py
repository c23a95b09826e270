"""A person is asked after all: a new job for a picture whose last one a policy decided."""

from uuid import UUID

from review.operations.create_job import create_job_within
from review.operations.start_job import ACCEPTED
from review.queries.job_body import job_body
from review.queries.visible_job import addressed_job
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import IllegalTransition
from tasks.domain.matrix import Operation
from tasks.domain.statuses import Status
from tasks.models import User
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.task_locks import require_held
from tasks.operations.transactions import operation
from tasks.queries.access import check_operation, check_operation_status


@operation
def compensate_job(*, actor: User, job_id: UUID, request: RequestKey, context: RequestContext) -> Reply:
    """The reply (202) is {accepted, job_id, task_id, status, compensates}. The old job stays as it is; no
    policy acts on the new one. Whoever may start a job on the task may do this.

    Raises NotFound, RoleForbidden, IdempotencyConflict, IllegalTransition (the task's status, or no policy
    decided that job; snapshot), LockHeld, LockLost (in review), JobActive, RunActive.
    """
    old = addressed_job(user=actor, job_id=job_id)
    role = check_operation(user=actor, task=old.task, operation=Operation.RUN)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(old.task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    check_operation_status(task=task, operation=Operation.RUN, role=role, viewer=actor)
    if task.status == Status.REVIEW:
        require_held(task=task, actor=actor, lock_token=None)
    old.refresh_from_db(fields=["policy_version"])
    if not old.policy_version:
        raise IllegalTransition(
            "No policy decided this job, so there is nothing to compensate. To begin again, start a job.",
            snapshot=job_body(job_id),
        )
    job = create_job_within(
        task=task, actor=actor, role=role, pipeline=old.pipeline, context=context, compensates=old
    )
    body = {
        "accepted": True,
        "job_id": str(job.pk),
        "task_id": str(job.task_id),
        "status": job.status,
        "compensates": str(old.pk),
    }
    return keep_reply(request, render_reply(ACCEPTED, body))
