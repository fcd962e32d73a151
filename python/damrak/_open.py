"""Opening recorded days, and archiving them."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import tempfile
from collections.abc import Iterator

from . import _core
from ._arguments import as_flag, as_path, as_text
from ._core import DayError
from ._day import Day, files_of
from ._journal import days_of_journal, is_journal, keep_days
from ._progress import progress_of
from ._rows import Path
from ._time import Date, date_number, midnight_ns

_parameters = (
    ("--book FILE", "orderbook="),
    ("--trust-messages", "trust_messages=True"),
    ("--symbol", "symbol="),
    ("--date", "date="),
    ("--zone", "tz="),
    ("damrak archive import", "damrak.convert"),
)


@contextlib.contextmanager
def _words_of_python() -> Iterator[None]:
    """Advice about options of the program becomes that about parameters."""
    try:
        yield
    except DayError as error:
        text = str(error)
        for option, parameter in _parameters:
            text = text.replace(option, parameter)
        raise DayError(text) from None


def _check_is_not_lobster(
    path: str, symbol: str | None, orderbook: Path | None, trust_messages: bool
) -> None:
    if symbol is not None or orderbook is not None or trust_messages:
        raise DayError(
            f"{path}: is a journal: symbol=, orderbook= and trust_messages= are for LOBSTER"
        )


def open(
    path: Path,
    *,
    date: Date | None = None,
    tz: str | None = None,
    symbol: str | None = None,
    orderbook: Path | None = None,
    trust_messages: bool = False,
    progress: bool | None = None,
) -> Day:
    """Opens a recorded day: ITCH 5.0, LOBSTER or DBN (raw, .gz or .zst), an archive or a journal.

    The content of the file tells its format. An uncompressed ITCH file without faults is looked
    through once, and gives its tables as it is. Other days that are no archive are archived first,
    into a temporary file; so is an ITCH file when a book, an order or a figure is asked for.
    `convert` keeps the archive.

    Parameters
    ----------
    path
        The file. Of a LOBSTER pair the message file: the order book file beside it is found. Of an
        exchange or a kept run its folder, if it has one archived day, or none but a journal;
        otherwise the day in its `archive`. Of a journal its folder, or a segment in it.
    date
        Of a day that does not tell it, such as one of ITCH. Of a journal with several days, which.
    tz
        The zone of the recording's clock, a name of the tz database. Known of LOBSTER
        (America/New_York), DBN and journals (UTC); a journal takes another one. Without it, times
        are local ones of an unknown zone.
    symbol, orderbook
        Of LOBSTER files whose names do not tell.
    trust_messages
        Take a LOBSTER message file without its order book file: its books are those of the
        messages alone, and orders from before the first one are missing.
    progress
        A bar by tqdm, if it is installed; None: if standard error is a terminal.

    Raises
    ------
    DayError
        The file is not there, or no recorded day; the message says what it is and what to do.
    """
    text = as_path("path", path)
    if tz is not None:
        midnight_ns(dt.date(2000, 1, 1), tz)  # complains before the work
    book = None if orderbook is None else as_path("orderbook", orderbook)
    options = {
        "date": date,
        "symbol": symbol,
        "orderbook": book,
        "trust_messages": trust_messages,
    }
    files = files_of(text, book)  # before they are read: they may be replaced meanwhile
    if is_journal(text):
        _check_is_not_lobster(text, symbol, orderbook, trust_messages)
        with _words_of_python(), days_of_journal(text, tz, progress) as days:
            core = _core.Day(days.only(date), journal=text)
            return Day(core, text, tz, progress, {**options, "tz": tz}, files, days.notes)
    with progress_of("archiving", progress) as tell, _words_of_python():
        core = _core.Day(
            text,
            date=date_number(date),
            symbol="" if symbol is None else as_text("symbol", symbol),
            book=book,
            trust_messages=as_flag("trust_messages", trust_messages),
            progress=tell,
        )
    return Day(core, text, tz, progress, options, files)


@contextlib.contextmanager
def archive_of(day: Day, progress: bool | None) -> Iterator[str]:
    """The file of an archived day; of another one that of an archive made for as long as it is
    needed. A DayError about that file names the day."""
    day._check_file()
    if day._core.kind == "archive":
        yield day.path
        return
    with tempfile.TemporaryDirectory(prefix="damrak-") as folder:
        archived = os.path.join(folder, "day.dar")
        convert(day.path, archived, progress=progress, **day._options)
        try:
            yield archived
        except DayError as error:
            raise type(error)(str(error).replace(archived, day.path)) from None


def convert(
    source: Path,
    target: Path,
    *,
    date: Date | None = None,
    tz: str | None = None,
    symbol: str | None = None,
    orderbook: Path | None = None,
    trust_messages: bool = False,
    progress: bool | None = None,
) -> list[str]:
    """Archives a recorded day: `damrak.convert("day.itch", "day.dar")`.

    An archived day is compressed and opens at once, with the book at any nanosecond. Several days
    in a DBN file or a journal become one file each, with their dates in the names. Returns the
    files. `date` takes one day of a journal, whose times are by the clock of `tz` (UTC).

    Raises
    ------
    DayError
        The file is no recorded day, or the target cannot be written; nothing is left of it then.
    """
    source, target = as_path("source", source), as_path("target", target)
    if os.path.exists(target):
        if os.path.exists(source) and os.path.samefile(source, target):
            raise DayError(f"{target}: is the source itself: give another target")
        if not os.path.isfile(target):
            raise DayError(f"{target}: is there already, and no regular file")
    if is_journal(source):
        _check_is_not_lobster(source, symbol, orderbook, trust_messages)
        with _words_of_python():
            return keep_days(source, target, date, tz, progress)
    if tz is not None:
        raise DayError(f"{source}: is no journal: only those take tz=")
    with progress_of("archiving", progress) as tell, _words_of_python():
        files, _ = _core.import_file(
            source,
            target,
            date=date_number(date),
            symbol="" if symbol is None else as_text("symbol", symbol),
            book=None if orderbook is None else as_path("orderbook", orderbook),
            trust_messages=as_flag("trust_messages", trust_messages),
            progress=tell,
        )
    return files
