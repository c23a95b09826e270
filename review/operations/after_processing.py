"""The approved list is read: one chain of runs for each subject."""

from typing import Any

from review.domain.boxes import boxes_of
from review.domain.job_states import JobStatus, NodeType, Trigger
from review.domain.reports import BrokenContract
from review.models import Job, NodeRun
from review.operations.dispatch_run import dispatch_run
from review.operations.follow_step import FINALIZE_RESULTS
from review.operations.move_job import move_job
from tasks.models import Task
from tasks.operations.outbox import enqueue


def after_processing(task: Task, job: Job, run: NodeRun, report: dict[str, Any]) -> None:
    """Fan out: a SEGMENT_SUBJECT for each subject, in any order, on any worker.

    Raises BrokenContract for a subject that is no approved box, or is named twice.
    """
    by_id = {box.box_id: box for box in boxes_of(run.input["box_list"])}
    subjects: list[str] = report["subjects"]
    if len(set(subjects)) != len(subjects) or not set(subjects) <= set(by_id):
        raise BrokenContract("subjects: each has to be one of the approved boxes, once")
    for box_id in subjects:
        bbox = by_id[box_id].bbox
        if bbox is None:
            raise BrokenContract(f"subjects: {box_id} has no bbox")
        dispatch_run(
            task=task,
            job=job,
            node_type=NodeType.SEGMENT_SUBJECT,
            node_input={"box_id": box_id, "bbox": list(bbox), "encoding": job.encoding or None},
            actor=None,
            parent=run,
            box_id=box_id,
        )
    if not subjects:
        move_job(task=task, job=job, target=JobStatus.FINALIZING_RESULTS, trigger=Trigger.REPORT)
        enqueue(kind=FINALIZE_RESULTS, payload={"job_id": str(job.pk)})
