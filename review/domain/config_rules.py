"""What a task asks (its config): which changes are acceptable, and which are changes at all."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from review.domain.items import LONGEST_LABEL
from tasks.domain.errors import FieldError

#: The parts of the config that belong to the task; labels belong to the project.
PARTS: Final = ("question", "selection_mode", "targets", "geometries")
MOST_TARGETS: Final = 64
LONGEST_QUESTION: Final = 2_000


def check_config(
    wanted: Mapping[str, Any],
    *,
    project_geometries: Sequence[str],
    labels: Sequence[str],
    prefix: str = "config",
) -> list[FieldError]:
    """Everything that keeps `wanted` from being a task's config."""
    found: list[FieldError] = []
    if len(wanted.get("question") or "") > LONGEST_QUESTION:
        found.append(FieldError(f"{prefix}.question", f"At most {LONGEST_QUESTION} characters.", "too_long"))
    targets = wanted.get("targets") or []
    if len(targets) > MOST_TARGETS:
        found.append(FieldError(f"{prefix}.targets", f"At most {MOST_TARGETS} targets.", "too_many"))
    for number, target in enumerate(targets):
        if not target.strip():
            found.append(FieldError(f"{prefix}.targets.{number}", "A target needs a name.", "blank"))
        elif len(target) > LONGEST_LABEL:
            message = f"A target has at most {LONGEST_LABEL} characters."
            found.append(FieldError(f"{prefix}.targets.{number}", message, "too_long"))
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
