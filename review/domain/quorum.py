"""How several reviewers' decisions make one (page 03, Quorum)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What one reviewer says."""

    APPROVE = "approve"
    REJECT = "reject"


class Tally(StrEnum):
    """What the decisions so far make of the task."""

    APPROVED = "approved"
    REJECTED = "rejected"
    #: More reviewers are needed.
    OPEN = "open"
    #: All have decided, half and half: the owner's word is missing.
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Vote:
    """One decision on the newest revision, in this round."""

    verdict: Verdict
    by_owner: bool = False


def tally(votes: Sequence[Vote], *, required: int, rule: str) -> Tally:
    """The outcome of `votes`, oldest first. `rule` is any, majority or all; `required` is n ≥ 1."""
    approvals = sum(vote.verdict == Verdict.APPROVE for vote in votes)
    rejections = len(votes) - approvals
    if not votes:
        return Tally.OPEN
    if rule == "any" or required == 1:
        return Tally.APPROVED if votes[0].verdict == Verdict.APPROVE else Tally.REJECTED
    if rule == "all":
        if rejections:
            return Tally.REJECTED
        return Tally.APPROVED if approvals >= required else Tally.OPEN
    if approvals * 2 > required:
        return Tally.APPROVED
    if rejections * 2 > required:
        return Tally.REJECTED
    if len(votes) < required:
        return Tally.OPEN
    owners = [vote for vote in votes if vote.by_owner]
    if not owners:
        return Tally.TIE
    return Tally.APPROVED if owners[-1].verdict == Verdict.APPROVE else Tally.REJECTED
