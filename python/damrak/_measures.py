"""Measures of market quality, which the program computes."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from typing import TYPE_CHECKING

from ._core import DayError, IncompleteError

if TYPE_CHECKING:
    from ._day import Day


def measures_of(day: Day, symbol: str, tick: float, partial: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="damrak-") as folder:
        archived = day.path
        if day._core.kind != "archive":
            from ._open import convert

            archived = os.path.join(folder, "day.dar")
            convert(day.path, archived, date=day.date, progress=day._progress, **day._options)
        return _measure(day, archived, symbol, tick, partial)


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
        said = done.stderr.strip().removeprefix("damrak: ").replace(archived, day.path)
        raise DayError(said or f"{day.path}: damrak sim measure ended with {done.returncode}")
    measures: dict[str, float] = answer["measures"]
    return measures
