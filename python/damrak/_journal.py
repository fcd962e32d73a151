"""Journals of exchanges, of which the program makes archived days."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from ._core import DayError
from ._program_answers import run_program
from ._progress import progress_of
from ._time import Date, date_number, date_of_number

_segment = re.compile(r"journal-\d{20}\.seg")


@dataclass(frozen=True)
class ArchivedDays:
    """Of a journal, in its order: the files, and a date of each."""

    journal: str
    files: list[tuple[str, dt.date | None]]
    notes: list[str]

    def only(self, date: Date | None) -> str:
        """The file of that day, or of the only one.

        Raises
        ------
        DayError
            There is no such day, or more than one.
        """
        dates = ", ".join(str(one) for _, one in self.files)
        if date is None:
            if len(self.files) > 1:
                raise DayError(f"{self.journal}: the journal has the days {dates}: give one, date=")
            return self.files[0][0]
        wanted = date_of_number(date_number(date))
        for file, one in self.files:
            if one == wanted:
                return file
        raise DayError(f"{self.journal}: the journal has no day {wanted}: it has {dates}")


def is_journal(path: str) -> bool:
    """Whether it is a segment of one, or a folder that has segments and no archived day."""
    if not os.path.isdir(path):
        return _segment.fullmatch(os.path.basename(path)) is not None
    archive = os.path.join(path, "archive")
    try:
        names = os.listdir(path)
        others = os.listdir(archive) if os.path.isdir(archive) else []
    except OSError:
        return False
    if any(name.endswith(".dar") for name in (*names, *others)):
        return False
    return any(_segment.fullmatch(name) for name in names)


def _bytes_in(folder: str) -> int:
    size = 0
    with os.scandir(folder) as files:
        for file in files:
            with contextlib.suppress(FileNotFoundError):  # renamed meanwhile
                size += file.stat().st_size
    return size


@contextlib.contextmanager
def days_of_journal(
    path: str, tz: str | None, progress: bool | None, beside: str | None = None
) -> Iterator[ArchivedDays]:
    """Its days, archived into a folder that is gone afterwards: one in the folder `beside`, or
    where temporary files are.

    Progress is in bytes of the archives: how many commands the journal has shows at its end.

    Raises
    ------
    DayError
        The journal cannot be read; the message says where and what to do.
    """
    with tempfile.TemporaryDirectory(prefix="damrak-", dir=beside) as folder:
        command = ["archive", "import", path, "--out", folder, "--partial", "--json"]
        command += [] if tz is None else ["--zone", tz]
        with progress_of("archiving", progress, unit="B") as tell:
            said = run_program(command, done=lambda: _bytes_in(folder), tell=tell)
        lines = [line.removeprefix("damrak: ") for line in said.errors.splitlines()]
        if said.code != 0:
            why = [line for line in lines if not line.startswith("note: ")]
            raise DayError(" ".join(why) or f"{path}: damrak archive import ended with {said.code}")
        files = []
        decoder, text = json.JSONDecoder(), said.output.strip()
        while text:
            day, end = decoder.raw_decode(text)
            date = None if day["date"] is None else dt.date.fromisoformat(day["date"])
            files.append((day["file"], date))
            text = text[end:].lstrip()
        yield ArchivedDays(path, files, [line.removeprefix("note: ") for line in lines])


def keep_days(
    path: str, target: str, date: Date | None, tz: str | None, progress: bool | None
) -> list[str]:
    """Archives its days, or one, to `target`; of several each has its date in the name."""
    try:
        with days_of_journal(path, tz, progress, os.path.dirname(target) or ".") as days:
            if date is not None or len(days.files) == 1:
                os.replace(days.only(date), target)
                return [target]
            stem, extension = os.path.splitext(target)
            kept = [f"{stem}.{one}{extension}" for _, one in days.files]
            for (file, _), name in zip(days.files, kept, strict=True):
                os.replace(file, name)
            return kept
    except OSError as error:
        raise DayError(f"{target}: {error.strerror}") from error
