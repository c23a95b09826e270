"""Everything the workbench needs of a task, in one body (page 06, Editor)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from review.domain.items import is_as_proposed, shown_candidate
from review.models import Annotation, CandidateSet, Draft, Prediction, ReviewMarkChange
from review.queries.annotation_body import annotation_body
from review.queries.confirmation import confirmation_of
from review.queries.job_body import job_body
from review.queries.open_review import open_review_body
from tasks.domain.matrix import Role
from tasks.domain.times import iso
from tasks.models import Task, User
from tasks.queries.access import role_in
from tasks.queries.lock_body import live_lock, lock_body
from tasks.queries.reopening import reopening_body
from tasks.queries.task_body import task_body
from tasks.queries.user_body import user_body


def editor_body(task_id: UUID, *, viewer: User) -> dict[str, Any]:
    """The editor of a task that the caller has checked `viewer` may see.

    A viewer of the project sees confirmed work only (page 03): the newest revision stands in for the draft,
    and candidates, predictions and jobs are left out.
    """
    task = Task.objects.select_related("project").get(pk=task_id)
    shown = task_body(task_id, viewer=viewer)
    confirmation = confirmation_of(task)
    newest = confirmation.newest
    role = role_in(user=viewer, project=task.project)
    sees_drafts = role != Role.VIEWER
    lock = live_lock(task_id)
    draft = draft_body(task_id) if sees_drafts else _confirmed_as_draft(newest)
    return {
        "task": shown,
        "config": shown["config"],
        "candidates": candidates_body(task, items=draft["items"], active=sees_drafts),
        "draft": draft,
        "prediction": prediction_body(task) if sees_drafts else None,
        "annotation": annotation_body(newest) if newest else None,
        "has_confirmed_snapshot": confirmation.has_confirmed_snapshot,
        "is_confirmed": confirmation.is_confirmed,
        "lock": lock_body(lock) if lock else None,
        "job": job_body(task.job_id) if task.job_id and sees_drafts else None,
        "mark": mark_body(task),
        "review": open_review_body(task, newest, viewer=viewer, role=role),
        "reopened": reopening_body(task),
    }


def candidates_body(task: Task, *, items: Sequence[dict[str, Any]], active: bool = True) -> dict[str, Any]:
    """The active set; revision 0 and no id where the task has none yet, or where it is not to be shown.

    `proposed`: what a model found and no person has changed in the list, of the active set and of the sets
    that `items` name as their source. A candidate means something only together with its set: an item is as
    the model proposed it when it is like one of these, however often the candidates were replaced since.
    """
    nothing: dict[str, Any] = {"set_id": None, "revision": 0, "items": [], "proposed": []}
    named = {
        (str(source["candidate_set_id"]), str(source.get("candidate_id")))
        for item in items
        if (source := item.get("source")) and source.get("candidate_set_id")
    }
    shown = task.active_candidate_set_id if active else None
    wanted = {set_id for set_id, _ in named} | ({str(shown)} if shown else set())
    if not wanted:
        return nothing
    sets = list(CandidateSet.objects.filter(task_id=task.pk, pk__in=wanted))
    proposed = [
        {"set_id": str(each.pk), **shown_candidate(item)}
        for each in sets
        for item in each.items
        if is_as_proposed(item) and (each.pk == shown or (str(each.pk), item["box_id"]) in named)
    ]
    found = next((each for each in sets if each.pk == shown), None)
    if found is None:
        return {**nothing, "proposed": proposed}
    return {
        "set_id": str(found.pk),
        "revision": found.revision,
        "items": [shown_candidate(item) for item in found.items],
        "proposed": proposed,
    }


def draft_body(task_id: UUID) -> dict[str, Any]:
    """The working copy; version 0 where nothing was saved yet."""
    draft = Draft.objects.select_related("updated_by").filter(pk=task_id).first()
    if draft is None:
        return {"version": 0, "items": [], "updated_by": None, "updated_at": None}
    return {
        "version": draft.version,
        "items": draft.items,
        "updated_by": user_body(draft.updated_by) if draft.updated_by else None,
        "updated_at": iso(draft.updated_at),
    }


def prediction_body(task: Task) -> dict[str, Any] | None:
    """The newest prediction, with what makes it stale named."""
    found = Prediction.objects.filter(task_id=task.pk).order_by("-id").first()
    if found is None:
        return None
    return {
        "id": str(found.pk),
        "candidate_set_id": str(found.candidate_set_id),
        "config_version": found.config_version,
        "selected_ids": found.selected_ids,
        "evidence": found.evidence,
        "warnings": found.warnings,
        "applicable": found.applicable,
        "failed_conditions": stale_conditions(found, task=task),
        "created_at": iso(found.created_at),
    }


def stale_conditions(prediction: Prediction, *, task: Task) -> list[str]:
    """Which conditions for applying do not hold now (the draft's version is the caller's to compare)."""
    failed = []
    if prediction.candidate_set_id != task.active_candidate_set_id:
        failed.append("candidate_set")
    if prediction.config_version != task.config_version:
        failed.append("config_version")
    if not prediction.applicable:
        failed.append("applicable")
    return failed


def mark_body(task: Task) -> dict[str, Any]:
    """The mark with its own version; 0 where it was never changed."""
    newest = (
        ReviewMarkChange.objects.select_related("by").filter(task_id=task.pk).order_by("-version").first()
    )
    if newest is None:
        return {"mark": task.mark, "reason": "", "note": "", "version": 0, "by": None, "at": None}
    return {
        "mark": newest.mark,
        "reason": newest.reason,
        "note": newest.note,
        "version": newest.version,
        "by": user_body(newest.by) if newest.by else None,
        "at": iso(newest.at),
    }


def _confirmed_as_draft(newest: Annotation | None) -> dict[str, Any]:
    if newest is None:
        return {"version": 0, "items": [], "updated_by": None, "updated_at": None}
    return {
        "version": newest.draft_version,
        "items": newest.items,
        "updated_by": user_body(newest.confirmed_by),
        "updated_at": iso(newest.confirmed_at),
    }
