"""Answers of the package's own program, which has what is not in the module."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from typing import Any

from ._core import DamrakError, DayError, IncompleteError


def answer_of(
    arguments: Sequence[str], *, partial: bool = False, about: str = ""
) -> dict[str, Any]:
    """The JSON object that a command prints.

    Raises
    ------
    IncompleteError
        Messages of the day are missing, and that is not wanted.
    DayError, DamrakError
        What the program says instead; the first if it is `about` the file of a day.
    """
    from . import program

    command = [program(), *arguments, "--json", *(["--partial"] if partial else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        answer = {}
    missing = answer.get("missing") or []
    if missing and not partial:
        raise IncompleteError(f"{missing[0]}; partial=True takes what is before")
    if not answer:
        said = done.stderr.strip().removeprefix("damrak: ")
        error = DayError if about else DamrakError
        raise error(said or f"{about}: damrak {arguments[1]} ended with {done.returncode}")
    return answer
