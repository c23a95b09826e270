"""A pause as the API and the events show it."""

from typing import Any

from django.db.models import QuerySet

from review.domain.box_changes import box_changes
from review.domain.boxes import boxes_of
from review.models import Intervention, Job, Pause
from tasks.domain.times import iso
from tasks.queries.user_body import user_body_or_none


def pause_body(pause: Pause) -> dict[str, Any]:
    """Page 06's `active_pause`."""
    return {
        "pause_token": pause.pause_token,
        "status": pause.status,
        "stage": pause.stage,
        "round": pause.round,
        "base_version": pause.base_version,
        "snapshot_id": str(pause.snapshot_id),
        "group": pause.group,
        "created_at": iso(pause.created_at),
        "problems": pause.problems,
    }


def past_pauses(job: Job) -> QuerySet[Pause]:
    """The job's pauses with all that `past_pause_body` needs, in one query."""
    return Pause.objects.filter(job=job).select_related(
        "consumed_by", "snapshot", "intervention__candidate_set"
    )


def past_pause_body(pause: Pause) -> dict[str, Any]:
    """As above, with who answered when, by which intervention, and what it did to the boxes."""
    return {
        **pause_body(pause),
        "policy_version": pause.policy_version or None,
        "consumed_by": user_body_or_none(pause.consumed_by),
        "consumed_at": iso(pause.consumed_at),
        "intervention_id": pause.consumed_intervention or None,
        **_answer(pause),
    }


def _answer(pause: Pause) -> dict[str, Any]:
    """`outcome` and `changes`; None for both where no person has answered."""
    intervention: Intervention | None = getattr(pause, "intervention", None)
    if intervention is None:
        return {"outcome": None, "changes": None}
    after = intervention.candidate_set
    changes = box_changes(
        shown=boxes_of(pause.snapshot.items),
        after=boxes_of(after.items) if after else [],
        dropped=intervention.diff.get("dropped", []),
    )
    return {"outcome": intervention.outcome, "changes": changes}
