"""Policies that a project declared a while ago, and pauses that have waited since."""

from datetime import timedelta
from typing import Any

from review.models import Job, Pause
from review.operations.sweep_pauses import Swept, sweep_pauses
from tasks.domain.policies import PolicyKind
from tasks.models import ProjectPolicy
from tasks.operations.transactions import db_now
from tests.support.pipeline import House

HOUR, DAY = 3600, 24 * 3600
TERMS: dict[PolicyKind, dict[str, Any]] = {
    PolicyKind.ROUTING: {"threshold": 0.7, "calibration": "400 pictures, one wrong", "below": "ask"},
    PolicyKind.TIMEOUT_DEFAULT: {
        "after_seconds": HOUR,
        "answer": "keep_shown",
        "authorisation": "Olga: catalogue pictures, low risk",
    },
    PolicyKind.TIMEOUT_TO_QUEUE: {"after_seconds": HOUR, "group": "reviewers"},
}


def declared(
    house: House, kind: PolicyKind, *, is_on: bool = True, seconds_ago: float = 2 * DAY, **terms: Any
) -> ProjectPolicy:
    """The next version of this kind, declared so long ago by the owner."""
    last = ProjectPolicy.objects.filter(project=house.project, kind=kind).count()
    return ProjectPolicy.objects.create(
        project=house.project,
        kind=kind,
        version=last + 1,
        is_on=is_on,
        created_by=house.olga,
        created_at=db_now() - timedelta(seconds=seconds_ago),
        **(TERMS[kind] | terms),
    )


def waited(job: Job, seconds: float) -> None:
    """As if the job's pause had begun so long ago."""
    began = db_now() - timedelta(seconds=seconds)
    assert Pause.objects.filter(job=job, status="WAITING").update(created_at=began) == 1


def counts(swept: Swept) -> tuple[int, int, int, int]:
    """(answered, put to others, left, failed)."""
    return swept.answered, swept.passed_on, swept.left, swept.failed


def sweep() -> tuple[int, int, int, int]:
    """One sweep, in figures."""
    return counts(sweep_pauses())
