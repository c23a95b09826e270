"""A person answers a pause: one synchronous transaction, consumed once, whatever is repeated (I3, I4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from review.domain.boxes import Box, boxes_of, check_shape, read_subjects
from review.domain.diff import Diff, check_complete, diff
from review.domain.job_errors import JobCancelled, PauseNotActive, PauseTokenMismatch
from review.domain.job_states import TERMINAL, JobStatus, Trigger
from review.domain.next_step import Step, step_after_intervention
from review.models import CandidateSet, Intervention, Job, NodeRun, Pause
from review.operations.candidate_sets import add_set
from review.operations.consume_pause import consume_pause
from review.operations.create_job import check_no_active_run
from review.operations.follow_step import follow_step
from review.operations.row_locks import lock_job, lock_waiting_pause
from review.queries.job_body import job_body
from review.queries.pause_body import pause_body
from review.queries.visible_job import addressed_job
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import Problem, VersionConflict
from tasks.domain.event_types import EmptySelectionSubmitted, PauseConsumed
from tasks.domain.matrix import Operation, Role
from tasks.domain.statuses import Status
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.claim import claim_within
from tasks.operations.events import append_event
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.task_locks import HeldLock, let_go, require_held
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_operation, check_operation_status
from tasks.queries.one_moment import one_moment
from tasks.queries.user_body import user_body


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a person sends; `subjects` is the complete list of boxes to keep."""

    intervention_id: str
    pause_token: str
    base_version: int
    subjects: Sequence[dict[str, Any]]
    #: None: the client does not say which boxes it means to delete.
    deleted_box_ids: Sequence[str] | None = None
    client_id: str | None = None
    lock_token: int | None = None

    def content(self) -> dict[str, Any]:
        """What the intervention stores of it."""
        return {
            "pause_token": self.pause_token,
            "base_version": self.base_version,
            "subjects": list(self.subjects),
            "deleted_box_ids": None if self.deleted_box_ids is None else list(self.deleted_box_ids),
        }


def check_may_answer(*, actor: User, job_id: UUID, answer: Answer) -> tuple[Role, Job]:
    """Shape, then authority: what is answered before any lock or state is looked at.

    Raises ValidationFailed (400), NotFound, RoleForbidden.
    """
    check_shape(answer.subjects)
    job = addressed_job(user=actor, job_id=job_id)
    return check_operation(user=actor, task=job.task, operation=Operation.ANSWER), job


def intervene(
    *, actor: User, job_id: UUID, answer: Answer, request: RequestKey, context: RequestContext
) -> Reply:
    """Answer the job's pause; the reply is {intervention_id, job_id, status, version, outcome,
    next_node_instance_id}. Returns without waiting for the next node.

    Raises, in this order: ValidationFailed (400, shape), NotFound, RoleForbidden, IdempotencyConflict,
    LockHeld, LockLost, JobCancelled, VersionConflict, PauseNotActive, PauseTokenMismatch,
    IllegalTransition, ValidationFailed (422), SubjectsIncomplete, RunActive. Each 409 carries `snapshot`,
    the job as it is now. The pause stays WAITING then.
    """
    check_may_answer(actor=actor, job_id=job_id, answer=answer)
    try:
        # Before any lock or state is looked at: a repeated request gets its first reply at any later time.
        reply = known_reply(request)
        if reply is None:
            reply = _intervene(actor=actor, job_id=job_id, answer=answer, request=request, context=context)
    except Problem as problem:
        if problem.status == 409:
            # Read after the roll-back: what the next answer has to start from.
            with one_moment():
                problem.fields["snapshot"] = job_body(job_id)
        raise
    return reply


