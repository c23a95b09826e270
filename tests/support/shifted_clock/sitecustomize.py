"""A Python process whose clock is wrong by CLOCK_SHIFT seconds: put this folder into its PYTHONPATH.

libfaketime does the same from outside; this needs nothing installed. Only what tells the time of day is
changed: waiting goes on by the right clock.
"""

import datetime
import os
import time
from datetime import datetime as _datetime

SHIFT = float(os.environ.get("CLOCK_SHIFT", "0"))
_time, _time_ns = time.time, time.time_ns


class _AnyDatetime(type):
    """Values made before, or in C, are datetimes as well."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, _datetime)


class ShiftedDatetime(_datetime, metaclass=_AnyDatetime):
    """datetime.datetime with the wrong idea of now."""

    @classmethod
    def now(cls, tz=None):
        return _datetime.now(tz) + datetime.timedelta(seconds=SHIFT)

    @classmethod
    def utcnow(cls):
        return _datetime.utcnow() + datetime.timedelta(seconds=SHIFT)

    @classmethod
    def today(cls):
        return _datetime.today() + datetime.timedelta(seconds=SHIFT)


if SHIFT:
    time.time = lambda: _time() + SHIFT
    time.time_ns = lambda: _time_ns() + int(SHIFT * 1e9)
    datetime.datetime = ShiftedDatetime
