"""How several decisions make one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.domain.quorum import Tally, Verdict, Vote, tally

A, R = Vote(Verdict.APPROVE), Vote(Verdict.REJECT)
OWNER_A, OWNER_R = Vote(Verdict.APPROVE, by_owner=True), Vote(Verdict.REJECT, by_owner=True)


@pytest.mark.parametrize(
    ("rule", "required", "votes", "result"),
    [
        ("majority", 1, [], Tally.OPEN),
        ("majority", 1, [A], Tally.APPROVED),
        ("all", 1, [R], Tally.REJECTED),
        ("any", 3, [A], Tally.APPROVED),
        ("any", 3, [R], Tally.REJECTED),
        ("all", 3, [A, A], Tally.OPEN),
        ("all", 3, [A, A, A], Tally.APPROVED),
        ("all", 3, [A, R], Tally.REJECTED),
        ("majority", 3, [A], Tally.OPEN),
        ("majority", 3, [A, R], Tally.OPEN),
        ("majority", 3, [A, R, R], Tally.REJECTED),
        ("majority", 3, [A, A], Tally.APPROVED),
        ("majority", 2, [A], Tally.OPEN),
        ("majority", 2, [A, R], Tally.TIE),
        ("majority", 2, [A, R, OWNER_A], Tally.APPROVED),
        ("majority", 2, [A, R, OWNER_R], Tally.REJECTED),
        ("majority", 2, [OWNER_A, R], Tally.APPROVED),
        ("majority", 2, [A, OWNER_R], Tally.REJECTED),
        ("majority", 4, [A, A, R, R], Tally.TIE),
        ("majority", 4, [A, A, A], Tally.APPROVED),
    ],
)
def test_outcomes(rule, required, votes, result):
    assert tally(votes, required=required, rule=rule) == result


VOTES = st.lists(st.sampled_from([A, R]), max_size=9)


@given(VOTES, st.integers(1, 9))
def test_all_means_that_one_rejection_rejects(votes, required):
    result = tally(votes, required=required, rule="all")
    if required > 1:
        assert (result == Tally.REJECTED) == (R in votes)
        assert (result == Tally.APPROVED) == (R not in votes and len(votes) >= required)


@given(VOTES.filter(bool), st.sampled_from(["any", "all", "majority"]))
def test_one_required_approval_is_decided_by_the_first(votes, rule):
    expected = Tally.APPROVED if votes[0] == A else Tally.REJECTED
    assert tally(votes, required=1, rule=rule) == expected


@given(VOTES, st.integers(2, 9))
def test_a_majority_is_of_those_required_not_of_those_who_came(votes, required):
    result = tally(votes[:required], required=required, rule="majority")
    approvals, rejections = votes[:required].count(A), votes[:required].count(R)
    assert (result == Tally.APPROVED) == (approvals * 2 > required)
    assert (result == Tally.REJECTED) == (rejections * 2 > required)
    assert result != Tally.TIE or (approvals == rejections and approvals * 2 == required)
