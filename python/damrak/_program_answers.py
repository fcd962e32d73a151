"""The package's own program, which has what is not in the module, and its answers."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ._core import DamrakError, DayError, IncompleteError, wait_for


@dataclass(frozen=True, slots=True)
class Said:
    """What a command printed, and how it ended."""

    code: int
    output: str
    errors: str


def run_program(
    arguments: Sequence[str],
    *,
    done: Callable[[], int] = lambda: 0,
    tell: Callable[[int], None] | None = None,
) -> Said:
    """Runs a command to its end; Ctrl-C ends it, also in a worker thread.

    While it runs, `tell` gets the count that `done` gives.
    """
    from . import program

    with (
        tempfile.TemporaryFile("w+") as output,
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            [program(), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,  # Ctrl-C is for Python, which then ends it
        ) as process,
    ):
        try:
            wait_for(lambda: done() if process.poll() is None else None, tell)
        except BaseException:
            process.terminate()
            raise
        output.seek(0)
        errors.seek(0)
        return Said(process.returncode, output.read(), errors.read())


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
    said = run_program([*arguments, "--json", *(["--partial"] if partial else [])])
    try:
        answer: dict[str, Any] = json.loads(said.output)
    except ValueError:
        answer = {}
    missing = answer.get("missing") or []
    if missing and not partial:
        raise IncompleteError(f"{missing[0]}; partial=True takes what is before")
    if not answer:
        why = said.errors.strip().removeprefix("damrak: ")
        error = DayError if about else DamrakError
        raise error(why or f"{about}: damrak {arguments[1]} ended with {said.code}")
    return answer
