"""Restoring a sample that was put aside asks for a new confirmation."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from review.domain.marks import last_restored_at

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def history(*marks):
    return [(mark, NOON + timedelta(minutes=number)) for number, mark in enumerate(marks)]


def test_when_a_sample_was_taken_back():
    assert last_restored_at([]) is None
    assert last_restored_at(history("difficult", "normal")) is None
    assert last_restored_at(history("later", "invalid")) is None
    assert last_restored_at(history("invalid", "normal")) == NOON + timedelta(minutes=1)
    assert last_restored_at(history("later", "difficult", "normal")) == NOON + timedelta(minutes=1)
    assert last_restored_at(history("later", "normal", "invalid")) == NOON + timedelta(minutes=1)
    assert last_restored_at(history("later", "normal", "invalid", "normal")) == NOON + timedelta(minutes=3)


@given(st.lists(st.sampled_from(["normal", "difficult"])))
def test_marks_that_leave_a_sample_in_use_up_no_confirmation(marks):
    assert last_restored_at(history(*marks)) is None
