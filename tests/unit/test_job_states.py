"""The job's table: every pair of statuses, and what may make each move."""

import itertools

import pytest

from review.domain.job_states import (
    MOVES,
    TERMINAL,
    TRANSITIONS,
    WAITING,
    IllegalJobMove,
    JobStatus,
    Trigger,
    check_move,
)

S, T = JobStatus, Trigger


@pytest.mark.parametrize(("current", "target"), list(itertools.product(JobStatus, JobStatus)))
def test_every_pair_by_every_trigger(current, target):
    for trigger in Trigger:
        if current == target:
            assert check_move(current, target, trigger) is False
        elif trigger in MOVES[current].get(target, ()):
            assert check_move(current, target, trigger) is True
        else:
            with pytest.raises(IllegalJobMove):
                check_move(current, target, trigger)


def test_the_ends_and_the_waits():
    assert {S.SUCCEEDED, S.PARTIAL_SUCCEEDED, S.FAILED, S.EMPTY_SELECTION, S.CANCELLED} == TERMINAL
    assert {S.WAITING_USER_SELECTION, S.WAITING_BOX_BATCH_REVISION} == WAITING


def test_every_live_status_can_fail_and_be_cancelled():
    for status in set(JobStatus) - TERMINAL:
        assert {S.FAILED, S.CANCELLED} <= TRANSITIONS[status]


def moves_by(trigger):
    return {(a, b) for a, targets in MOVES.items() for b, triggers in targets.items() if trigger in triggers}


def test_what_policies_may_do_is_written_out():
    """Page 04: routing makes one move, a timeout default the paths of an answer out of a wait."""
    assert moves_by(T.ROUTING) == {(S.DETECTING, S.PROCESSING_APPROVED_SUBJECTS)}
    ends = {S.PROCESSING_APPROVED_SUBJECTS, S.FINALIZING_RESULTS, S.EMPTY_SELECTION}
    assert moves_by(T.TIMEOUT_DEFAULT) == set(itertools.product(WAITING, ends))


def test_no_report_takes_a_detection_past_the_person_or_a_job_out_of_a_wait():
    assert MOVES[S.DETECTING][S.PROCESSING_APPROVED_SUBJECTS] == {T.ROUTING}
    for status in WAITING:
        by_report = {target for target, triggers in MOVES[status].items() if T.REPORT in triggers}
        assert by_report == {S.FAILED}
