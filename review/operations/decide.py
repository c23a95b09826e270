"""What approving and rejecting share: who may decide, what counts, what it makes of the task (page 03)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from locks import operations as leases
from review.domain.coordinates import CoordinateError, check_point
from review.domain.quorum import Tally, Verdict, Vote, tally
from review.models import Annotation, Decision, Pin, ReviewerAssignment
from review.operations.drafts import picture_of
from review.queries.open_review import decisions_of_round, votes_of
from tasks.domain.actor import RequestContext
from tasks.domain.errors import (
    FieldError,
    FourEyes,
    IllegalTransition,
    LockLost,
    RoleForbidden,
    StaleRevision,
    ValidationFailed,
)
from tasks.domain.event_types import DecisionMade
from tasks.domain.matrix import TRANSITIONS, Action, Role
from tasks.domain.statuses import Status
from tasks.domain.system_reasons import SystemReason
from tasks.domain.times import iso
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.events import append_event
from tasks.operations.move_task import move_task
from tasks.operations.task_locks import let_go, note_release, require_held
from tasks.operations.transactions import db_now
from tasks.queries.access import check_source
from tasks.queries.lock_body import live_lock
from tasks.queries.task_body import task_body
from tasks.queries.user_body import user_body

MOST_PINS = 100
LONGEST_TEXT = 2_000
_ACTIONS = {Verdict.APPROVE: Action.APPROVE, Verdict.REJECT: Action.REJECT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What a reviewer sent."""

    verdict: Verdict
    #: The revision that they looked at; None only where a reject names none.
    revision: int | None
    #: The comment of an approval, or why it goes back.
    reason: str = ""
    override_reason: str = ""
    #: [{x, y, text}] in pixels of the normalised picture.
    pins: Sequence[dict[str, Any]] = ()


def decide_within(
    *,
    task: Task,
    actor: User,
    role: Role,
    judgement: Judgement,
    lock_token: int | None,
    context: RequestContext,
) -> None:
    """Record one decision on the row-locked task and do what the quorum makes of it.

    Raises LockHeld, LockLost (the review is not claimed), IllegalTransition, StaleRevision, FourEyes,
    RoleForbidden (a tie waits for the owner), ValidationFailed (422).
    """
    action = _ACTIONS[judgement.verdict]
    is_single = task.project.required_approvals == 1
    if is_single and live_lock(task.pk) is not None:
        require_held(task=task, actor=actor, lock_token=lock_token)
    check_source(task=task, action=action, viewer=actor)
    _check_claimed(task, actor=actor, is_single=is_single, lock_token=lock_token)
    annotation = _named_annotation(task, judgement, actor=actor)
    overridden = _check_four_eyes(task, annotation, judgement, actor=actor, role=role)
    decisions = list(decisions_of_round(task, annotation))
    votes = votes_of(task, decisions)
    _check_may_vote(task, decisions, votes, actor=actor)
    if errors := _content_errors(task, judgement):
        raise ValidationFailed(errors, status=422)
    decision = _record(task, annotation, judgement, actor=actor, overridden=overridden)
    votes.append(Vote(judgement.verdict, by_owner=actor.pk == task.project.owner_id))
    result = tally(votes, required=task.project.required_approvals, rule=task.project.review_rule)
    ReviewerAssignment.objects.filter(task_id=task.pk, reviewer=actor).delete()
    outcome = result.value if result in {Tally.APPROVED, Tally.REJECTED} else None
    append_event(
        task=task,
        data=DecisionMade(decision=judgement.verdict.value, by=user_body(actor), outcome=outcome),
    )
    facts = {
        "decision": judgement.verdict.value,
        "annotation_revision": annotation.revision if annotation else None,
        "outcome": outcome,
        **({"four_eyes_override": judgement.override_reason} if overridden else {}),
    }
    if outcome is None or not _agrees(result, judgement.verdict):
        audit_task(
            task=task,
            action=TRANSITIONS[action].audit,
            actor=actor,
            role=role,
            reason=judgement.reason,
            before={"status": task.status},
            after={"status": task.status, **facts},
            context=context,
        )
    if outcome is not None:
        _settle(task, decision, result, facts=facts, actor=actor, role=role, context=context)
    let_go(task=task, actor=actor, role=role, context=context)


def _check_claimed(task: Task, *, actor: User, is_single: bool, lock_token: int | None) -> None:
    """One approval: the reviewer holds the lock of their claim. Several: they have an assignment row."""
    if is_single:
        require_held(task=task, actor=actor, lock_token=lock_token)
        is_claimed = task.reviewer_id == actor.pk
    else:
        is_claimed = ReviewerAssignment.objects.filter(task_id=task.pk, reviewer=actor).exists()
    if not is_claimed:
        raise LockLost("You have not claimed this review. Claim it, look at it, then decide.", holder=None)


def _named_annotation(task: Task, judgement: Judgement, *, actor: User) -> Annotation | None:
    newest = (
        Annotation.objects.select_related("confirmed_by")
        .filter(task_id=task.pk)
        .order_by("-revision")
        .first()
    )
    if judgement.revision is not None and judgement.revision != (newest.revision if newest else None):
        raise StaleRevision(
            "This is not the newest revision. Look at the newest one before you decide.",
            snapshot=task_body(task.pk, viewer=actor),
        )
    if (
        judgement.verdict == Verdict.APPROVE
        and newest is not None
        and newest.config_version != task.config_version
    ):
        raise StaleRevision(
            "The question was changed after this revision was confirmed. Confirm it anew before you approve.",
            snapshot=task_body(task.pk, viewer=actor),
        )
    return newest


