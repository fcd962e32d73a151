"""Python values as TOML, for market files that are made of them."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ._arguments import as_text


def value_text(value: Any) -> str:
    """A value within a line.

    >>> value_text({"kind": "normal", "mean": "1ms", "levels": [1, 2.5, True]})
    '{ kind = "normal", mean = "1ms", levels = [1, 2.5, true] }'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(as_text("a value", value), ensure_ascii=False)
    if isinstance(value, dt.timedelta):
        return f'"{interval_text(value)}"'
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(name)} = {value_text(one)}" for name, one in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(value_text, value))}]"
    if hasattr(value, "__index__"):
        return str(value.__index__())
    if hasattr(value, "__float__"):
        number = float(value)
        if not math.isfinite(number):
            raise ValueError(f"{number} is no number of a market file")
        return repr(number)
    raise TypeError(f"a market file has no values such as {value!r}")


def interval_text(interval: dt.timedelta) -> str:
    """A duration as market files have it."""
    return f"{(interval.days * 86_400 + interval.seconds) * 1_000_000 + interval.microseconds}us"


def table_text(name: str, values: Mapping[str, Any]) -> str:
    """A table of the array `name`."""
    lines = [f"{_key(key)} = {value_text(value)}" for key, value in values.items()]
    return "\n".join([f"[[{name}]]", *lines, ""])


def document_text(values: Mapping[str, Any]) -> str:
    """A whole file; lists of dictionaries become arrays of tables."""
    lines, tables = [], []
    for key, value in values.items():
        if isinstance(value, Mapping):
            tables.append(f"[{_key(key)}]")
            tables += [f"{_key(name)} = {value_text(one)}" for name, one in value.items()]
        elif (
            isinstance(value, Sequence)
            and not isinstance(value, str)
            and any(isinstance(one, Mapping) for one in value)
        ):
            tables += [table_text(_key(key), one) for one in value]
        else:
            lines.append(f"{_key(key)} = {value_text(value)}")
    return "\n".join([*lines, *tables, ""])


def _key(name: str) -> str:
    plain = as_text("a key", name).replace("_", "").replace("-", "")
    return name if plain.isascii() and plain.isalnum() else json.dumps(name)
