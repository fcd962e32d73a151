"""Measures of market quality, which the program computes."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

from ._core import DayError, IncompleteError

if TYPE_CHECKING:
    from ._day import Day


def measures_of(
    day: Day, symbols: list[str], tick: float, partial: bool
) -> dict[str, dict[str, float]]:
    from ._open import archive_of

    with archive_of(day, day._progress) as archived:
        return {one: _measure(day, archived, one, tick, partial) for one in symbols}


def _measure(day: Day, archived: str, symbol: str, tick: float, partial: bool) -> dict[str, float]:
    from . import program

    command = [program(), "sim", "measure", archived, "--symbol", symbol, "--json"]
    command += ["--tick", repr(tick), *(["--partial"] if partial else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        answer = {}
    if done.returncode != 0:
        missing = answer.get("missing") or []
        if missing and not partial:
            raise IncompleteError(f"{missing[0]}; partial=True takes what is before")
        said = done.stderr.strip().removeprefix("damrak: ")
        raise DayError(said or f"{day.path}: damrak sim measure ended with {done.returncode}")
    measures: dict[str, float] = answer["measures"]
    return measures
