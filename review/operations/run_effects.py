"""What a successful run outside a job leaves behind. `receive_report` calls it, in its own transaction."""

from typing import Any
from uuid import uuid4

from review.domain.job_states import NodeType
from review.models import CandidateSet, NodeRun, Prediction, RegionResult
from review.operations.candidate_sets import add_set
from review.operations.drafts import label_of
from tasks.models import Task
from tasks.operations.transactions import db_now

#: A warning of a run: what it found was kept, and not shown.
OVERTAKEN = {
    "code": "OVERTAKEN",
    "message": "The candidates were changed while the model looked. What it found is kept, but not shown: "
    "run it again.",
}


def apply_run_effects(*, task: Task, run: NodeRun, report: dict[str, Any]) -> None:
    """Store the result of `run` (no job, SUCCEEDED, this attempt's report accepted). `task` is row-locked.

    DETECT_SUBJECTS: a new candidate set, active only while the set that it started from still is (a person's
    edit made meanwhile is not pushed aside). DETECT_REGION: a preview, applied by a person or never.
    JUDGE_CANDIDATES: a prediction on the set and config that it was asked about. Other types leave nothing.
    """
    effect = _EFFECTS.get(run.node_type)
    if effect is not None:
        effect(task, run, report)


def _detected(task: Task, run: NodeRun, report: dict[str, Any]) -> None:
    items = [_box(found, task=task) for found in report["boxes"]]
    base = run.input.get("base", {})
    active = str(task.active_candidate_set_id) if task.active_candidate_set_id else None
    is_active = base.get("candidate_set_id") == active
    if not is_active:
        run.report = {**report, "warnings": [*report.get("warnings", []), OVERTAKEN]}
        run.save(update_fields=["report"])
    add_set(
        task=task,
        source=CandidateSet.Source.MODEL,
        items=items,
        actor=None,
        run_id=run.pk,
        is_active=is_active,
    )
    scores = [item["score"] for item in items if item["score"] is not None]
    Task.objects.filter(pk=task.pk).update(model_confidence=min(scores, default=None))


def _box(found: dict[str, Any], *, task: Task) -> dict[str, Any]:
    x1, y1, x2, y2 = found["bbox"]
    return {
        "box_id": f"box_{uuid4().hex[:12]}",
        "label": label_of(found.get("label"), task=task),
        "bbox": found["bbox"],
        "center": [round((x1 + x2) / 2, 2), round((y1 + y2) / 2, 2)],
        "score": found.get("score"),
        "source": "model",
        "edited": False,
        "target_policy": "segment",
        "detector": found.get("detector"),
        "alternatives": found.get("alternatives", []),
    }


def _region_detected(task: Task, run: NodeRun, report: dict[str, Any]) -> None:
    base = run.input.get("base", {})
    RegionResult.objects.create(
        task=task,
        base_set_id=base.get("candidate_set_id"),
        run=run,
        config_version=base.get("config_version", task.config_version),
        region=report["region"],
        reference=run.input.get("reference"),
        items=[{**item, "label": label_of(item.get("label"), task=task)} for item in report["items"]],
        created_at=db_now(),
    )


def _judged(task: Task, run: NodeRun, report: dict[str, Any]) -> None:
    base = run.input["base"]
    known = {candidate["box_id"] for candidate in run.input["candidates"]}
    chosen = report["selected_ids"]
    # An id that the judge made up, or chose twice, is shown but cannot be applied.
    is_consistent = set(chosen) <= known and len(set(chosen)) == len(chosen)
    Prediction.objects.create(
        task=task,
        candidate_set_id=base["candidate_set_id"],
        run=run,
        config_version=base["config_version"],
        selected_ids=chosen,
        evidence=report.get("evidence", {}),
        warnings=report.get("warnings", []),
        applicable=is_consistent and report.get("applicable", True),
        raw=report.get("raw"),
        usage=report.get("usage", {}),
        created_at=db_now(),
    )


_EFFECTS = {
    NodeType.DETECT_SUBJECTS.value: _detected,
    NodeType.DETECT_REGION.value: _region_detected,
    NodeType.JUDGE_CANDIDATES.value: _judged,
}
