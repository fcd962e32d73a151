"""Times of day, intervals and dates as people write them."""

from __future__ import annotations

import datetime as dt
import operator
import re
from typing import Any, SupportsIndex, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ._arguments import as_text
from ._core import DayError

#: "10:00:00.5", nanoseconds since midnight, or a datetime.time.
TimeOfDay: TypeAlias = str | SupportsIndex | dt.time
#: "1s", "100ms", nanoseconds, or a datetime.timedelta.
Interval: TypeAlias = str | SupportsIndex | dt.timedelta
#: "2012-06-21", or a datetime.date.
Date: TypeAlias = str | dt.date

SECOND = 1_000_000_000
DAY = 86_400 * SECOND
_first_date = dt.date(1677, 9, 22)
_last_date = dt.date(2262, 4, 10)
_units = {
    "ns": 1,
    "us": 1_000,
    "ms": 1_000_000,
    "s": SECOND,
    "min": 60 * SECOND,
    "m": 60 * SECOND,
    "h": 3_600 * SECOND,
}
_time = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?")


def _whole(value: Any) -> int | None:
    """Of whole numbers of any library; None: it is none."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    return operator.index(value)


def time_ns(time: TimeOfDay) -> int:
    """Nanoseconds since midnight.

    >>> time_ns("09:30:00.5")
    34200500000000
    """
    if (whole := _whole(time)) is not None:
        ns = whole
    elif isinstance(time, dt.time):
        if time.tzinfo is not None:
            raise ValueError(f"{time!r} has a zone: times of day are by the clock of the recording")
        ns = ((time.hour * 60 + time.minute) * 60 + time.second) * SECOND + time.microsecond * 1_000
    elif isinstance(time, str):
        match = _time.fullmatch(time)
        if match is None or int(match[2]) > 59 or int(match[3] or 0) > 59:
            raise ValueError(f"{time!r} is no time of day: write it like 09:30 or 09:30:00.000001")
        seconds = (int(match[1]) * 60 + int(match[2])) * 60 + int(match[3] or 0)
        ns = seconds * SECOND + int((match[4] or "").ljust(9, "0"))
    else:
        raise TypeError(
            "a time of day is a text, a number of nanoseconds or a datetime.time, "
            f"not {type(time).__name__}"
        )
    if not 0 <= ns <= DAY:
        raise ValueError(f"{time!r} is not within a day")
    return ns


def time_text(ns: int) -> str:
    """A time of day as the program reads it.

    >>> time_text(34200500000000)
    '09:30:00.500000000'
    """
    seconds, rest = divmod(ns, SECOND)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:09}"


def interval_ns(interval: Interval) -> int:
    """Nanoseconds.

    >>> interval_ns("100ms")
    100000000
    """
    if isinstance(interval, dt.timedelta):
        ns = (
            (interval.days * 86_400 + interval.seconds) * 1_000_000 + interval.microseconds
        ) * 1_000
    elif (whole := _whole(interval)) is not None:
        ns = whole
    elif isinstance(interval, str):
        match = re.fullmatch(r"(\d+)\s*([a-z]+)", interval.strip())
        if match is None or match[2] not in _units:
            raise ValueError(
                f"{interval!r} is no interval: write a number and one of {', '.join(_units)}"
            )
        ns = int(match[1]) * _units[match[2]]
    else:
        raise TypeError(
            "an interval is a text such as '1s', a number of nanoseconds or a datetime.timedelta, "
            f"not {type(interval).__name__}"
        )
    if not 0 < ns <= DAY:
        raise ValueError(f"{interval!r} is no interval within a day")
    return ns


def date_of(date: Date) -> dt.date:
    if isinstance(date, str):
        try:
            date = dt.date.fromisoformat(date)
        except ValueError:
            raise ValueError(f"{date!r} is no date: write it like 2012-06-21") from None
    if isinstance(date, dt.datetime) or not isinstance(date, dt.date):
        raise TypeError(f"a date is a text or a datetime.date, not {type(date).__name__}")
    return date


def date_number(date: Date | None) -> int:
    """yyyymmdd, or 0 for None."""
    if date is None:
        return 0
    date = date_of(date)
    if not _first_date <= date <= _last_date:  # whose nanoseconds fit in 64 bits
        raise ValueError(f"{date} is not from {_first_date} to {_last_date}")
    return date.year * 10_000 + date.month * 100 + date.day


def date_of_number(number: int) -> dt.date | None:
    return dt.date(number // 10_000, number // 100 % 100, number % 100) if number else None


def zone_named(name: str) -> ZoneInfo:
    as_text("tz", name)
    try:
        if name == "localtime":  # a file of this machine, and no name of the database
            raise ZoneInfoNotFoundError
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a folder, or too long for a file
        raise DayError(
            f"there is no time zone {name!r}: take a name of the tz database, such as "
            "America/New_York (Debian: apt-get install tzdata)"
        ) from None


def midnight_ns(date: dt.date, zone: str | None) -> int:
    """Midnight of the date in the zone, in nanoseconds since 1970-01-01 UTC.

    Without a zone: of that date as if the zone were UTC.
    """
    tz = zone_named(zone) if zone else dt.UTC
    moment = dt.datetime(date.year, date.month, date.day, tzinfo=tz)
    return int(moment.timestamp()) * SECOND