@operation
def _intervene(
    *, actor: User, job_id: UUID, answer: Answer, request: RequestKey, context: RequestContext
) -> Reply:
    task = lock_task(Job.objects.values_list("task_id", flat=True).get(pk=job_id))
    role = check_operation(user=actor, task=task, operation=Operation.ANSWER)
    # Two deliveries of one request at once: the second has waited for the task's row, and finds the first's
    # reply. Before the lock is taken, which the repetition must not do.
    if (reply := known_reply(request)) is not None:
        return reply
    held = _take_lock(task, actor=actor, role=role, answer=answer, context=context)
    job = lock_job(job_id)
    pause = _check_pause(job, answer)
    check_operation_status(task=task, operation=Operation.ANSWER, role=role, viewer=actor)

    shown = boxes_of(pause.snapshot.items)
    assert task.asset is not None, "a task without a picture has no jobs"
    boxes = read_subjects(
        subjects=answer.subjects, shown=shown, width=task.asset.width, height=task.asset.height
    )
    check_complete(shown=shown, submitted=boxes, deleted_box_ids=answer.deleted_box_ids)
    step = step_after_intervention(boxes)
    if step.node is not None:
        check_no_active_run(task)
    changes = diff(shown=shown, submitted=boxes, deleted_box_ids=answer.deleted_box_ids)

    consume_pause(pause, actor=actor, intervention_id=answer.intervention_id)
    created = add_set(
        task=task,
        source=CandidateSet.Source.MANUAL,
        items=[box.as_item() for box in boxes],
        actor=actor,
        job_id=job.pk,
    )
    Job.objects.filter(pk=job.pk).update(box_list=created)
    job.box_list = created
    _store(job, pause, created, step, changes, actor=actor, role=role, answer=answer)
    _audit(task, job, pause, step, changes, actor=actor, role=role, context=context)
    append_event(task=task, job_id=job.pk, data=PauseConsumed(pause=pause_body(pause), by=user_body(actor)))
    run = _go_on(task, job, step, boxes, created, changes, actor=actor)
    if held is not None and not held.was_held and answer.client_id is None:
        # Nobody sits in a page of this task: the lock was for this answer only.
        let_go(task=task, actor=actor, role=role, context=context)
    body = {
        "intervention_id": answer.intervention_id,
        "job_id": str(job.pk),
        "status": job.status,
        "version": job.version,
        "outcome": step.outcome,
        "next_node_instance_id": str(run.pk) if run else None,
    }
    return keep_reply(request, render_reply(200, body))


def _take_lock(
    task: Task, *, actor: User, role: Role, answer: Answer, context: RequestContext
) -> HeldLock | None:
    """The actor's lock; None where the task's status takes no answer (said after the job's own state)."""
    if task.status not in {Status.PENDING, Status.IN_PROGRESS}:
        return None
    if answer.lock_token is not None:
        require_held(task=task, actor=actor, lock_token=answer.lock_token)
    # Whoever answers works on it: a pending task is claimed, an unfinished one of somebody else taken over.
    return claim_within(task=task, actor=actor, role=role, client_id=answer.client_id, context=context)


def _check_pause(job: Job, answer: Answer) -> Pause:
    if job.status == JobStatus.CANCELLED:
        raise JobCancelled("The job was cancelled. Start a new one to go on with this picture.")
    if answer.base_version != job.version:
        raise VersionConflict(
            f"The job is at version {job.version}, your answer is to version {answer.base_version}. "
            "Look at the snapshot and answer its pause."
        )
    pause = lock_waiting_pause(job.pk)
    if pause is None or JobStatus(job.status) in TERMINAL:
        raise PauseNotActive(
            "Nobody is asked anything now: this pause was answered. The snapshot says where the job is."
        )
    if pause.pause_token != answer.pause_token:
        raise PauseTokenMismatch("This answer is to another pause. Answer the one in the snapshot.")
    return pause


def _store(
    job: Job,
    pause: Pause,
    created: CandidateSet,
    step: Step,
    changes: Diff,
    *,
    actor: User,
    role: Role,
    answer: Answer,
) -> None:
    Intervention.objects.create(
        job=job,
        intervention_id=answer.intervention_id,
        pause=pause,
        actor=actor,
        role=role,
        content=answer.content(),
        diff=changes.as_dict(),
        candidate_set=created,
        outcome=step.outcome,
        created_at=db_now(),
    )


def _audit(
    task: Task,
    job: Job,
    pause: Pause,
    step: Step,
    changes: Diff,
    *,
    actor: User,
    role: Role,
    context: RequestContext,
) -> None:
    audit_task(
        task=task,
        action="job.intervention",
        actor=actor,
        role=role,
        before={"job_id": str(job.pk), "status": job.status, "version": job.version, "round": pause.round},
        after={"outcome": step.outcome, "intervention_id": pause.consumed_intervention, **changes.as_dict()},
        context=context,
    )


def _go_on(
    task: Task,
    job: Job,
    step: Step,
    boxes: list[Box],
    created: CandidateSet,
    changes: Diff,
    *,
    actor: User,
) -> NodeRun | None:
    if step.target == JobStatus.EMPTY_SELECTION:
        append_event(task=task, job_id=job.pk, data=EmptySelectionSubmitted(by=user_body(actor)))
    waits_for_validation = any(box.needs_validation for box in boxes)
    return follow_step(
        task=task,
        job=job,
        step=step,
        trigger=Trigger.ANSWER,
        boxes=boxes,
        approved=None if waits_for_validation or not boxes else created,
        actor=actor,
        deleted_box_ids=[dropped["box_id"] for dropped in changes.dropped],
    )
