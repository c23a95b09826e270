"""Apply a prediction: the chosen candidates of its set become the draft (page 05, Applying)."""

from typing import Any
from uuid import UUID

from review.domain.apply_errors import StalePrediction
from review.domain.items import geometry_of, shown_candidate
from review.models import CandidateSet, Prediction
from review.operations.drafts import allowed_geometries, picture_of, source_of, write_draft
from review.operations.lock_for_edit import lock_for_edit
from review.queries.confirmation import draft_version
from review.queries.editor_body import editor_body, stale_conditions
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import NotFound
from tasks.domain.matrix import Operation
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import operation
from tasks.queries.access import check_operation, visible_task


@operation
def apply_prediction(
    *,
    actor: User,
    prediction_id: UUID,
    expected_draft_version: int,
    lock_token: int | None,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Apply; the reply is the editor. Nothing is confirmed by it.

    Raises NotFound, RoleForbidden, IdempotencyConflict, LockLost, LockHeld, IllegalTransition,
    StalePrediction (with failed_conditions and the editor).
    """
    task_id = Prediction.objects.filter(pk=prediction_id).values_list("task_id", flat=True).first()
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
    prediction = Prediction.objects.select_related("candidate_set").get(pk=prediction_id)
    failed = stale_conditions(prediction, task=task)
    if expected_draft_version != draft_version(task.pk):
        failed.append("draft_version")
    if failed:
        raise StalePrediction(
            "What this suggestion was made for has changed. Ask for a new one, or choose by hand.",
            failed_conditions=failed,
            snapshot=editor_body(task.pk, viewer=actor),
        )
    items = _chosen(task, prediction, prediction.candidate_set)
    draft = write_draft(task=task, items=items, actor=actor)
    audit_task(
        task=task,
        action="prediction.apply",
        actor=actor,
        role=role,
        before={"draft_version": expected_draft_version},
        after={"draft_version": draft.version, "prediction": str(prediction.pk), "items": len(items)},
        context=context,
    )
    return keep_reply(request, render_reply(200, editor_body(task.pk, viewer=actor)))


def _chosen(task: Task, prediction: Prediction, chosen_from: CandidateSet) -> list[dict[str, Any]]:
    """The selected candidates in their order; coordinates come from the set by id, never from the model."""
    by_id = {item["box_id"]: shown_candidate(item) for item in chosen_from.items}
    geometries, picture = allowed_geometries(task), picture_of(task)
    items = []
    for name in prediction.selected_ids:
        geometry = geometry_of(by_id[name], geometries=geometries, picture=picture)
        if geometry is not None:
            items.append(
                {
                    "id": name,
                    "label": by_id[name]["label"],
                    "geometry": geometry,
                    "source": source_of(chosen_from.pk, name, prediction.pk),
                }
            )
    if task.selection_mode == Task.SelectionMode.ORDERED:
        items = [{**item, "order": place} for place, item in enumerate(items, start=1)]
    return items
