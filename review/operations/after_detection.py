"""Detection is done: its boxes are stored, and a person is asked, unless the project declared otherwise."""

from typing import Any

from review.domain.boxes import MODEL, MOST_BOXES, Box, new_box_id
from review.domain.coordinates import centre_of_box, check_box
from review.domain.job_states import JobStatus
from review.domain.policy_rules import routed
from review.models import CandidateSet, Job, NodeRun
from review.operations.candidate_sets import add_set
from review.operations.drafts import label_of
from review.operations.open_pause import open_pause
from review.operations.route_job import route_job
from review.queries.acting_policies import acting_policies
from tasks.domain.policies import PolicyKind
from tasks.models import ProjectPolicy, Task

#: The warning's code where the detector found more boxes than are kept.
TRUNCATED = "TRUNCATED"


def after_detection(task: Task, job: Job, run: NodeRun, report: dict[str, Any]) -> None:
    """Store the boxes as a model's set and open round 1. No box is a question too: a person may draw.

    A switched-on routing policy may let sure boxes go on instead.
    """
    found = sorted(report["boxes"], key=lambda box: -(box.get("score") or 0.0))
    warnings = [{"code": each["code"], "message": each["message"]} for each in report.get("warnings", [])]
    if len(found) > MOST_BOXES and not any(warning["code"] == TRUNCATED for warning in warnings):
        message = f"The detector found {len(found)} boxes; the best {MOST_BOXES} are kept."
        warnings.append({"code": TRUNCATED, "message": message})
    boxes = [_box(task, each) for each in found[:MOST_BOXES]]
    created = add_set(
        task=task,
        source=CandidateSet.Source.MODEL,
        items=[box.as_item() for box in boxes],
        actor=None,
        run_id=run.pk,
        job_id=job.pk,
    )
    Job.objects.filter(pk=job.pk).update(box_list=created, warnings=warnings)
    job.box_list, job.warnings = created, warnings
    # The queue's copy: the least sure box decides how much a task needs a person.
    confidence = min((box.score for box in boxes if box.score is not None), default=None)
    Task.objects.filter(pk=task.pk).update(model_confidence=confidence)
    task.model_confidence = confidence
    policy = acting_policies(job=job, project_id=task.project_id).get(PolicyKind.ROUTING)
    kept = None if policy is None else _routed(policy, boxes, warnings)
    if policy is not None and kept is not None:
        route_job(task=task, job=job, policy=policy, found=created, kept=kept)
        return
    open_pause(task=task, job=job, stage=JobStatus.WAITING_USER_SELECTION, round_number=1, snapshot=created)


def _routed(policy: ProjectPolicy, boxes: list[Box], warnings: list[dict[str, Any]]) -> list[Box] | None:
    assert policy.threshold is not None, "the database lets no routing be on without"
    is_truncated = any(warning["code"] == TRUNCATED for warning in warnings)
    return routed(boxes, threshold=policy.threshold, below=policy.below, is_truncated=is_truncated)


def _box(task: Task, found: dict[str, Any]) -> Box:
    assert task.asset is not None
    corners = check_box(box=found["bbox"], width=task.asset.width, height=task.asset.height)
    label = label_of(found["label"], task=task)
    return Box(
        box_id=new_box_id(),
        label=label,
        bbox=corners,
        center=centre_of_box(corners),
        score=found.get("score"),
        source=MODEL,
        alternatives=found.get("alternatives") or [],
        detector=str(found.get("detector") or ""),
        model_label=found["label"] if found["label"] != label else None,
    )
