"""A task's history as one line of time: acts, jobs, panels, revisions and decisions."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from review.models import Annotation, Decision, Job, Pause
from tasks.models import AuditEntry, Task, User

ENTRIES = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One entry; `kind` is act, job, pause, revision or decision."""

    at: datetime
    kind: str
    action: str
    actor: str
    reason: str = ""
    number: int | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    items: list[dict[str, Any]] = field(default_factory=list)


def task_history(*, task: Task, with_locks: bool) -> list[Moment]:
    """Newest first. `with_locks`: lock acts too. Six statements, whatever the task went through."""
    entries = AuditEntry.objects.filter(task_id=task.pk).order_by("-number")
    if not with_locks:
        entries = entries.exclude(action__startswith="lock.")
    acts = list(entries[:ENTRIES])
    people = _names({entry.actor_id for entry in acts if entry.actor_id})
    moments = [
        Moment(
            at=entry.at,
            kind="act",
            action=entry.action,
            actor=people.get(entry.actor_id, entry.actor_name) if entry.actor_id else "",
            reason=entry.reason,
            number=entry.number,
            facts={"before": entry.before, "after": entry.after, "role": entry.role},
        )
        for entry in acts
    ]
    moments += _jobs(task) + _pauses(task) + _revisions(task) + _decisions(task)
    # Of one transaction, the act stands first and what it made after it.
    return sorted(moments, key=lambda moment: (moment.at, moment.kind != "act"), reverse=True)


def _names(ids: set[UUID]) -> dict[UUID, str]:
    return {user.pk: user.name for user in User.objects.filter(pk__in=ids)}


def _jobs(task: Task) -> list[Moment]:
    return [
        Moment(
            at=job.ended_at,
            kind="job",
            action=job.status,
            actor="",
            reason=str((job.failure or {}).get("message", "")),
        )
        for job in Job.objects.filter(task=task, ended_at__isnull=False).order_by("-pk")[:50]
        if job.ended_at is not None
    ]


def _pauses(task: Task) -> list[Moment]:
    pauses = Pause.objects.filter(job__task=task).order_by("-created_at")[:50]
    return [
        Moment(at=pause.created_at, kind="pause", action=pause.stage, actor="", number=pause.round)
        for pause in pauses
    ]


def _revisions(task: Task) -> list[Moment]:
    annotations = Annotation.objects.filter(task=task).select_related("confirmed_by").order_by("-revision")[:50]
    return [
        Moment(
            at=annotation.confirmed_at,
            kind="revision",
            action="annotation.confirm",
            actor=annotation.confirmed_by.name,
            number=annotation.revision,
            items=annotation.items,
        )
        for annotation in annotations
    ]


def _decisions(task: Task) -> list[Moment]:
    decisions = Decision.objects.filter(task=task).select_related("by", "annotation").prefetch_related("pins")
    return [
        Moment(
            at=decision.at,
            kind="decision",
            action=decision.verdict,
            actor=decision.by.name,
            reason=decision.reason,
            number=decision.annotation.revision if decision.annotation else None,
            facts={"override": decision.override_reason, "pins": [pin.text for pin in decision.pins.all()]},
        )
        for decision in decisions.order_by("-at")[:50]
    ]
