"""What a task asks (its config): which changes are acceptable, and which are changes at all."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tasks.domain.errors import FieldError
from tasks.domain.question import check_question

#: The parts of the config that belong to the task; labels belong to the project.
PARTS: Final = ("question", "selection_mode", "targets", "geometries")


def check_config(
    wanted: Mapping[str, Any],
    *,
    project_geometries: Sequence[str],
    labels: Sequence[str],
    prefix: str = "config",
) -> list[FieldError]:
    """Everything that keeps `wanted` from being a task's config."""
    found = check_question(
        question=wanted.get("question") or "", targets=wanted.get("targets") or [], prefix=f"{prefix}."
    )
    if (geometries := wanted.get("geometries")) is not None:
        foreign = [kind for kind in geometries if kind not in project_geometries]
        if not geometries:
            found.append(FieldError(f"{prefix}.geometries", "Allow at least one kind of shape.", "required"))
        elif foreign:
            message = f"The project does not take {', '.join(foreign)}. Change the project's settings first."
            found.append(FieldError(f"{prefix}.geometries", message, "not_allowed"))
    if (named := wanted.get("labels")) is not None and list(named) != list(labels):
        message = "Labels belong to the project. Change them in its settings."
        found.append(FieldError(f"{prefix}.labels", message, "read_only"))
    return found


def changed_parts(present: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of `wanted` that differ from `present`; empty where the config keeps its version."""
    return {name: wanted[name] for name in PARTS if name in wanted and wanted[name] != present[name]}
