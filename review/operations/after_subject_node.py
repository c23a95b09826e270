"""A subject's chain: SEGMENT → GATE → (REFINE → GATE, once), and what its end means for the job."""

from typing import Any

from review.domain.job_states import JobStatus, NodeType, Trigger
from review.domain.next_step import subject_state
from review.models import Job, NodeRun
from review.operations.dispatch_run import dispatch_run
from review.operations.follow_step import FINALIZE_RESULTS
from review.operations.move_job import move_job
from review.queries.job_results import artifact_urls
from review.queries.subject_chains import subject_chains
from tasks.domain.event_types import SubjectFinished
from tasks.models import Task
from tasks.operations.events import append_event
from tasks.operations.outbox import enqueue


def after_segmentation(task: Task, job: Job, run: NodeRun, report: dict[str, Any]) -> None:
    """On to the quality gate."""
    _gate(task, job, run, mask=report["mask"], predicted_iou=report.get("predicted_iou"), step=0)


def after_refinement(task: Task, job: Job, run: NodeRun, report: dict[str, Any]) -> None:
    """To the gate again, which will not ask for another refinement."""
    predicted_iou = run.input.get("predicted_iou")
    _gate(task, job, run, mask=report["mask"], predicted_iou=predicted_iou, step=1)


def after_gate(task: Task, job: Job, run: NodeRun, report: dict[str, Any]) -> None:
    """Refine where the gate asks for it the first time; otherwise this subject is done."""
    if report["verdict"] == "refine" and run.step == 0:
        _child(
            task,
            job,
            run,
            node_type=NodeType.REFINE_SUBJECT,
            node_input={
                "box_id": run.box_id,
                "bbox": run.input["bbox"],
                "mask": run.input["mask"],
                "predicted_iou": run.input.get("predicted_iou"),
            },
            step=0,
        )
        return
    subject_ended(task, job, run)


def subject_ended(task: Task, job: Job, run: NodeRun) -> None:
    """Announce the subject; the last one takes the job to its results.

    Reports of one job come one after the other under the task's row lock, so exactly one of them is last.
    """
    parent = _parent(run)
    subjects: list[str] = (parent.report or {}).get("subjects", [])
    chains = subject_chains(parent)
    states = {box_id: subject_state(chains.get(box_id, [])) for box_id in subjects}
    state = states[run.box_id]
    assert state.outcome is not None, "a chain that has ended has an outcome"
    append_event(
        task=task,
        job_id=job.pk,
        data=SubjectFinished(
            box_id=run.box_id,
            outcome=state.outcome,
            cutout_url=artifact_urls([state.cutout]).get(state.cutout),
        ),
    )
    if all(each.outcome is not None for each in states.values()):
        move_job(task=task, job=job, target=JobStatus.FINALIZING_RESULTS, trigger=Trigger.REPORT)
        enqueue(kind=FINALIZE_RESULTS, payload={"job_id": str(job.pk)})


def _parent(run: NodeRun) -> NodeRun:
    assert run.parent_id is not None, "a subject's run has a parent"
    return NodeRun.objects.get(pk=run.parent_id)


def _gate(task: Task, job: Job, run: NodeRun, *, mask: str, predicted_iou: float | None, step: int) -> None:
    _child(
        task,
        job,
        run,
        node_type=NodeType.QUALITY_GATE_SUBJECT,
        node_input={
            "box_id": run.box_id,
            "bbox": run.input["bbox"],
            "mask": mask,
            "predicted_iou": predicted_iou,
            "refined": step > 0,
        },
        step=step,
    )


def _child(
    task: Task, job: Job, run: NodeRun, *, node_type: NodeType, node_input: dict[str, Any], step: int
) -> None:
    dispatch_run(
        task=task,
        job=job,
        node_type=node_type,
        node_input=node_input,
        actor=None,
        parent=_parent(run),
        box_id=run.box_id,
        step=step,
    )
