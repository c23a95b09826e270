"""Writing the draft: the one mutable working copy. Callers hold the task's row lock, and have checked the
task's lock where a person writes (I2)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from review.domain.items import Picture, geometry_of, shown_candidate
from review.models import Draft, Job
from tasks.domain.event_types import DraftSaved
from tasks.models import Task, User
from tasks.operations.events import append_event
from tasks.operations.transactions import db_now
from tasks.queries.user_body import user_body


def write_draft(*, task: Task, items: list[dict[str, Any]], actor: User | None) -> Draft:
    """Replace the draft's items and raise its version; `actor` None is a job's result."""
    now = db_now()
    draft = Draft.objects.filter(pk=task.pk).first() or Draft(task_id=task.pk, version=0)
    draft.version += 1
    draft.items = items
    draft.updated_by = actor
    draft.updated_at = now
    draft.save()
    if actor is not None:
        Task.objects.filter(pk=task.pk).update(last_worked_at=now, updated_at=now)
        task.last_worked_at, task.updated_at = now, now
    append_event(
        task=task, data=DraftSaved(draft_version=draft.version, by=user_body(actor) if actor else None)
    )
    return draft


def apply_boxes_if_untouched(*, task: Task, job: Job, boxes: Sequence[dict[str, Any]]) -> bool:
    """A job ended with approved boxes: they become the draft's items, unconfirmed and with their sources.

    Only where the draft is as it was when the job began (page 04); otherwise they wait as a result to apply
    and this returns False.
    """
    version = Draft.objects.filter(pk=task.pk).values_list("version", flat=True).first() or 0
    if version != job.draft_version_at_start:
        return False
    geometries, picture = allowed_geometries(task), picture_of(task)
    items = [
        {
            "id": box["box_id"],
            "label": label_of(box.get("label"), task=task),
            "geometry": geometry,
            # A box drawn by hand is the person's own: it names no model as where it comes from.
            **(
                {"source": source_of(job.approved_box_list_id, box["box_id"])}
                if box.get("source") == "model"
                else {}
            ),
        }
        for box in boxes
        if (geometry := geometry_of(shown_candidate(box), geometries=geometries, picture=picture)) is not None
    ]
    if not items:
        return False
    write_draft(task=task, items=items, actor=None)
    return True


def allowed_geometries(task: Task) -> list[str]:
    """The task's kinds of shapes: its own, or the project's."""
    chosen = task.geometries if task.geometries is not None else task.project.geometries
    return [str(kind) for kind in chosen]


def picture_of(task: Task) -> Picture:
    """The size that the task's coordinates have to fit."""
    assert task.asset is not None, "only a task that is still being uploaded has no picture"
    return Picture(width=task.asset.width, height=task.asset.height)


def label_of(label: str | None, *, task: Task) -> str | None:
    """A model's class, or a person's spelling, as the project's label: by name, else by alias, in any case.

    A foreign one is kept as it is. Validation takes a label in any case for the project's own, so an item
    that kept another spelling could pass it and never be confirmed.
    """
    labels = task.project.labels
    if label is None or any(label == known["name"] for known in labels):
        return label
    folded = label.strip().casefold()
    by_alias = [(alias, known) for known in labels for alias in known.get("aliases", [])]
    for spelling, known in [*((known["name"], known) for known in labels), *by_alias]:
        if folded == str(spelling).strip().casefold():
            return str(known["name"])
    return label


def source_of(set_id: UUID | None, candidate_id: str, prediction_id: UUID | None = None) -> dict[str, Any]:
    """Where an item comes from, as items store it."""
    return {
        "candidate_set_id": str(set_id) if set_id else None,
        "candidate_id": candidate_id,
        "prediction_id": str(prediction_id) if prediction_id else None,
    }
