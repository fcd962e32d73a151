"""Arguments that only have to be of their type, and in their range."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._day import Day

_longest_name = 255  # bytes, of a file or a folder
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


def as_number(name: str, value: Any) -> float:
    """A number of any kind, such as a Decimal."""
    wanted = f"{name}={value!r}: a number"
    if isinstance(value, bool | str | bytes) or not (
        hasattr(value, "__float__") or hasattr(value, "__index__")
    ):
        raise TypeError(wanted)
    try:
        return float(value)
    except OverflowError:
        raise ValueError(wanted) from None


def as_seconds(name: str, value: Any) -> float:
    """A time in seconds, which may be infinite."""
    seconds = as_number(name, value)
    if not seconds >= 0:
        raise ValueError(f"{name}={value!r}: seconds, from 0")
    return min(seconds, 1e9)  # as long as clocks can count


def as_text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}={value!r}: a text")
    if any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in value):
        raise ValueError(f"{name}={value!r}: a text without NUL and surrogates")
    return value


def as_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """One of some words."""
    wanted = f"{name}={value!r}: one of {', '.join(choices)}"
    if not isinstance(value, str):
        raise TypeError(wanted)
    if value not in choices:
        raise ValueError(wanted)
    return value


def as_list(name: str, value: Any, of: str) -> list[Any]:
    """The members of anything that has some, but not the letters of a text."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"{name}={value!r}: a list of {of}")
    return list(value)


def as_table(name: str, value: Any) -> dict[str, Any]:
    """A mapping whose keys are texts."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}={value!r}: a dictionary")
    return {as_text(f"a key of {name}", key): one for key, one in value.items()}


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
    try:
        encoded = os.fsencode(found)
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded or max(map(len, encoded.split(b"/"))) > _longest_name:
        raise ValueError(f"{name}={value!r}: no file can have this name")
    return found


def as_day(value: Any) -> Day:
    """A recorded day."""
    from ._day import Day

    if not isinstance(value, Day):
        raise TypeError(f"day={value!r}: a day that damrak.open returned")
    return value
