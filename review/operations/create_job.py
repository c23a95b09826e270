"""Starting a job: accepted, dispatched and detecting, in one transaction."""

from review.domain.job_errors import RunActive
from review.domain.job_states import ACTIVE_RUNS, JobStatus, NodeType, Trigger
from review.models import Draft, Job, NodeRun
from review.operations.dispatch_run import dispatch_run
from review.operations.move_job import move_job
from tasks.domain.actor import RequestContext
from tasks.domain.errors import FieldError, JobActive, ValidationFailed
from tasks.domain.event_types import JobStatusEvent
from tasks.domain.matrix import Role
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.events import append_event
from tasks.operations.transactions import db_now
from tasks.queries.task_body import task_body

#: Known pipelines and their versions.
PIPELINES = {"cut-out": 1}
DEFAULT_PIPELINE = "cut-out"


def check_pipeline(pipeline: str) -> None:
    """Raises ValidationFailed (422) for a pipeline that there is not."""
    if pipeline not in PIPELINES:
        known = ", ".join(PIPELINES)
        error = FieldError(
            "pipeline", f"There is no pipeline {pipeline!r}; known: {known}.", "unknown_pipeline"
        )
        raise ValidationFailed([error], status=422)


def create_job_within(
    *,
    task: Task,
    actor: User | None,
    role: Role | None,
    pipeline: str,
    context: RequestContext,
    compensates: Job | None = None,
) -> Job:
    """Create the task's job and dispatch its detection; the caller holds the task's row lock.

    CREATED and DETECTING are both events; the version is 1 afterwards. `actor` None: the project's setting.
    `compensates`: a policy decided that job; this one asks a person.
    Raises ValidationFailed (422, pipeline), JobActive (snapshot), RunActive (run).
    """
    check_pipeline(pipeline)
    if task.asset is None:
        error = FieldError(
            "task", "The task has no picture yet. Wait until its upload is done.", "no_picture"
        )
        raise ValidationFailed([error], status=422)
    if Job.objects.live().filter(task_id=task.pk).exists():
        snapshot = task_body(task.pk, viewer=actor) if actor else None
        raise JobActive(
            "A job of this task is still running. Wait for its end, or cancel it.", snapshot=snapshot
        )
    check_no_active_run(task)
    now = db_now()
    job = Job.objects.create(
        task=task,
        pipeline=pipeline,
        pipeline_version=PIPELINES[pipeline],
        first_event_seq=task_event_seq(task),
        draft_version_at_start=Draft.objects.filter(pk=task.pk).values_list("version", flat=True).first()
        or 0,
        compensates=compensates,
        created_by=actor,
        created_at=now,
        updated_at=now,
    )
    Task.objects.filter(pk=task.pk).update(job_id=job.pk, job_status=job.status)
    task.job_id, task.job_status = job.pk, job.status
    audit_task(
        task=task,
        action="job.create",
        actor=actor,
        role=role or "",
        after={"job_id": str(job.pk), "pipeline": pipeline}
        | ({} if compensates is None else {"compensates": str(compensates.pk)}),
        context=context,
    )
    append_event(
        task=task,
        job_id=job.pk,
        data=JobStatusEvent(
            status=JobStatus.CREATED, version=job.version, previous=None, failure=None, results=0
        ),
    )
    dispatch_run(
        task=task,
        job=job,
        node_type=NodeType.DETECT_SUBJECTS,
        node_input={"image": {"width": task.asset.width, "height": task.asset.height}},
        actor=actor,
    )
    move_job(
        task=task, job=job, target=JobStatus.DETECTING, trigger=Trigger.CONTROL_PLANE, raises_version=False
    )
    return job


def check_no_active_run(task: Task) -> None:
    """One active top-level run per task (a partial unique index says so too). Raises RunActive."""
    active = NodeRun.objects.filter(
        task_id=task.pk, parent=None, is_background=False, status__in=ACTIVE_RUNS
    ).first()
    if active is not None:
        raise RunActive(
            "A model run of this task is still active. Wait for its end, or cancel it.",
            run={"run_id": str(active.pk), "node_type": active.node_type, "status": active.status},
        )


def task_event_seq(task: Task) -> int:
    """The task's last event number right now: the job's stream starts after it."""
    return Task.objects.values_list("event_seq", flat=True).get(pk=task.pk)
