"""What follows from a run's end, by node type; one file each."""

from collections.abc import Callable
from typing import Any

from review.domain.job_states import JobStatus, NodeType, Trigger
from review.models import Job, NodeRun
from review.operations.after_detection import after_detection
from review.operations.after_encoding import after_encoding
from review.operations.after_processing import after_processing
from review.operations.after_subject_node import (
    after_gate,
    after_refinement,
    after_segmentation,
    subject_ended,
)
from review.operations.after_validation import after_validation
from review.operations.move_job import move_job
from review.operations.run_effects import apply_run_effects
from tasks.models import Task

Continuation = Callable[[Task, Job, NodeRun, dict[str, Any]], None]

_AFTER: dict[NodeType, Continuation] = {
    NodeType.DETECT_SUBJECTS: after_detection,
    NodeType.VALIDATE_MANUAL_BOX_LIST: after_validation,
    NodeType.PROCESS_APPROVED_BOX_LIST: after_processing,
    NodeType.ENCODE_PICTURE: after_encoding,
    NodeType.SEGMENT_SUBJECT: after_segmentation,
    NodeType.QUALITY_GATE_SUBJECT: after_gate,
    NodeType.REFINE_SUBJECT: after_refinement,
}


def continue_after(*, task: Task, job: Job | None, run: NodeRun, report: dict[str, Any]) -> None:
    """The run has succeeded: what comes next, in the caller's transaction, task and job row-locked.

    Raises BrokenContract where the report does not fit what was asked; the caller takes everything back.
    """
    if job is None:
        apply_run_effects(task=task, run=run, report=report)
        return
    _AFTER[NodeType(run.node_type)](task, job, run, report)


def fail_after(*, task: Task, job: Job | None, run: NodeRun, error: dict[str, Any]) -> None:
    """The run has failed for good, and with it its subject, or the job; a background run harms nobody."""
    if job is None or run.is_background:
        return
    if run.parent_id is not None:
        subject_ended(task, job, run)
        return
    move_job(task=task, job=job, target=JobStatus.FAILED, trigger=Trigger.REPORT, failure=error)
