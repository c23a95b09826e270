"""The review queue as cards: the picture with its boxes, and why it stands where it stands."""

from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from review.models import Annotation, Decision
from review.queries.review_queue import Need, by_need, need_of
from tasks.domain.statuses import Status
from tasks.models import Project, Task, User
from tasks.queries.task_body import with_facts

SHOWN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """An item as SVG draws it, in pixels: `points` of a polygon, `box` {x, y, width, height} or {x, y}."""

    kind: str
    color: str
    label: str
    points: str = ""
    box: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCard:
    """A task in review."""

    task: Task
    annotation: Annotation | None
    shapes: list[Shape]
    by_hand: int
    #: Why it stands here: keys that the template has words for, most telling first.
    reasons: list[str]
    rejections: int
    is_own: bool
    #: Somebody else is in it now.
    holder: str = ""


def ordered_queue(*, project: Project, viewer: User) -> QuerySet[Task]:
    """Tasks in review that `viewer` sees, those that need a person most first (page 05, Review queue)."""
    return by_need(Task.objects.visible_to(viewer).filter(project=project, status=Status.REVIEW))


def review_cards(*, project: Project, viewer: User) -> tuple[list[ReviewCard], int]:
    """The first SHOWN cards and the number of all. Four statements."""
    queue = ordered_queue(project=project, viewer=viewer)
    newest = (
        Annotation.objects.select_related("confirmed_by").order_by("task_id", "-revision").distinct("task_id")
    )
    tasks = list(
        with_facts(queue, viewer=viewer)
        .select_related("submitted_by")
        .annotate(rejections=Count("decisions", filter=Q(decisions__verdict=Decision.Verdict.REJECT)))
        .prefetch_related(Prefetch("annotations", queryset=newest, to_attr="newest_annotations"))[:SHOWN]
    )
    return [_card(task, viewer=viewer, project=project) for task in tasks], queue.count()


def shapes_of(items: list[dict[str, Any]], *, project: Project) -> list[Shape]:
    """The items as SVG draws them, in the colours of the project's labels."""
    colours = {str(label.get("name")): str(label.get("color") or "") for label in project.labels}
    return [shape for shape in (_shape(item, colours) for item in items) if shape]


def _card(task: Task, *, viewer: User, project: Project) -> ReviewCard:
    annotations: list[Annotation] = getattr(task, "newest_annotations", [])
    annotation = annotations[0] if annotations else None
    items: list[dict[str, Any]] = annotation.items if annotation else []
    lock = getattr(task, "lock", None)
    is_held = lock is not None and lock.expire_at > getattr(task, "seen_at") and lock.user_id != viewer.pk  # noqa: B009
    rejections: int = getattr(task, "rejections", 0)
    return ReviewCard(
        task=task,
        annotation=annotation,
        shapes=shapes_of(items, project=project),
        by_hand=sum(1 for item in items if not item.get("source")),
        reasons=_reasons(task, rejections=rejections, items=items),
        rejections=rejections,
        is_own=annotation is not None and annotation.confirmed_by_id == viewer.pk,
        holder=lock.user.name if is_held and lock is not None else "",
    )


def _reasons(task: Task, *, rejections: int, items: list[dict[str, Any]]) -> list[str]:
    """The queue's own reason first; "age" says nothing that the time on the card does not say."""
    need = need_of(task)
    found = [] if need is Need.AGE else [need.reason]
    if rejections:
        found.append("sent_back")
    if not items:
        found.append("empty")
    return found or ["oldest"]


def _shape(item: dict[str, Any], colours: dict[str, str]) -> Shape | None:
    geometry: dict[str, Any] = item.get("geometry") or {}
    label = str(item.get("label") or "")
    color = colours.get(label) or "#7cc4ff"
    kind = str(geometry.get("type"))
    if kind == "bbox":
        x1, y1, x2, y2 = geometry["bbox"]
        return Shape(
            kind=kind, color=color, label=label, box=_numbers(x=x1, y=y1, width=x2 - x1, height=y2 - y1)
        )
    if kind == "polygon":
        points = " ".join(f"{x:g},{y:g}" for x, y in geometry["points"])
        return Shape(kind=kind, color=color, label=label, points=points)
    if kind == "point":
        return Shape(kind=kind, color=color, label=label, box=_numbers(x=geometry["x"], y=geometry["y"]))
    return None


def _numbers(**values: float) -> dict[str, str]:
    # As text: a template would write 0.5 as 0,5 in some languages.
    return {name: f"{value:g}" for name, value in values.items()}
