"""Where a job's event stream begins for a client that may have seen some of it (page 04, Streams)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamSpan:
    """The event numbers that a job's stream goes over. All are numbers of the task's events."""

    #: The number before the job's first event.
    first: int
    #: The task's last number.
    newest: int
    #: The job's terminal event; None while it lives.
    end: int | None
    #: The oldest number after `first` that is still kept; None where none is.
    oldest_kept: int | None

    @property
    def is_forgotten(self) -> bool:
        """Whether the job has ended and its terminal event is no longer kept."""
        return self.end is not None and (self.oldest_kept is None or self.oldest_kept > self.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamStart:
    """Begin after `after`, with a snapshot first or not; or not at all, where the client has everything."""

    after: int
    needs_snapshot: bool
    is_finished: bool = False


def stream_start(*, cursor: str | None, span: StreamSpan) -> StreamStart:
    """Where to begin for `cursor`, the client's Last-Event-ID as it came; None where it sent none.

    0 means from the start. A cursor that this stream never gave out, or whose next event is no longer kept,
    gets a snapshot and then everything that is kept.
    """
    fresh = StreamStart(after=span.first, needs_snapshot=True)
    seen = _number(cursor)
    if seen is None or seen > span.newest:
        return fresh
    if seen == 0:
        seen = span.first
    if seen < span.first:
        return fresh
    if span.end is not None and seen >= span.end:
        return StreamStart(after=seen, needs_snapshot=False, is_finished=True)
    is_next_kept = seen == span.newest or (span.oldest_kept is not None and span.oldest_kept <= seen + 1)
    return StreamStart(after=seen, needs_snapshot=False) if is_next_kept else fresh


def _number(cursor: str | None) -> int | None:
    """The cursor as a number; None where it is none. Digits only: int() would take "1_0" and " 7"."""
    if cursor is None or not (cursor.isascii() and cursor.isdigit()) or len(cursor) > 18:
        return None
    return int(cursor)
