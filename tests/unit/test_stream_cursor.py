"""Where a job's stream begins: no event of the job is ever left out, whatever the client sends."""

from hypothesis import given
from hypothesis import strategies as st

from review.domain.stream_cursor import StreamSpan, StreamStart, stream_start


def span(
    first: int = 10, newest: int = 20, end: int | None = None, oldest_kept: int | None = 11
) -> StreamSpan:
    return StreamSpan(first=first, newest=newest, end=end, oldest_kept=oldest_kept)


def test_no_cursor_is_a_snapshot_and_everything() -> None:
    assert stream_start(cursor=None, span=span()) == StreamStart(after=10, needs_snapshot=True)


def test_zero_means_from_the_start() -> None:
    assert stream_start(cursor="0", span=span()) == StreamStart(after=10, needs_snapshot=False)


def test_cursor_at_the_newest_event_waits_for_the_next() -> None:
    assert stream_start(cursor="20", span=span()) == StreamStart(after=20, needs_snapshot=False)
    nothing_yet = span(newest=10, oldest_kept=None)
    assert stream_start(cursor="10", span=nothing_yet) == StreamStart(after=10, needs_snapshot=False)


def test_finished_only_from_the_terminal_event_on() -> None:
    ended = span(end=18)
    assert stream_start(cursor="17", span=ended) == StreamStart(after=17, needs_snapshot=False)
    for seen in ("18", "19", "20"):
        assert stream_start(cursor=seen, span=ended).is_finished
    assert not stream_start(cursor=None, span=ended).is_finished
    assert not stream_start(cursor="0", span=ended).is_finished


def test_cursor_before_what_is_kept_gets_a_snapshot() -> None:
    thinned = span(oldest_kept=15)
    assert stream_start(cursor="13", span=thinned).needs_snapshot
    assert not stream_start(cursor="14", span=thinned).needs_snapshot
    assert stream_start(cursor="0", span=thinned).needs_snapshot


def test_digits_of_other_scripts_and_monsters_are_no_cursor() -> None:
    for cursor in ("٣", "1_0", " 12", "+12", "12.0", "", "9" * 400):
        assert stream_start(cursor=cursor, span=span()).needs_snapshot, cursor


@given(
    cursor=st.one_of(st.none(), st.text(max_size=5), st.integers(-5, 60).map(str)),
    first=st.integers(0, 20),
    more=st.integers(0, 20),
    end_offset=st.one_of(st.none(), st.integers(1, 20)),
    forgotten=st.integers(0, 20),
)
def test_nothing_is_left_out(
    cursor: str | None, first: int, more: int, end_offset: int | None, forgotten: int
) -> None:
    newest = first + more
    end = None if end_offset is None or end_offset > more else first + end_offset
    oldest = first + 1 + forgotten if forgotten < more else None
    start = stream_start(cursor=cursor, span=span(first, newest, end, oldest))
    if start.is_finished:
        assert end is not None
        assert cursor is not None
        assert int(cursor) >= end or int(cursor) == 0
        return
    kept = range(oldest, newest + 1) if oldest is not None else range(0)
    seen = int(cursor) if cursor and cursor.isascii() and cursor.isdigit() else first
    missed = [seq for seq in kept if seq <= start.after and seq > max(seen, first)]
    assert missed == []
    assert start.needs_snapshot or start.after == max(seen, first)
