"""A pause as the API and the events show it."""

from typing import Any

from django.db.models import QuerySet

from review.domain.box_changes import box_changes
from review.domain.boxes import boxes_of
from review.models import CandidateSet, Intervention, Job, Pause, PolicyAct
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
    """The job's pauses with all that `past_pause_body` needs, in one query; one more where a policy acted."""
    return Pause.objects.filter(job=job).select_related(
        "consumed_by", "snapshot", "intervention__candidate_set"
    )


def past_pause_body(pause: Pause) -> dict[str, Any]:
    """As above, with who answered when, by which intervention or policy, and what it did to the boxes."""
    return {
        **pause_body(pause),
        "policy_version": pause.policy_version or None,
        "consumed_by": user_body_or_none(pause.consumed_by),
        "consumed_at": iso(pause.consumed_at),
        "intervention_id": pause.consumed_intervention or None,
        **_answer(pause),
    }


def _answer(pause: Pause) -> dict[str, Any]:
    """`outcome` and `changes`, of a person's answer or of the default that a policy declared; None for both
    where neither was given."""
    intervention: Intervention | None = getattr(pause, "intervention", None)
    if intervention is not None:
        return _told(pause, intervention.outcome, intervention.candidate_set, intervention.diff)
    if pause.policy_version:
        for act in PolicyAct.objects.filter(pause=pause).select_related("candidate_set"):
            # Putting the question to others leaves it unanswered, and its effect names no boxes.
            if "dropped" in act.effect:
                return _told(pause, act.outcome, act.candidate_set, act.effect)
    return {"outcome": None, "changes": None}


def _told(pause: Pause, outcome: str, after: CandidateSet | None, diff: dict[str, Any]) -> dict[str, Any]:
    changes = box_changes(
        shown=boxes_of(pause.snapshot.items),
        after=boxes_of(after.items) if after else [],
        dropped=diff.get("dropped", []),
    )
    return {"outcome": outcome, "changes": changes}
