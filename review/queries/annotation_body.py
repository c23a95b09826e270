"""An annotation as the API shows it."""

from collections.abc import Iterable
from typing import Any

from review.models import Annotation, Decision
from tasks.domain.times import iso
from tasks.queries.user_body import user_body


def annotation_body(annotation: Annotation, *, decisions: Iterable[Decision] = ()) -> dict[str, Any]:
    """A revision with its items and the decisions on it."""
    return {
        "id": str(annotation.pk),
        "task_id": str(annotation.task_id),
        "revision": annotation.revision,
        "question": annotation.question,
        "selection_mode": annotation.selection_mode,
        "targets": annotation.targets,
        "config_version": annotation.config_version,
        "draft_version": annotation.draft_version,
        "candidate_set_id": str(annotation.candidate_set_id) if annotation.candidate_set_id else None,
        "items": annotation.items,
        "confirmed_by": user_body(annotation.confirmed_by),
        "confirmed_at": iso(annotation.confirmed_at),
        "decisions": [decision_body(decision) for decision in decisions],
    }


def decision_body(decision: Decision) -> dict[str, Any]:
    """One reviewer's decision."""
    return {
        "id": str(decision.pk),
        "decision": decision.verdict,
        "reason": decision.reason,
        "override_reason": decision.override_reason,
        "by": user_body(decision.by),
        "at": iso(decision.at),
    }
