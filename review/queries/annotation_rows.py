"""A project's confirmed work, one JSON object each (page 06's row), read in pieces: memory stays flat."""

import json
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from review.domain.marks import PUT_ASIDE
from review.models import Annotation, CandidateSet, NodeRun
from review.queries.confirmation import standing
from tasks.domain.statuses import Status
from tasks.domain.times import iso
from tasks.models import Project, Task
from tasks.queries.user_body import user_body

SCHEMA = "countersign/v1"
#: Tasks read at once.
PIECE = 100
_MADE_BY = ("provider", "model", "adapter_version", "prompt_version", "code_version")


def annotation_lines(*, project: Project, is_approved_only: bool) -> Iterator[bytes]:
    """JSON lines, oldest task first. The draft never shows in them.

    Left out: tasks without a confirmation of the present question, those marked later or invalid, and
    revisions that were sent back; with `is_approved_only` also what no reviewer has signed.
    """
    for row in annotation_rows(project=project, is_approved_only=is_approved_only):
        yield json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def annotation_rows(*, project: Project, is_approved_only: bool) -> Iterator[dict[str, Any]]:
    """The same as dictionaries."""
    after: UUID | None = None
    while True:
        tasks = Task.objects.filter(project=project, archived_at=None, annotation_revision__isnull=False)
        if after is not None:
            tasks = tasks.filter(pk__gt=after)
        piece = list(tasks.select_related("asset", "batch").order_by("pk")[:PIECE])
        if not piece:
            return
        after = piece[-1].pk
        newest = {
            annotation.task_id: annotation
            for annotation in Annotation.objects.filter(task_id__in=[task.pk for task in piece])
            .select_related("confirmed_by")
            .order_by("task_id", "-revision")
            .distinct("task_id")
        }
        confirmed = [
            (task, newest[task.pk]) for task in piece if task.pk in newest and task.mark not in PUT_ASIDE
        ]
        stand = standing(confirmed)
        wanted = [
            (task, annotation)
            for task, annotation in confirmed
            if task.pk in stand and _is_wanted(task, annotation, is_approved_only=is_approved_only)
        ]
        origins = _Origins([annotation for _, annotation in wanted])
        for task, annotation in wanted:
            yield _row(project, task, annotation, origins)


def _is_wanted(task: Task, annotation: Annotation, *, is_approved_only: bool) -> bool:
    decision = decision_on(task, annotation)
    if decision is not None and decision["decision"] == "reject":
        return False
    return not is_approved_only or (decision is not None and task.status == Status.COMPLETED)


def decision_on(task: Task, annotation: Annotation) -> dict[str, Any] | None:
    """What the reviewers made of this very revision; None where it is undecided."""
    last = task.last_decision
    if last is None or last.get("revision") != annotation.revision:
        return None
    return {"decision": last["decision"], "reason": last["reason"], "by": last["by"], "at": last["at"]}


def _row(project: Project, task: Task, annotation: Annotation, origins: "_Origins") -> dict[str, Any]:
    asset = task.asset
    assert asset is not None, "only a task that is still being uploaded has no picture"
    return {
        "schema": SCHEMA,
        "kind": "annotation",
        "task_id": str(task.pk),
        "image": f"/api/v1/assets/{asset.pk}/image",
        "original_name": asset.original_name,
        "width": asset.width,
        "height": asset.height,
        "sha256": asset.sha256,
        "original_sha256": asset.original_sha256,
        "coordinate_space": "original_image_pixels",
        "question": annotation.question,
        "selection_mode": annotation.selection_mode,
        "targets": annotation.targets,
        "items": [origins.with_source(item) for item in annotation.items],
        "annotation_revision": annotation.revision,
        "config_version": annotation.config_version,
        "source": "human_confirmed",
        "confirmed_by": user_body(annotation.confirmed_by),
        "confirmed_at": iso(annotation.confirmed_at),
        "decision": decision_on(task, annotation),
        "dataset": {"project": project.name, "batch": task.batch.name},
        "demo_fixture": asset.is_demo,
    }


class _Origins:
    """Where items come from: their candidate, and the run that first proposed it."""

    def __init__(self, annotations: Sequence[Annotation]) -> None:
        mentioned = {
            source["candidate_set_id"]
            for annotation in annotations
            for item in annotation.items
            if (source := item.get("source")) and source.get("candidate_set_id")
        }
        task_ids = {annotation.task_id for annotation in annotations} if mentioned else set()
        sets = CandidateSet.objects.filter(task_id__in=task_ids)
        self._candidates = {
            (str(one.pk), candidate["box_id"]): candidate
            for one in sets.filter(pk__in=mentioned)
            for candidate in one.items
        }
        self._tasks = {
            str(pk): task_id for pk, task_id in sets.filter(pk__in=mentioned).values_list("pk", "task_id")
        }
        self._runs: dict[tuple[UUID, str], NodeRun] = {}
        for one in sets.filter(run__isnull=False).select_related("run").order_by("revision").iterator():
            for candidate in one.items:
                # A hand edit keeps the candidate's id: the first set that has it is the model's own.
                if one.run is not None:
                    self._runs.setdefault((one.task_id, candidate["box_id"]), one.run)

    def with_source(self, item: dict[str, Any]) -> dict[str, Any]:
        """The item; its source names models and versions, and whether a person changed what was proposed."""
        source = item.get("source")
        if not source:
            return {**item, "source": None}
        set_id, name = source.get("candidate_set_id"), source.get("candidate_id")
        candidate = self._candidates.get((set_id, name)) if set_id and name else None
        run = self._runs.get((self._tasks[set_id], name)) if set_id in self._tasks and name else None
        made_by = {field: getattr(run, field) if run is not None else None for field in _MADE_BY}
        return {**item, "source": {**source, **made_by, "edited": _is_edited(item, candidate)}}


def _is_edited(item: dict[str, Any], candidate: dict[str, Any] | None) -> bool:
    if candidate is None:
        return True
    geometry = item["geometry"]
    if geometry["type"] == "bbox":
        is_moved = geometry["bbox"] != candidate.get("bbox")
    elif geometry["type"] == "point":
        is_moved = [geometry["x"], geometry["y"]] != candidate.get("center")
    else:
        is_moved = True
    return bool(candidate.get("edited")) or is_moved or item.get("label") != candidate.get("label")
