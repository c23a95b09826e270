"""One save of the workbench: config, candidates and draft together, all or nothing (page 05, Saving)."""

import functools
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from review.domain.config_rules import PARTS, changed_parts, check_config
from review.domain.items import KnownSources, candidate_item, check_candidates, check_draft, check_sources
from review.models import CandidateSet, Draft, Prediction
from review.operations.candidate_sets import active_set, add_set
from review.operations.drafts import allowed_geometries, picture_of, write_draft
from review.operations.lock_for_edit import lock_for_edit
from review.queries.confirmation import draft_version
from review.queries.editor_body import editor_body
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import FieldError, ValidationFailed, VersionConflict
from tasks.domain.matrix import Operation, Role
from tasks.domain.times import iso
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.events import tell_of_change
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_operation, visible_task

#: Earlier sets that are searched for a candidate that comes back.
_LOOKED_BACK = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigPart:
    """What the task should ask; only the named parts change."""

    expected_version: int
    wanted: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatesPart:
    """The complete hand-edited set; `expected_set_id` None where the task had none."""

    expected_set_id: UUID | None
    items: list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftPart:
    """The complete working copy."""

    expected_version: int
    items: list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What one request carries; None: not sent."""

    config: ConfigPart | None = None
    candidates: CandidatesPart | None = None
    draft: DraftPart | None = None


@operation
def save_editor(
    *,
    actor: User,
    task_id: UUID,
    changes: Changes,
    lock_token: int | None,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Save; the reply is {config_version, candidate_set_id, draft_version, saved_at}.

    A part that says what is already there keeps its version. Raises NotFound, RoleForbidden,
    IdempotencyConflict, LockLost, LockHeld, IllegalTransition, VersionConflict (with the editor),
    ValidationFailed (422, each field named).
    """
    snapshot = functools.partial(editor_body, task_id, viewer=actor)
    role = check_operation(
        user=actor, task=visible_task(user=actor, task_id=task_id), operation=Operation.EDIT
    )
    if (reply := known_reply(request, snapshot=snapshot)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request, snapshot=snapshot)) is not None:
        return reply
    lock_for_edit(task=task, actor=actor, role=role, lock_token=lock_token)
    _check_versions(task, changes, viewer=actor)
    if errors := _errors(task, changes):
        raise ValidationFailed(errors, status=422)
    if changes.config is not None:
        _write_config(task, changes.config, actor=actor, role=role, context=context)
    if changes.candidates is not None:
        _write_candidates(task, changes.candidates, actor=actor)
    if changes.draft is not None:
        stored = Draft.objects.filter(pk=task.pk).values_list("items", flat=True).first() or []
        if changes.draft.items != stored:
            write_draft(task=task, items=changes.draft.items, actor=actor)
    body = {
        "config_version": task.config_version,
        "candidate_set_id": str(task.active_candidate_set_id) if task.active_candidate_set_id else None,
        "draft_version": draft_version(task.pk),
        "saved_at": iso(db_now()),
    }
    return keep_reply(request, render_reply(200, body))


def _check_versions(task: Task, changes: Changes, *, viewer: User) -> None:
    """All of them before anything is written: a save never lands in halves."""
    stale = []
    if changes.config is not None and changes.config.expected_version != task.config_version:
        stale.append("config")
    if changes.candidates is not None and changes.candidates.expected_set_id != task.active_candidate_set_id:
        stale.append("candidates")
    if changes.draft is not None and changes.draft.expected_version != draft_version(task.pk):
        stale.append("draft")
    if stale:
        raise VersionConflict(
            f"Somebody or something changed this meanwhile: {', '.join(stale)}. Nothing was saved. "
            "Join your changes with the snapshot and save again.",
            failed_conditions=stale,
            snapshot=editor_body(task.pk, viewer=viewer),
        )


def _errors(task: Task, changes: Changes) -> list[FieldError]:
    found: list[FieldError] = []
    picture = picture_of(task)
    if changes.config is not None:
        found += check_config(
            changes.config.wanted,
            project_geometries=task.project.geometries,
            labels=[label["name"] for label in task.project.labels],
        )
    if changes.candidates is not None:
        found += check_candidates(changes.candidates.items, picture=picture, prefix="candidates.items")
    if changes.draft is not None:
        items = changes.draft.items
        found += check_draft(items, picture=picture, prefix="draft.items")
        found += check_sources(items, known=_known_sources(task, items), prefix="draft.items")
    return found


def _known_sources(task: Task, items: list[dict[str, Any]]) -> KnownSources:
    """Only what the items mention is read."""
    sources = [item["source"] for item in items if item.get("source")]
    sets = {source["candidate_set_id"] for source in sources} - {None}
    predictions = {source["prediction_id"] for source in sources} - {None}
    return KnownSources(
        candidates={
            str(pk): frozenset(candidate["box_id"] for candidate in stored)
            for pk, stored in CandidateSet.objects.filter(task_id=task.pk, pk__in=sets).values_list(
                "pk", "items"
            )
        },
        predictions={
            str(pk): str(set_id)
            for pk, set_id in Prediction.objects.filter(task_id=task.pk, pk__in=predictions).values_list(
                "pk", "candidate_set_id"
            )
        },
    )


def _write_config(task: Task, part: ConfigPart, *, actor: User, role: Role, context: RequestContext) -> None:
    present = {name: getattr(task, name) for name in PARTS} | {"geometries": allowed_geometries(task)}
    changed = changed_parts(present, part.wanted)
    if not changed:
        return
    version = task.config_version
    for name, value in changed.items():
        setattr(task, name, value)
    task.config_version, task.updated_at = version + 1, db_now()
    task.save(update_fields=[*changed, "config_version", "updated_at"])
    # The only record of what the question was before: confirmations copy theirs, drafts do not.
    audit_task(
        task=task,
        action="task.config",
        actor=actor,
        role=role,
        before={"config_version": version, **{name: present[name] for name in changed}},
        after={"config_version": task.config_version, **changed},
        context=context,
    )
    tell_of_change(task=task, action="config", actor=actor)


def _write_candidates(task: Task, part: CandidatesPart, *, actor: User) -> None:
    active = active_set(task)
    before = {item["box_id"]: item for item in active.items} if active else {}
    before = _earlier(task, {str(each["id"]) for each in part.items if each.get("id")} - set(before)) | before
    items = [
        candidate_item(candidate, new_id=f"box_{uuid4().hex[:12]}", before=before.get(candidate.get("id")))
        for candidate in part.items
    ]
    if items != (active.items if active else []):
        add_set(task=task, source=CandidateSet.Source.MANUAL, items=items, actor=actor)


def _earlier(task: Task, names: set[str]) -> dict[str, dict[str, Any]]:
    """Candidates of earlier sets that come back (an undo): they stay what a model found, with its figures."""
    found: dict[str, dict[str, Any]] = {}
    if not names:
        return found
    sets = CandidateSet.objects.filter(task_id=task.pk).order_by("-revision").values_list("items", flat=True)
    for items in sets[:_LOOKED_BACK]:
        for item in items:
            if item["box_id"] in names:
                found.setdefault(item["box_id"], item)
        if len(found) == len(names):
            break
    return found
