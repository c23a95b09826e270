"""A task's history with what each entry led to: the confirmed revision, the remarks."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from review.models import Annotation, Decision, IgnoredReport
from tasks.domain.matrix import Role
from tasks.domain.times import iso
from tasks.models import Task, User
from tasks.queries.access import role_in
from tasks.queries.task_history import task_history

#: Revisions that get a picture of their own.
PICTURES = 40
MOST_LATE_REPORTS = 100
_SEES_LATE_REPORTS = frozenset({Role.SUPER_ADMIN, Role.PROJECT_ADMIN, Role.REVIEWER})


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One entry of the timeline; `items` are those of the revision that it confirmed."""

    at: datetime
    kind: str
    action: str
    actor: str
    reason: str
    revision: int | None
    #: Where a job or a batch stood afterwards.
    state: str
    items: list[dict[str, Any]] = field(default_factory=list)
    pins: list[str] = field(default_factory=list)


def task_timeline(*, task: Task, viewer: User) -> list[Moment]:
    """Newest first, what `viewer` may see of it. Raises RoleForbidden."""
    items = task_history(task, viewer=viewer)["items"]
    if role_in(user=viewer, project=task.project) in _SEES_LATE_REPORTS:
        # Both are in order; sorting keeps what was written at one moment together.
        items = sorted([*items, *_late_reports(task)], key=lambda item: item["at"])
    revisions = dict(
        Annotation.objects.filter(task=task).order_by("-revision").values_list("revision", "items")[:PICTURES]
    )
    remarks: dict[datetime, list[str]] = {}
    for decision in Decision.objects.filter(task=task).prefetch_related("pins"):
        remarks[decision.at] = [pin.text for pin in decision.pins.all()]
    return [_moment(item, revisions=revisions, remarks=remarks) for item in reversed(items)]


def _late_reports(task: Task) -> list[dict[str, Any]]:
    """What workers reported too late, as entries of the history: the system's doing, with why."""
    rows = IgnoredReport.objects.filter(run__task=task).select_related("run").order_by("-received_at")
    return [
        {
            "at": iso(row.received_at),
            "kind": "run",
            "action": "run.ignored",
            "actor": None,
            "reason": f"{row.run.node_type}: {row.why}",
            "after": None,
        }
        for row in rows[:MOST_LATE_REPORTS]
    ]


def _moment(
    item: dict[str, Any], *, revisions: dict[int, list[dict[str, Any]]], remarks: dict[datetime, list[str]]
) -> Moment:
    at = datetime.fromisoformat(item["at"])
    after = item["after"] if isinstance(item["after"], dict) else {}
    revision = item.get("revision")
    is_confirmation = item["action"] == "annotation.confirm"
    pins = next(
        (found for decided, found in remarks.items() if abs((decided - at).total_seconds()) < 1), []
    )  # fmt: skip
    return Moment(
        at=at,
        kind=item["kind"],
        action=item["action"],
        actor=item["actor"]["name"] if item["actor"] else "",
        reason=item["reason"],
        revision=revision,
        state=str(after.get("status", "")),
        items=revisions.get(revision, []) if is_confirmation and revision is not None else [],
        pins=pins if item["action"] in {"task.reject", "task.approve"} else [],
    )
