"""The project's labels or shapes changed: every task asks something else than before (page 05)."""

from typing import Any

from django.db.models import F

from locks.models import TaskLock
from tasks.domain.labels import names_of
from tasks.models import Project, Task, User
from tasks.operations.events import tell_of_change
from tasks.queries.database_clock import ClockTimestamp


def changes_the_question(project: Project, wanted: dict[str, Any]) -> bool:
    """Whether `wanted` settings make the project's tasks ask something else."""
    return bool(_changed_parts(project, wanted))


def ask_anew(*, project: Project, wanted: dict[str, Any], actor: User) -> None:
    """Raise the config versions of the tasks that `wanted` concerns. The caller holds their rows.

    Older confirmations and suggestions are stale from now on. Whoever works on one of the tasks is told;
    others read the new config when they open or claim theirs.
    """
    parts = _changed_parts(project, wanted)
    if not parts:
        return
    tasks = Task.objects.filter(project=project)
    if parts == {"geometries"}:
        # A task with kinds of its own does not ask by the project's.
        tasks = tasks.filter(geometries__isnull=True)
    tasks.update(config_version=F("config_version") + 1)
    live = TaskLock.objects.filter(expire_at__gt=ClockTimestamp()).values("task_id")
    for task in tasks.filter(pk__in=live).order_by("pk"):
        tell_of_change(task=task, action="config", actor=actor)


def _changed_parts(project: Project, wanted: dict[str, Any]) -> set[str]:
    parts = set()
    if "labels" in wanted and names_of(wanted["labels"]) != names_of(project.labels):
        parts.add("labels")
    if "geometries" in wanted and set(wanted["geometries"]) != set(project.geometries):
        parts.add("geometries")
    return parts
