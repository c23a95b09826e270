"""What a validation says about the boxes, and what follows from it in each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from review.domain.boxes import SEGMENT, VALIDATE, Box

#: Below this score a name does not count. One table with a version, stored with each input.
NAMING_THRESHOLDS: Final = {"version": 1, "threshold": 0.35}
LAST_ROUND: Final = 2


class RoundOutcome(StrEnum):
    """How a validation ends."""

    #: Round 1, something was not recognised: the person is asked again.
    NEED_BATCH_REVISION = "NEED_BATCH_REVISION"
    #: Round 2, nothing is left.
    ALL_REJECTED = "ALL_REJECTED"
    #: Round 2, some are left: they go on, the others keep their reason.
    PARTIAL_APPROVED = "PARTIAL_APPROVED"
    #: Every box goes on.
    ALL_PASSED = "ALL_PASSED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Validated:
    """The whole list after validation, split by what passed."""

    outcome: RoundOutcome
    #: Every box, in order, with its validity.
    boxes: list[Box]
    #: Those that go on.
    approved: list[Box]
    #: Those that did not pass.
    refused: list[Box]
    #: [{box_id, code, message}] of the refused.
    problems: list[dict[str, str]]


def judge(*, boxes: Sequence[Box], answers: Sequence[Mapping[str, Any]], round_number: int) -> Validated:
    """Put a validation's answers on the list of boxes.

    A person's label is never overwritten: a name found is for boxes without one.
    Raises ValueError where the answers are not exactly one for each box that needed validation.
    """
    by_id = {answer["box_id"]: answer for answer in answers}
    wanted = {box.box_id for box in boxes if box.needs_validation}
    if len(by_id) != len(answers) or set(by_id) != wanted:
        raise ValueError("a validation answers for exactly the boxes that it was asked about")
    judged = [_judged(box, by_id[box.box_id]) if box.box_id in by_id else box for box in boxes]
    refused = [box for box in judged if box.box_id in by_id and not box.valid]
    refused_ids = {box.box_id for box in refused}
    approved = [box for box in judged if box.box_id not in refused_ids]
    if not refused:
        outcome = RoundOutcome.ALL_PASSED
    elif round_number < LAST_ROUND:
        outcome = RoundOutcome.NEED_BATCH_REVISION
    else:
        outcome = RoundOutcome.PARTIAL_APPROVED if approved else RoundOutcome.ALL_REJECTED
    problems = [{"box_id": box.box_id, **(box.validation or {})} for box in refused]
    return Validated(outcome=outcome, boxes=judged, approved=approved, refused=refused, problems=problems)


def _judged(box: Box, answer: Mapping[str, Any]) -> Box:
    if not answer["valid"]:
        code = answer.get("code") or "NOT_RECOGNISED"
        message = answer.get("message") or "The models do not recognise what is in this box."
        return replace(box, valid=False, validation={"code": code, "message": message})
    named = box.label is None
    return replace(
        box,
        valid=True,
        validation=None,
        label=answer.get("label") if named else box.label,
        score=answer.get("score") if named else box.score,
        alternatives=answer.get("alternatives") or box.alternatives,
        # What it asked for has been done.
        target_policy=SEGMENT if box.target_policy == VALIDATE else box.target_policy,
    )
