"""A task's history with what each entry led to: the confirmed revision, the remarks."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from review.models import Annotation, Decision
from tasks.models import Task, User
from tasks.queries.task_history import task_history

#: Revisions that get a picture of their own.
PICTURES = 40


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
    revisions = dict(
        Annotation.objects.filter(task=task).order_by("-revision").values_list("revision", "items")[:PICTURES]
    )
    remarks: dict[datetime, list[str]] = {}
    for decision in Decision.objects.filter(task=task).prefetch_related("pins"):
        remarks[decision.at] = [pin.text for pin in decision.pins.all()]
    return [_moment(item, revisions=revisions, remarks=remarks) for item in reversed(items)]


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