def _check_four_eyes(
    task: Task, annotation: Annotation | None, judgement: Judgement, *, actor: User, role: Role
) -> bool:
    """True where the rule was overridden with a reason. Raises FourEyes."""
    if not task.project.four_eyes or annotation is None or annotation.confirmed_by_id != actor.pk:
        return False
    may_override = role == Role.SUPER_ADMIN or actor.pk == task.project.owner_id
    if may_override and judgement.override_reason.strip():
        return True
    hint = " Or say in override_reason why you decide yourself." if may_override else ""
    raise FourEyes(f"You confirmed this revision, so somebody else has to decide on it.{hint}")


def _check_may_vote(task: Task, decisions: list[Decision], votes: list[Vote], *, actor: User) -> None:
    if any(each.by_id == actor.pk for each in decisions):
        raise IllegalTransition(
            "You have decided on this revision already. It waits for the other reviewers.",
            snapshot=task_body(task.pk, viewer=actor),
        )
    so_far = tally(votes, required=task.project.required_approvals, rule=task.project.review_rule)
    if so_far == Tally.TIE and actor.pk != task.project.owner_id:
        raise RoleForbidden(
            "The reviewers are divided half and half: the project's owner has to decide.",
            required_roles=[Role.PROJECT_ADMIN.value],
        )


def _content_errors(task: Task, judgement: Judgement) -> list[FieldError]:
    found = []
    if judgement.verdict == Verdict.REJECT and not judgement.reason.strip():
        found.append(FieldError("reason", "Say why it goes back, so that it can be put right.", "required"))
    if len(judgement.pins) > MOST_PINS:
        found.append(FieldError("pins", f"At most {MOST_PINS} pins.", "too_many"))
    picture = picture_of(task)
    for number, pin in enumerate(judgement.pins):
        try:
            check_point(point=[pin["x"], pin["y"]], width=picture.width, height=picture.height)
        except CoordinateError as error:
            found.append(FieldError(f"pins.{number}", error.message, "outside"))
        if not pin["text"].strip():
            found.append(FieldError(f"pins.{number}.text", "Say what is wrong at this place.", "required"))
    return found


def _record(
    task: Task, annotation: Annotation | None, judgement: Judgement, *, actor: User, overridden: bool
) -> Decision:
    decision = Decision.objects.create(
        task=task,
        annotation=annotation,
        round_version=task.version,
        verdict=judgement.verdict,
        reason=judgement.reason,
        override_reason=judgement.override_reason if overridden else "",
        by=actor,
        at=db_now(),
    )
    Pin.objects.bulk_create(
        Pin(decision=decision, task=task, x=pin["x"], y=pin["y"], text=pin["text"]) for pin in judgement.pins
    )
    return decision


def _agrees(result: Tally, verdict: Verdict) -> bool:
    return (result == Tally.APPROVED) == (verdict == Verdict.APPROVE)


def _settle(
    task: Task,
    decision: Decision,
    result: Tally,
    *,
    facts: dict[str, Any],
    actor: User,
    role: Role,
    context: RequestContext,
) -> None:
    """The outcome moves the task: completed, or pending again and reserved for its assignee."""
    is_approved = result == Tally.APPROVED
    copy = _copy(task, decision, Verdict.APPROVE if is_approved else Verdict.REJECT)
    action = Action.APPROVE if is_approved else Action.REJECT
    ReviewerAssignment.objects.filter(task_id=task.pk).delete()
    _end_correction(task, actor=actor, role=role, context=context)
    move_task(
        task=task,
        target=Status.COMPLETED if is_approved else Status.PENDING,
        audit_action=TRANSITIONS[action].audit,
        actor=actor,
        role=role,
        reason=copy["reason"],
        after=facts,
        context=context,
        changes={
            "last_decision": copy,
            "reviewer": None,
            "is_reserved": not is_approved and task.assignee_id is not None,
        },
    )


def _end_correction(task: Task, *, actor: User, role: Role, context: RequestContext) -> None:
    """With several reviewers, one may hold the lock while the others decide: the task leaves without it."""
    lock = live_lock(task.pk)
    if lock is None or lock.user_id == actor.pk:
        return
    ended = leases.release(task_id=task.pk, user_id=lock.user_id, client_id=None)
    if ended is not None:
        note_release(
            task=task, lock=ended, actor=actor, role=role, context=context, reason=SystemReason.DECIDED
        )


def _copy(task: Task, decision: Decision, verdict: Verdict) -> dict[str, Any]:
    """The task's `last_decision`: a reject by several reviewers brings all their reasons and pins."""
    speaking = list(
        Decision.objects.select_related("by")
        .filter(
            task_id=task.pk,
            annotation=decision.annotation,
            round_version=decision.round_version,
            verdict=verdict,
        )
        .order_by("at", "id")
    )
    return {
        "decision": verdict.value,
        "reason": "\n\n".join(one.reason for one in speaking if one.reason),
        "pins": pin_copies([one.pk for one in speaking]),
        "by": user_body(decision.by),
        "at": iso(decision.at),
        "revision": decision.annotation.revision if decision.annotation else None,
    }


def pin_copies(decision_ids: Sequence[UUID]) -> list[dict[str, Any]]:
    """The decisions' pins as the task shows them; `answer` None: still open."""
    return [
        {
            "id": str(pin.pk),
            "x": pin.x,
            "y": pin.y,
            "text": pin.text,
            "answer": pin.answer if pin.answered_at else None,
            "answered_at": iso(pin.answered_at),
        }
        for pin in Pin.objects.filter(decision_id__in=decision_ids).order_by("id")
    ]
