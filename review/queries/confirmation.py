"""The two facts about a task's confirmation, never one flag (page 05)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from review.domain.marks import last_restored_at
from review.models import Annotation, Draft, ReviewMarkChange
from tasks.models import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """What stands confirmed of a task."""

    #: The newest revision, stale or not.
    newest: Annotation | None
    #: A confirmation that is valid for the present config exists.
    has_confirmed_snapshot: bool
    #: And the draft has not changed since.
    is_confirmed: bool


def confirmation_of(task: Task) -> Confirmation:
    """Read them now; inside a transaction that holds the task's row lock they stay true until its end."""
    newest = Annotation.objects.filter(task_id=task.pk).order_by("-revision").first()
    is_valid = newest is not None and bool(standing([(task, newest)]))
    return Confirmation(
        newest=newest,
        has_confirmed_snapshot=is_valid,
        is_confirmed=is_valid and newest is not None and newest.draft_version == draft_version(task.pk),
    )


def standing(pairs: Iterable[tuple[Task, Annotation]]) -> set[UUID]:
    """The tasks whose revision stands: the question is still the confirmed one, and the sample was not put
    aside and restored since. One statement, however many there are."""
    asked = [(task, one) for task, one in pairs if one.config_version == task.config_version]
    marks: dict[UUID, list[tuple[str, datetime]]] = {}
    changes = ReviewMarkChange.objects.filter(task_id__in=[task.pk for task, _ in asked]).order_by("version")
    for task_id, mark, at in changes.values_list("task_id", "mark", "at"):
        marks.setdefault(task_id, []).append((mark, at))
    restored = {task_id: last_restored_at(changed) for task_id, changed in marks.items()}
    return {
        task.pk for task, one in asked if (since := restored.get(task.pk)) is None or one.confirmed_at > since
    }


def draft_version(task_id: UUID) -> int:
    """The draft's version; 0 where nothing was saved yet."""
    return Draft.objects.filter(task_id=task_id).values_list("version", flat=True).first() or 0
