"""Start a job: for a task that is there, for a new picture, or because the project says so."""

from uuid import UUID

from review.models import Job
from review.operations.create_job import DEFAULT_PIPELINE, check_pipeline, create_job_within
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import NotFound, RoleForbidden
from tasks.domain.matrix import OPERATIONS, Operation, Role
from tasks.domain.statuses import BatchStatus, Status
from tasks.models import Batch, Project, Task, User
from tasks.operations.create_task import chosen_batch, create_task_within
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.pictures import NormalisedPicture
from tasks.operations.row_locks import lock_task, lock_user
from tasks.operations.store_asset import store_asset
from tasks.operations.task_locks import require_held
from tasks.operations.transactions import operation
from tasks.queries.access import check_operation, check_operation_status, known_role, visible_task, works_in

ACCEPTED = 202


@operation
def start_job(
    *,
    actor: User,
    task_id: UUID,
    pipeline: str,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Start a job on a task; the reply (202) is {accepted, job_id, task_id, status}.

    Raises NotFound, RoleForbidden, IdempotencyConflict, IllegalTransition, LockHeld, LockLost (in review),
    JobActive, RunActive, ValidationFailed (422, pipeline).
    """
    seen = visible_task(user=actor, task_id=task_id)
    role = check_operation(user=actor, task=seen, operation=Operation.RUN)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    check_operation_status(task=task, operation=Operation.RUN, role=role, viewer=actor)
    if task.status == Status.REVIEW:
        require_held(task=task, actor=actor, lock_token=None)
    job = create_job_within(task=task, actor=actor, role=role, pipeline=pipeline, context=context)
    return keep_reply(request, accepted(job))


def check_may_upload(*, actor: User, project: Project, batch_id: UUID | None) -> Role:
    """Whether the person may make a task by a job: workers, annotators only into batches of their own.

    Raises NotFound (a stranger, or a batch that they do not see), RoleForbidden.
    """
    role = known_role(user=actor, project=project)
    workers = OPERATIONS[Operation.RUN].by_status[Status.PENDING]
    if role not in workers:
        raise RoleForbidden(
            "Your role in this project may look, but not start jobs. Ask a project admin.",
            required_roles=[each.value for each in workers],
        )
    if role == Role.ANNOTATOR and batch_id is not None:
        _check_own_batch(actor, project, batch_id)
    return role


def _check_own_batch(actor: User, project: Project, batch_id: UUID) -> None:
    """An annotator sees their own batches and open ones. Any other is like one that there is not: a 403
    would tell that it exists (I12)."""
    batch = Batch.objects.filter(project=project, pk=batch_id, archived_at=None).first()
    if batch is None or batch.status == BatchStatus.DRAFT or not works_in(user=actor, batch=batch):
        raise NotFound("There is no such batch in this project.")


@operation
def start_job_with_picture(
    *,
    actor: User,
    project: Project,
    batch_id: UUID | None,
    file_name: str,
    data: bytes,
    picture: NormalisedPicture,
    pipeline: str,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Make a task from a picture (decoded already) and start its job; the reply (202) is `start_job`'s.

    Raises NotFound, RoleForbidden, IdempotencyConflict, IllegalTransition (archived batch), ValidationFailed.
    """
    # The person's row: their request sent twice at once makes one task.
    lock_user(actor.pk)
    role = check_may_upload(actor=actor, project=project, batch_id=batch_id)
    if (reply := known_reply(request)) is not None:
        return reply
    check_pipeline(pipeline)
    asset = store_asset(project=project, name=file_name, data=data, picture=picture)
    task = create_task_within(
        project=project,
        batch=chosen_batch(project=project, batch_id=batch_id),
        asset=asset,
        name=asset.original_name,
        question="",
        selection_mode=Task.SelectionMode.FREE,
        targets=[],
        actor=actor,
        role=role,
        context=context,
    )
    job = create_job_within(task=task, actor=actor, role=role, pipeline=pipeline, context=context)
    return keep_reply(request, accepted(job))


def accepted(job: Job) -> Reply:
    """Accepted says that the order was taken; `status` says how far the job is."""
    body = {
        "accepted": True,
        "job_id": str(job.pk),
        "task_id": str(job.task_id),
        "status": job.status,
    }
    return render_reply(ACCEPTED, body)


def start_job_of_new_task(*, task: Task, actor: User, role: Role, context: RequestContext) -> None:
    """Where the project says so, a new task gets a job at once, in the transaction that makes the task."""
    if task.project.start_jobs:
        create_job_within(task=task, actor=actor, role=role, pipeline=DEFAULT_PIPELINE, context=context)
