"""Parameters of a market by a key, as those of a sweep are."""

from __future__ import annotations

import copy
import datetime as dt
import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ._core import DamrakError
from ._participant import Participant
from ._toml import interval_text

Factory: TypeAlias = Callable[[], Participant]

#: Keys of a group that are not of its kind.
_connection = frozenset(
    (
        *("instruments", "latency", "data_latency", "order_latency", "report_latency"),
        *("value_latency", "think_time", "clock_ahead", "clock_behind", "place", "maximum_orders"),
    )
)


def plain(key: str, value: Any) -> Any:
    """The value as JSON and market files have it.

    >>> import datetime as dt
    >>> plain("makers.interval", dt.timedelta(milliseconds=100))
    '100000us'
    """
    if hasattr(value, "tolist"):  # of NumPy
        value = value.tolist()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, dt.timedelta):
        return interval_text(value)
    if isinstance(value, Mapping):
        return {str(name): plain(key, one) for name, one in value.items()}
    if isinstance(value, Sequence):
        return [plain(key, one) for one in value]
    raise TypeError(
        f"{key}={value!r}: a parameter is a finite number, a text, True, False, None, a timedelta, "
        "a list or a dictionary"
    )


class Assignment:
    """Where a key belongs: to a table of a market file, or to a participant in Python.

    `makers.interval` is a key of the group `makers`, `AAA.tick` one of the instrument `AAA`; any
    other key is a path from the top of the file, such as `exchange.taker_bump`, in which a number
    from 1 selects a table of an array: `timeline.1.at`.
    """

    def __init__(self, document: dict[str, Any], key: str) -> None:
        self.key = key
        self._table, self._path = _entry(document, key)
        kind = str(self._table.get("kind", ""))
        #: The kind of the participant in Python whose parameter it is; empty: it is in the file.
        self.script = ""
        if kind.startswith("python:") and self._path[0] not in _connection:
            self.script = kind
            if len(self._path) > 1:
                raise DamrakError(f"{key}: a parameter of a participant in Python is one name")

    def write(self, value: Any) -> None:
        """Into the document."""
        at: Any = self._table
        for word in self._path[:-1]:
            at = _inner(at, word, self.key)
        if not isinstance(at, dict):
            raise DamrakError(f"{self.key}: there is no table that has {self._path[-1]}")
        at[self._path[-1]] = value

    def applied(self, participant: Participant | Factory, value: Any) -> Participant | Factory:
        """The participant with this attribute, or what makes it with this argument."""
        name = self._path[0]
        if isinstance(participant, Participant):
            if not hasattr(participant, name):
                raise DamrakError(
                    f"{self.key}: {type(participant).__name__} has no attribute {name!r}"
                )
            changed = copy.copy(participant)
            setattr(changed, name, value)
            return changed
        try:
            inspect.signature(participant).bind_partial(**{name: value})
        except TypeError as error:
            raise DamrakError(f"{self.key}: {error}") from None
        return functools.partial(participant, **{name: value})


def _entry(document: dict[str, Any], key: str) -> tuple[dict[str, Any], list[str]]:
    """The table from which the rest of the key counts."""
    for array, names in (("participants", ("name", "kind")), ("instrument", ("symbol",))):
        for table in document.get(array, []):
            name = next((str(table[one]) for one in names if one in table), "")
            if name and key.startswith(f"{name}."):
                return table, key[len(name) + 1 :].split(".")
    return document, key.split(".")


def _inner(at: Any, word: str, key: str) -> Any:
    if isinstance(at, list):
        if not word.isdigit() or not 1 <= int(word) <= len(at):
            raise DamrakError(f"{key}: {word} is no number from 1 to {len(at)}")
        return at[int(word) - 1]
    if not isinstance(at, dict):
        raise DamrakError(f"{key}: there is no table that has {word}")
    return at.setdefault(word, {})
