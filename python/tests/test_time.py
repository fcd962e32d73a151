"""Times, intervals and dates are read as people write them, or refused with what to write."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damrak._time import date_number, date_of_number, interval_ns, midnight_ns, time_ns


@given(st.integers(0, 86_400 * 10**9 - 1))
def test_a_text_of_a_time_is_read_back(ns: int) -> None:
    seconds, fraction = divmod(ns, 10**9)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{fraction:09}"
    assert time_ns(text) == time_ns(ns) == ns


@given(st.dates(dt.date(1970, 1, 2), dt.date(2200, 1, 1)))
def test_dates_are_read_back(date: dt.date) -> None:
    assert date_of_number(date_number(date)) == date_of_number(date_number(str(date))) == date


@given(st.text(max_size=12))
def test_any_text_is_a_time_or_refused(text: str) -> None:
    try:
        assert 0 <= time_ns(text) <= 86_400 * 10**9
    except ValueError as error:
        assert "no time of day" in str(error) or "not within a day" in str(error)


def test_midnight_follows_the_zone() -> None:
    summer, winter = dt.date(2012, 6, 21), dt.date(2012, 12, 21)
    assert midnight_ns(summer, "America/New_York") - midnight_ns(summer, None) == 4 * 3600 * 10**9
    assert midnight_ns(winter, "America/New_York") - midnight_ns(winter, None) == 5 * 3600 * 10**9


@pytest.mark.parametrize(
    ("interval", "ns"),
    [("1s", 10**9), ("100ms", 10**8), ("5min", 3 * 10**11), (dt.timedelta(seconds=2), 2 * 10**9)],
)
def test_intervals(interval: str | dt.timedelta, ns: int) -> None:
    assert interval_ns(interval) == ns
