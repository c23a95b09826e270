"""A review that is going on: who has decided what so far, and whether the reader takes part."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from review.domain.quorum import Verdict, Vote, tally
from review.models import Annotation, Decision, ReviewerAssignment
from review.queries.annotation_body import decision_body
from tasks.domain.matrix import TRANSITIONS, Action, Role
from tasks.domain.statuses import Status
from tasks.models import Task, User


def decisions_of_round(task: Task, annotation: Annotation | None) -> QuerySet[Decision]:
    """The decisions that count now, oldest first: those on the newest revision, since the last submit."""
    return Decision.objects.filter(
        task_id=task.pk, annotation=annotation, round_version=task.version
    ).order_by("at", "id")


def votes_of(task: Task, decisions: Iterable[Decision]) -> list[Vote]:
    """As the quorum counts them."""
    owner = task.project.owner_id
    return [Vote(Verdict(each.verdict), by_owner=each.by_id == owner) for each in decisions]


def open_review_body(
    task: Task, newest: Annotation | None, *, viewer: User, role: Role | None
) -> dict[str, Any] | None:
    """`{required, rule, outcome, claimed, decisions}`; None out of review, and for who may not review.

    `outcome`: open, or tie where the owner's word is missing. `claimed`: the viewer has claimed this review.
    """
    if task.status != Status.REVIEW or role not in TRANSITIONS[Action.REVIEW_CLAIM].roles:
        return None
    project = task.project
    decisions = list(decisions_of_round(task, newest).select_related("by"))
    if project.required_approvals == 1:
        is_claimed = task.reviewer_id == viewer.pk
    else:
        is_claimed = ReviewerAssignment.objects.filter(task_id=task.pk, reviewer=viewer).exists()
    outcome = tally(votes_of(task, decisions), required=project.required_approvals, rule=project.review_rule)
    return {
        "required": project.required_approvals,
        "rule": project.review_rule,
        "outcome": outcome.value,
        "claimed": is_claimed,
        "decisions": [decision_body(each) for each in decisions],
    }
