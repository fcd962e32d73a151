"""Opening recorded days, and archiving them."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
from collections.abc import Iterator

from . import _core
from ._core import DayError
from ._day import Day, Path
from ._progress import progress_of
from ._time import Date, date_number, midnight_ns

_parameters = (
    ("--book FILE", "orderbook="),
    ("--trust-messages", "trust_messages=True"),
    ("--symbol", "symbol="),
    ("--date", "date="),
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
    """Opens a recorded day: ITCH 5.0, LOBSTER, DBN or an archived day, raw, .gz or .zst.

    The content of the file tells its format. An uncompressed ITCH file without faults is looked
    through once, and gives its tables as it is. Other days that are no archive are archived first,
    into a temporary file; so is an ITCH file when a book, an order or a figure is asked for.
    `convert` keeps the archive.

    Parameters
    ----------
    path
        The file. Of a LOBSTER pair the message file: the order book file beside it is found. Of an
        exchange or a kept run its folder, if it has one day; otherwise the day in its `archive`.
    date
        Of a day that does not tell it, such as one of ITCH.
    tz
        The zone of the recording's clock, a name of the tz database. Known of LOBSTER
        (America/New_York) and DBN (UTC). Without it, times are local ones of an unknown zone.
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
    text = os.fspath(path)
    if tz is not None:
        midnight_ns(dt.date(2000, 1, 1), tz)  # complains before the work
    with progress_of("archiving", progress) as tell, _words_of_python():
        core = _core.Day(
            text,
            date=date_number(date),
            symbol=symbol or "",
            book=None if orderbook is None else os.fspath(orderbook),
            trust_messages=trust_messages,
            progress=tell,
        )
    options = {"symbol": symbol, "orderbook": orderbook, "trust_messages": trust_messages}
    return Day(core, text, tz, progress, options)


def convert(
    source: Path,
    target: Path,
    *,
    date: Date | None = None,
    symbol: str | None = None,
    orderbook: Path | None = None,
    trust_messages: bool = False,
    progress: bool | None = None,
) -> list[str]:
    """Archives a recorded day: `damrak.convert("day.itch", "day.dar")`.

    An archived day is compressed and opens at once, with the book at any nanosecond. Several days
    in a DBN file become one file each, with their dates in the names. Returns the files.

    Raises
    ------
    DayError
        The file is no recorded day, or the target cannot be written; nothing is left of it then.
    """
    if os.path.exists(target):
        if os.path.exists(source) and os.path.samefile(source, target):
            raise DayError(f"{os.fspath(target)}: is the source itself: give another target")
        if not os.path.isfile(target):
            raise DayError(f"{os.fspath(target)}: is there already, and no regular file")
    with progress_of("archiving", progress) as tell, _words_of_python():
        files, _ = _core.import_file(
            os.fspath(source),
            os.fspath(target),
            date=date_number(date),
            symbol=symbol or "",
            book=None if orderbook is None else os.fspath(orderbook),
            trust_messages=trust_messages,
            progress=tell,
        )
    return files
