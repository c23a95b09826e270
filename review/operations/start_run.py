"""Start a model run outside a job: detect again, look into a region, or judge the candidates."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from review.domain.coordinates import CoordinateError, check_box, snap_region
from review.domain.job_errors import RunActive
from review.domain.job_states import ACTIVE_RUNS, NodeType
from review.models import Job, NodeRun
from review.operations.candidate_sets import active_set
from review.operations.dispatch_run import dispatch_run
from review.operations.drafts import allowed_geometries, picture_of
from review.queries.run_body import run_body
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import FieldError, JobActive, ValidationFailed
from tasks.domain.matrix import Operation
from tasks.domain.statuses import Status
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.task_locks import require_held
from tasks.operations.transactions import operation
from tasks.queries.access import check_operation, check_operation_status, visible_task
from tasks.queries.task_body import task_body

#: What a person may start by itself.
KINDS = (NodeType.DETECT_SUBJECTS, NodeType.JUDGE_CANDIDATES, NodeType.DETECT_REGION)


@operation
def start_run(
    *,
    actor: User,
    task_id: UUID,
    kind: NodeType,
    region: Sequence[float] | None,
    reference: Sequence[float] | None,
    lock_token: int | None,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Start; the reply is 202 {run_id}. The run keeps the versions that it was started on.

    Raises NotFound, RoleForbidden, IdempotencyConflict, LockLost, LockHeld (in review only the holder),
    IllegalTransition, RunActive, JobActive, ValidationFailed (422).
    """
    role = check_operation(
        user=actor, task=visible_task(user=actor, task_id=task_id), operation=Operation.RUN
    )
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    if task.status == Status.REVIEW or lock_token is not None:
        require_held(task=task, actor=actor, lock_token=lock_token)
    check_operation_status(task=task, operation=Operation.RUN, role=role, viewer=actor)
    _check_free(task, actor=actor)
    content = _input(task, kind, region, reference)
    run = dispatch_run(task=task, job=None, node_type=kind, node_input=content, actor=actor)
    if kind == NodeType.DETECT_REGION:
        # The ids of what it finds carry the run.
        run.input = {**content, "run": str(run.pk)}
        run.save(update_fields=["input"])
    audit_task(
        task=task,
        action="run.start",
        actor=actor,
        role=role,
        after={"run": str(run.pk), "kind": kind.value, **content["base"]},
        context=context,
    )
    return keep_reply(request, render_reply(202, {"run_id": str(run.pk)}))


def _check_free(task: Task, *, actor: User) -> None:
    """One active top-level run per task; a live job counts, its next run needs the place."""
    active = NodeRun.objects.filter(
        task_id=task.pk, parent=None, is_background=False, status__in=ACTIVE_RUNS
    ).first()
    if active is not None:
        raise RunActive(
            "A model is already running on this task. Wait for it, or cancel it.", run=run_body(active)
        )
    if Job.objects.filter(task_id=task.pk).live().exists():
        raise JobActive(
            "A job is running on this task. Answer its question, wait for it, or cancel it.",
            snapshot=task_body(task.pk, viewer=actor),
        )


def _input(
    task: Task, kind: NodeType, region: Sequence[float] | None, reference: Sequence[float] | None
) -> dict[str, Any]:
    """What the worker gets, and in `base` the versions that the result will be held against."""
    active = active_set(task)
    base = {"candidate_set_id": str(active.pk) if active else None, "config_version": task.config_version}
    picture = picture_of(task)
    size = {"width": picture.width, "height": picture.height}
    content: dict[str, Any] = {"base": base, "image": size}
    errors: list[FieldError] = []
    if kind == NodeType.DETECT_REGION:
        if region is None:
            errors.append(FieldError("region", "Draw the region to look into.", "required"))
        else:
            try:
                content["region"] = list(snap_region(region=region, **size))
            except CoordinateError as error:
                errors.append(FieldError("region", error.message, "outside"))
        if reference is not None:
            try:
                content["reference"] = list(check_box(box=reference, **size))
            except CoordinateError as error:
                errors.append(FieldError("reference", error.message, "outside"))
    elif kind == NodeType.JUDGE_CANDIDATES:
        if active is None or not active.items:
            errors.append(FieldError("kind", "There are no candidates to judge. Detect first.", "required"))
        else:
            content |= {
                "candidates": active.items,
                "question": task.question,
                "selection_mode": task.selection_mode,
                "targets": task.targets,
                "geometries": allowed_geometries(task),
            }
    if errors:
        raise ValidationFailed(errors, status=422)
    return content
