"""Apply a region's preview: add, replace, or move one point; all of it or nothing, and once."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from review.domain.apply_errors import AlreadyApplied, StaleRegion
from review.domain.items import geometry_of
from review.domain.region_rules import check_replacements, joined_set, moved_point
from review.models import CandidateSet, Draft, RegionResult
from review.operations.candidate_sets import active_set, add_set
from review.operations.drafts import picture_of, source_of, write_draft
from review.operations.lock_for_edit import lock_for_edit
from review.queries.editor_body import editor_body
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import FieldError, NotFound, ValidationFailed
from tasks.domain.matrix import Operation
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_operation, visible_task


@operation
def apply_region(
    *,
    actor: User,
    region_id: UUID,
    add: Sequence[str],
    replace: Mapping[str, str],
    move_item: Mapping[str, str] | None,
    expected_draft_version: int | None,
    lock_token: int | None,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Apply; the reply is the editor. `move_item`: {item_id, candidate_id}, which needs the draft's version.

    Raises NotFound, RoleForbidden, IdempotencyConflict, LockLost, LockHeld, IllegalTransition,
    AlreadyApplied, StaleRegion (both with failed_conditions and the editor), ValidationFailed (422).
    """
    task_id = RegionResult.objects.filter(pk=region_id).values_list("task_id", flat=True).first()
    if task_id is None:
        raise NotFound
    role = check_operation(
        user=actor, task=visible_task(user=actor, task_id=task_id), operation=Operation.EDIT
    )
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    lock_for_edit(task=task, actor=actor, role=role, lock_token=lock_token)
    region = RegionResult.objects.select_for_update(no_key=True, of=("self",)).get(pk=region_id)
    draft = Draft.objects.filter(pk=task.pk).first() or Draft(task_id=task.pk, version=0, items=[])
    _check_current(task, region, draft, expected_draft_version=expected_draft_version, actor=actor)
    active = active_set(task)
    present: list[dict[str, Any]] = active.items if active else []
    found = {item["id"]: as_box(item) for item in region.items}
    errors = check_replacements(
        add=add,
        replace=replace,
        found=found,
        present={item["box_id"]: item for item in present},
        region=region.region,
    ) + _move_errors(draft, found, move_item, expected_draft_version)
    if not (add or replace or move_item):
        errors.append(FieldError("add", "Choose what to add, replace or move.", "required"))
    if errors:
        raise ValidationFailed(errors, status=422)
    if add or replace:
        items = joined_set(present, add=add, replace=replace, found=found)
        add_set(task=task, source=CandidateSet.Source.REGION, items=items, actor=actor, run_id=region.run_id)
    if move_item is not None:
        _move(
            task, draft, found[move_item["candidate_id"]], move_item, {*add, *replace.values()}, actor=actor
        )
    RegionResult.objects.filter(pk=region.pk).update(
        applied_at=db_now(), applied_by_request=request.key or "without an id"
    )
    audit_task(
        task=task,
        action="region.apply",
        actor=actor,
        role=role,
        before={"candidate_set": str(active.pk) if active else None, "draft_version": draft.version},
        after={
            "candidate_set": str(task.active_candidate_set_id) if task.active_candidate_set_id else None,
            "region": str(region.pk),
            "add": list(add),
            "replace": dict(replace),
            "move_item": dict(move_item) if move_item else None,
        },
        context=context,
    )
    return keep_reply(request, render_reply(200, editor_body(task.pk, viewer=actor)))


def as_box(item: Mapping[str, Any]) -> dict[str, Any]:
    """A preview's candidate as a set stores it; its id carries the run, so it collides with none."""
    return {
        "box_id": item["id"],
        "label": item.get("label"),
        "bbox": item.get("bbox"),
        "center": item["center"],
        "score": item.get("score"),
        "source": "model",
        "edited": False,
        "target_policy": "segment",
        "detector": item.get("detector"),
        "alternatives": item.get("alternatives", []),
    }


def _check_current(
    task: Task, region: RegionResult, draft: Draft, *, expected_draft_version: int | None, actor: User
) -> None:
    if region.applied_at is not None:
        raise AlreadyApplied(
            "This preview was applied before. Detect the region again to apply more of it.",
            failed_conditions=["applied_once"],
            snapshot=editor_body(task.pk, viewer=actor),
        )
    failed = []
    if region.base_set_id != task.active_candidate_set_id:
        failed.append("candidate_set")
    if region.config_version != task.config_version:
        failed.append("config_version")
    if expected_draft_version is not None and expected_draft_version != draft.version:
        failed.append("draft_version")
    if failed:
        raise StaleRegion(
            "What this preview was made for has changed. Detect the region again.",
            failed_conditions=failed,
            snapshot=editor_body(task.pk, viewer=actor),
        )


def _move_errors(
    draft: Draft,
    found: Mapping[str, Any],
    move_item: Mapping[str, str] | None,
    expected_draft_version: int | None,
) -> list[FieldError]:
    if move_item is None:
        return []
    errors = []
    if expected_draft_version is None:
        message = "Moving an item needs the draft's version."
        errors.append(FieldError("expected_draft_version", message, "required"))
    item = next((item for item in draft.items if item["id"] == move_item["item_id"]), None)
    if item is None:
        errors.append(FieldError("move_item.item_id", "The draft has no such item.", "unknown"))
    elif item["geometry"]["type"] != "point":
        errors.append(FieldError("move_item.item_id", "Only a point can be moved this way.", "not_a_point"))
    if move_item["candidate_id"] not in found:
        errors.append(FieldError("move_item.candidate_id", "The preview has no such candidate.", "unknown"))
    return errors


def _move(
    task: Task,
    draft: Draft,
    candidate: Mapping[str, Any],
    move_item: Mapping[str, str],
    joined: set[str],
    *,
    actor: User,
) -> None:
    """The source names the new set where the candidate has become part of it, else the candidate alone."""
    name = move_item["candidate_id"]
    source = source_of(task.active_candidate_set_id if name in joined else None, name)
    geometry = geometry_of(candidate, geometries=["point"], picture=picture_of(task))
    assert geometry is not None, "every candidate has a centre"
    items = moved_point(draft.items, item_id=move_item["item_id"], geometry=geometry, source=source)
    write_draft(task=task, items=items, actor=actor)
