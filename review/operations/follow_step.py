"""Taking a job to the step that the boxes ask for: status, approved boxes, the next run or message."""

from collections.abc import Sequence

from review.domain.boxes import Box
from review.domain.job_states import JobStatus, NodeType, Trigger
from review.domain.next_step import Step
from review.domain.rounds import NAMING_THRESHOLDS
from review.models import CandidateSet, Job, NodeRun
from review.operations.dispatch_run import dispatch_run
from review.operations.move_job import move_job
from tasks.models import Task, User
from tasks.operations.outbox import enqueue

#: The outbox's kind for "store the results and the end" (a step of the control plane).
FINALIZE_RESULTS = "finalize_results"


def follow_step(
    *,
    task: Task,
    job: Job,
    step: Step,
    trigger: Trigger,
    boxes: Sequence[Box],
    approved: CandidateSet | None,
    actor: User | None,
    deleted_box_ids: Sequence[str] = (),
) -> NodeRun | None:
    """Move the (row-locked) job by `step` and dispatch its node, inside the caller's transaction.

    `approved` is the set whose boxes all go on; None while some still have to be validated, and where
    nothing is left. Returns the new run, or None where no worker is needed.
    """
    if approved is not None:
        Job.objects.filter(pk=job.pk).update(approved_box_list=approved)
        job.approved_box_list = approved
    move_job(task=task, job=job, target=step.target, trigger=trigger)
    if step.target == JobStatus.FINALIZING_RESULTS:
        enqueue(kind=FINALIZE_RESULTS, payload={"job_id": str(job.pk)})
    if step.node is None:
        return None
    to_validate = [box.as_item() for box in boxes if box.needs_validation]
    node_input = {
        "box_list": [box.as_item() for box in boxes],
        "items_to_validate": to_validate,
        "reusable_valid_items": [box.as_item() for box in boxes if not box.needs_validation],
        "deleted_box_ids": list(deleted_box_ids),
    }
    if step.node == NodeType.VALIDATE_MANUAL_BOX_LIST:
        node_input |= {
            "labels": label_names(task),
            "threshold": NAMING_THRESHOLDS["threshold"],
            "thresholds_version": NAMING_THRESHOLDS["version"],
        }
    return dispatch_run(task=task, job=job, node_type=step.node, node_input=node_input, actor=actor)


def label_names(task: Task) -> list[str]:
    """The names of the project's labels and their aliases."""
    names: list[str] = []
    for label in task.project.labels:
        names += [label["name"], *label.get("aliases", [])]
    return names
