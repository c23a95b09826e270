"""A pause as the API and the events show it."""

from typing import Any

from review.models import Pause
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


def past_pause_body(pause: Pause) -> dict[str, Any]:
    """As above, with who answered when and by which intervention."""
    return {
        **pause_body(pause),
        "policy_version": pause.policy_version or None,
        "consumed_by": user_body_or_none(pause.consumed_by),
        "consumed_at": iso(pause.consumed_at),
        "intervention_id": pause.consumed_intervention or None,
    }
