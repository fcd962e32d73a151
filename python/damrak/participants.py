"""The kinds of participants that come with the program, a class each.

`damrak.participants.Noise(count=50, rate="2/s")` is a group of them for `Market.add`. The classes
and their parameters are those of market files (docs/reference/market-file.md); `kinds()` lists
them.
"""

from __future__ import annotations

import re
from typing import Any

from ._core import participant_kinds as _participant_kinds

_frequency = re.compile(r"([\d.]+)\s*/\s*(ms|s|min|h)")
_seconds = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}


class Kind:
    """A group of participants of one kind. Its subclasses are the kinds."""

    #: As market files call it.
    kind = ""
    _units: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, count: int = 1, **parameters: Any) -> None:
        rates = [name for name, unit in self._units.items() if unit.endswith("per second")]
        if "rate" in parameters and "rate" not in self._units and len(rates) == 1:
            parameters[rates[0]] = parameters.pop("rate")
        for name, value in parameters.items():
            if name not in self._units:
                from difflib import get_close_matches

                close = get_close_matches(name, self._units, 1)
                known = f"did you mean {close[0]}?" if close else f"it has {', '.join(self._units)}"
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}; {known}")
            if name in rates and isinstance(value, str):
                parameters[name] = _per_second(name, value)
        self.count = count
        self.parameters = parameters

    def __repr__(self) -> str:
        given = {"count": self.count, **self.parameters}
        terms = ", ".join(f"{name}={value!r}" for name, value in given.items())
        return f"damrak.participants.{type(self).__name__}({terms})"


def _per_second(name: str, text: str) -> float:
    match = _frequency.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{name}={text!r}: a number a second, or a text such as '2/s' or '30/min'")
    return float(match[1]) / _seconds[match[2]]


def _class_of(kind: str, summary: str, source: str, rows: list[tuple[str, str, str]]) -> type[Kind]:
    name = "".join(word.capitalize() for word in kind.split("-"))
    lines = [f"{summary}.", "", f"Source: {source}.", "", "Parameters", "----------"]
    lines += ["count", "    How many of them there are."]
    for row, unit, text in rows:
        lines += [row, f"    {text}{f', {unit}' if unit else ''}."]
    units = {row: unit for row, unit, _ in rows}
    body = {"kind": kind, "_units": units, "__doc__": "\n".join(lines), "__module__": __name__}
    return type(name, (Kind,), body)


_classes = {one.__name__: one for one in (_class_of(*row) for row in _participant_kinds())}
globals().update(_classes)


def kinds() -> list[str]:
    """The names of the classes."""
    return sorted(_classes)


def __getattr__(name: str) -> type[Kind]:
    raise AttributeError(f"there is no kind {name!r}; there are {', '.join(kinds())}")


def __dir__() -> list[str]:
    return ["Kind", "kinds", *kinds()]
