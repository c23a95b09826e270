"""The job's table: every pair of statuses."""

import itertools

import pytest

from review.domain.job_states import TERMINAL, TRANSITIONS, WAITING, IllegalJobMove, JobStatus, check_move

S = JobStatus


@pytest.mark.parametrize(("current", "target"), list(itertools.product(JobStatus, JobStatus)))
def test_every_pair(current, target):
    if current == target:
        assert check_move(current, target) is False
    elif target in TRANSITIONS[current]:
        assert check_move(current, target) is True
    else:
        with pytest.raises(IllegalJobMove):
            check_move(current, target)


def test_the_ends_and_the_waits():
    assert {S.SUCCEEDED, S.PARTIAL_SUCCEEDED, S.FAILED, S.EMPTY_SELECTION, S.CANCELLED} == TERMINAL
    assert {S.WAITING_USER_SELECTION, S.WAITING_BOX_BATCH_REVISION} == WAITING


def test_every_live_status_can_fail_and_be_cancelled():
    for status in set(JobStatus) - TERMINAL:
        assert {S.FAILED, S.CANCELLED} <= TRANSITIONS[status]
