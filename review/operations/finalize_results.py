"""The control plane's last step: results and terminal status, stored together."""

from typing import Any
from uuid import UUID

from review.domain.boxes import SKIP, Box, boxes_of
from review.domain.job_states import JobStatus, NodeType, Trigger
from review.domain.next_step import SubjectOutcome, SubjectState, end_of_job, subject_state
from review.models import Job, NodeRun, SubjectResult
from review.operations.drafts import apply_boxes_if_untouched
from review.operations.move_job import move_job
from review.operations.row_locks import lock_job
from review.queries.subject_chains import subject_chains
from tasks.models import Task
from tasks.operations.audit import audit_task
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import db_now


def finalize_within(*, job_id: UUID) -> bool:
    """Store the results and end the job, in the caller's transaction.

    False, and nothing happens, where the job is not (or no longer) finalising: it was delivered twice, or
    cancelled in between. Raises NotFound.
    """
    task = lock_task(Job.objects.values_list("task_id", flat=True).get(pk=job_id))
    job = lock_job(job_id)
    if job.status != JobStatus.FINALIZING_RESULTS:
        return False
    approved = boxes_of(job.approved_box_list.items) if job.approved_box_list else []
    shown = boxes_of(job.box_list.items) if job.box_list else []
    states = _chain_states(job)
    approved_ids = {box.box_id for box in approved}
    results: list[SubjectResult] = []
    now = db_now()
    for place, box in enumerate([*approved, *(box for box in shown if box.box_id not in approved_ids)]):
        state = _state_of(box, is_approved=box.box_id in approved_ids, chains=states)
        assert state.outcome is not None, "a box of a job that ends has an outcome"
        results.append(
            SubjectResult(
                job=job,
                box_id=box.box_id,
                label=box.label,
                bbox=list(box.bbox) if box.bbox else None,
                outcome=state.outcome,
                reason=state.reason,
                cutout=state.cutout,
                mask=state.mask,
                gate=_shown_gate(state.gate),
                place=place,
                created_at=now,
            )
        )
    SubjectResult.objects.bulk_create(results)
    end = end_of_job([SubjectOutcome(result.outcome) for result in results])
    audit_task(
        task=task,
        action="job.end",
        actor=None,
        before={"status": job.status},
        after={"job_id": str(job.pk), "status": end.target, "results": len(results)},
    )
    if approved and end.target != JobStatus.FAILED:
        _to_draft(task, job, approved)
    move_job(
        task=task,
        job=job,
        target=end.target,
        trigger=Trigger.CONTROL_PLANE,
        failure=end.failure,
        results=len(results),
    )
    return True


def _shown_gate(report: dict[str, Any] | None) -> dict[str, Any]:
    """The gate's figures and verdict, without what a report says of its maker."""
    shown = ("verdict", "figures", "reasons", "thresholds_version")
    return {name: report[name] for name in shown if name in report} if report else {}


def _to_draft(task: Task, job: Job, approved: list[Box]) -> None:
    """Before the job's last event, so that its stream still tells of the draft."""
    apply_boxes_if_untouched(task=task, job=job, boxes=[box.as_item() for box in approved])


def _chain_states(job: Job) -> dict[str, SubjectState]:
    if job.current_node_instance_id is None:
        return {}
    parent = NodeRun.objects.filter(
        pk=job.current_node_instance_id, node_type=NodeType.PROCESS_APPROVED_BOX_LIST
    ).first()
    if parent is None:
        return {}
    return {box_id: subject_state(chain) for box_id, chain in subject_chains(parent).items()}


def _state_of(box: Box, *, is_approved: bool, chains: dict[str, SubjectState]) -> SubjectState:
    if not is_approved:
        return SubjectState(outcome=SubjectOutcome.REJECTED, reason=box.validation)
    if box.target_policy == SKIP:
        return SubjectState(outcome=SubjectOutcome.SKIPPED)
    state = chains.get(box.box_id)
    if state is None or state.outcome is None:
        reason = {"code": "NOT_PROCESSED", "message": "The model named no subject for this box."}
        return SubjectState(outcome=SubjectOutcome.FAILED, reason=reason)
    return state
