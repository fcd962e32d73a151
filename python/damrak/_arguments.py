"""Arguments that only have to be of their type, and in their range."""

from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._day import Day

MOST = (1 << 64) - 1  #: as a seed or the reference of an order can be


def as_whole(name: str, value: Any, least: int = 0, most: int = MOST) -> int:
    """A whole number in a range; numbers of NumPy are ones too.

    >>> as_whole("seed", -1)
    Traceback (most recent call last):
        ...
    ValueError: seed=-1: a whole number from 0 to 18,446,744,073,709,551,615
    """
    wanted = f"{name}={value!r}: a whole number from {least:,} to {most:,}"
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(wanted)
    number = operator.index(value)
    if not least <= number <= most:
        raise ValueError(wanted)
    return number


def as_text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}={value!r}: a text")
    return value


def as_flag(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}={value!r}: True or False")
    return value


def as_path(name: str, value: Any) -> str:
    """The path of a file, as a text."""
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"{name}={value!r}: a path")
    found = os.fspath(value)
    if not isinstance(found, str):
        raise TypeError(f"{name}={value!r}: a path that is a text")
    return found


def as_day(value: Any) -> Day:
    """A recorded day."""
    from ._day import Day

    if not isinstance(value, Day):
        raise TypeError(f"day={value!r}: a day that damrak.open returned")
    return value
