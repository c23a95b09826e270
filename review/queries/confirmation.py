"""The two facts about a task's confirmation, never one flag (page 05)."""

from dataclasses import dataclass
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
    is_valid = newest is not None and stands(newest, config_version=task.config_version)
    return Confirmation(
        newest=newest,
        has_confirmed_snapshot=is_valid,
        is_confirmed=is_valid and newest is not None and newest.draft_version == draft_version(task.pk),
    )


def stands(annotation: Annotation, *, config_version: int) -> bool:
    """Whether the question is still the confirmed one and the sample was not put aside and restored since."""
    if annotation.config_version != config_version:
        return False
    restored = last_restored_at(
        list(
            ReviewMarkChange.objects.filter(task_id=annotation.task_id)
            .order_by("version")
            .values_list("mark", "at")
        )
    )
    return restored is None or annotation.confirmed_at > restored


def draft_version(task_id: UUID) -> int:
    """The draft's version; 0 where nothing was saved yet."""
    return Draft.objects.filter(task_id=task_id).values_list("version", flat=True).first() or 0
