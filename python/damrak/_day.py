"""Recorded days: their tables, books and orders."""

from __future__ import annotations

import datetime as dt
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from . import _core
from ._arguments import as_list, as_number
from ._books import Side, book_at, life_of, queue_at
from ._core import DayError
from ._orders import Book, OrderLife, QueuedOrder
from ._rows import PriceType, Rows, TableName
from ._table import Table
from ._time import Interval, TimeOfDay, date_of_number, midnight_ns, time_ns

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_zones = {"lobster": "America/New_York", "dbn": "UTC", "journal": "UTC"}


def _identity(path: str) -> tuple[int, ...]:
    """Of a file, which one it is and what it has; of a folder nothing."""
    try:
        found = os.stat(path)
    except OSError:
        return ()
    if stat.S_ISDIR(found.st_mode):
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def files_of(path: str, book: str | os.PathLike[str] | None) -> tuple[tuple[int, ...], ...]:
    """Which files a day is read from: one, and the order book file of a LOBSTER pair."""
    folder, name = os.path.split(path)
    beside = os.path.join(folder, name.replace("_message_", "_orderbook_"))
    return _identity(path), _identity(beside if book is None else os.fspath(book))


class Day:
    """A recorded day, open for reading. Made by `damrak.open`.

    Any number of threads may read it. Times of day are texts such as "09:30:00.5", nanoseconds
    since midnight or `datetime.time`, by the clock of the recording; both ends of a window are
    inclusive. What the day does not know, such as levels below the recorded ones, is null or
    missing, never a guess; `not_known` says what that is.
    """

    def __init__(
        self,
        core: _core.Day,
        path: str,
        tz: str | None,
        progress: bool | None,
        options: Mapping[str, Any],
        files: tuple[tuple[int, ...], ...],
        notes: Sequence[str] = (),
    ) -> None:
        self._core = core
        self._files = files
        self._notes = notes
        self._options = options
        self._progress = progress
        self.path = path
        #: The zone of the recording's clock, a name of the tz database; None: not known.
        self.tz = tz if tz is not None else _zones.get(core.kind)
        #: The date; None: not known, and times are since midnight.
        self.date: dt.date | None = date_of_number(core.date)
        midnight = None if self.date is None else midnight_ns(self.date, self.tz)
        self._rows = Rows(core, path, self.tz or "", midnight, progress)

    def __repr__(self) -> str:
        date = "unknown date" if self.date is None else self.date.isoformat()
        return (
            f"<damrak.Day {self.path!r}: {date}, {self.message_count:,} messages, "
            f"{len(self.symbols)} symbols>"
        )

    def _check_file(self) -> None:
        """What opens the path once more must find the file that is open."""
        if files_of(self.path, self._options.get("orderbook")) != self._files:
            raise DayError(f"{self.path}: the file is another one now: open it again")

    def _symbol(self, wanted: str | None) -> str:
        """The one wanted, or the only one."""
        if wanted is None and len(self.symbols) != 1:
            raise DayError(f"{self.path}: has {len(self.symbols)} symbols: give one")
        symbol = self.symbols[0] if wanted is None else wanted
        self._rows.locate(symbol)
        return symbol

    @property
    def symbols(self) -> list[str]:
        """The symbols of the day, in the order of the file."""
        return list(self._rows.locates)

    @property
    def levels(self) -> int | None:
        """How many price levels of each side are known; None: all."""
        return self._core.levels or None

    @property
    def message_count(self) -> int:
        """How many messages the day has."""
        return self._core.messages

    @property
    def span(self) -> tuple[int, int]:
        """The times of the first and the last message, in nanoseconds since midnight."""
        return self._core.first_ns, self._core.last_ns

    @property
    def not_known(self) -> list[str]:
        """What is not known of the books, a sentence each; empty: all is known."""
        return self._core.not_known

    @property
    def notes(self) -> list[str]:
        """What was normalised when the file was read."""
        return [*self._notes, *self._core.notes]

    @property
    def faults(self) -> list[str]:
        """What makes books or trades wrong, or could not be read; empty: nothing."""
        return self._core.faults

    def bbo(
        self,
        symbol: str | None = None,
        start: TimeOfDay | None = None,
        end: TimeOfDay | None = None,
        *,
        every: Interval | None = None,
        price_type: PriceType = "float",
        partial: bool = False,
    ) -> Table:
        """Best bid and offer: a row for each change, or one at each multiple of `every`.

        Columns: ts_event, sequence, symbol, bid_px_00, ask_px_00, bid_sz_00, ask_sz_00, bid_ct_00,
        ask_ct_00.

        Parameters
        ----------
        symbol
            Only this one; None: all, mixed by time.
        start, end
            Times of day, inclusive.
        every
            At least 1 ms, such as "1s": rows show the book after all messages up to then.
        price_type
            "float": float64 in the currency. "fixed": int64 in billionths of it, exact.
        partial
            Take what is before missing messages; otherwise they raise.

        Raises
        ------
        DayError
            The day has no such symbol, or cannot tell the book.
        IncompleteError
            Messages are missing and `partial` is False.
        """
        return self._rows.table("bbo", symbol, start, end, price_type, partial, every=every)

    def depth(
        self,
        symbol: str | None = None,
        start: TimeOfDay | None = None,
        end: TimeOfDay | None = None,
        *,
        levels: SupportsIndex = 10,
        every: Interval | None = None,
        price_type: PriceType = "float",
        partial: bool = False,
    ) -> Table:
        """The best `levels` (1 to 100) of each side, as `bbo` otherwise.

        Levels that the day does not show are null in all columns; where there is no level, its size
        and count are 0 and its price is null.
        """
        return self._rows.table(
            "depth", symbol, start, end, price_type, partial, levels=levels, every=every
        )

    def trades(
        self,
        symbol: str | None = None,
        start: TimeOfDay | None = None,
        end: TimeOfDay | None = None,
        *,
        price_type: PriceType = "float",
        partial: bool = False,
    ) -> Table:
        """A row for each trade. `side` is the aggressor's: B buyer, A seller, N not known.

        Columns: ts_event, sequence, symbol, type, side, price, size, order_id (of the resting
        order), match_number, cross_type, printable, broken.
        """
        return self._rows.table("trades", symbol, start, end, price_type, partial)

    def messages(
        self,
        symbol: str | None = None,
        start: TimeOfDay | None = None,
        end: TimeOfDay | None = None,
        *,
        price_type: PriceType = "float",
        partial: bool = False,
    ) -> Table:
        """A row for each message, with what it left out: side, price and open size of its order."""
        return self._rows.table("messages", symbol, start, end, price_type, partial)

    def candles(
        self,
        every: Interval = "1min",
        symbol: str | None = None,
        start: TimeOfDay | None = None,
        end: TimeOfDay | None = None,
        *,
        price_type: PriceType = "float",
        partial: bool = False,
    ) -> Table:
        """Open, high, low, close and volume of each interval that has trades.

        Columns: ts_event (begin of the interval), symbol, open, high, low, close, volume, trades.
        Broken and unprintable trades do not count.
        """
        return self._rows.table("candles", symbol, start, end, price_type, partial, every=every)

    def auctions(
        self,
        symbol: str | None = None,
        start: TimeOfDay | None = None,
        end: TimeOfDay | None = None,
        *,
        price_type: PriceType = "float",
        partial: bool = False,
    ) -> Table:
        """A row for each indicative price (type I) and for each cross (type Q)."""
        return self._rows.table("auctions", symbol, start, end, price_type, partial)

    def books(
        self,
        symbol: str,
        at: Iterable[TimeOfDay],
        *,
        levels: SupportsIndex = 10,
        price_type: PriceType = "float",
        partial: bool = False,
    ) -> Table:
        """The book at each of the times, which ascend: a row for each, in one pass.

        Columns as of `depth`; `sequence` is the last message about the symbol, 0 before its first.
        """
        if isinstance(at, str):
            raise TypeError("at= is a list of times: book() gives the book at one")
        times = [time_ns(one) for one in as_list("at", at, "times")]
        if times != sorted(times):
            raise ValueError("the times of books ascend: sort them")
        if not times:
            raise ValueError("no time is given: at=[…] needs one")
        return self._rows.books_at(symbol, times, levels, price_type, partial)

    def halts(
        self,
        symbol: str | None = None,
        start: TimeOfDay | None = None,
        end: TimeOfDay | None = None,
        *,
        price_type: PriceType = "float",
        partial: bool = False,
    ) -> Table:
        """A row for each message that changes whether an instrument, or the market, trades.

        Columns: ts_event, sequence, symbol (null: the whole market), type, state, reason, market,
        reference_px, lower_px, upper_px, extensions.
        """
        return self._rows.table("halts", symbol, start, end, price_type, partial)

    @overload
    def measures(
        self, symbol: None = None, *, tick: float = ..., partial: bool = ...
    ) -> dict[str, dict[str, float]]: ...
    @overload
    def measures(
        self, symbol: str, *, tick: float = ..., partial: bool = ...
    ) -> dict[str, float]: ...
    def measures(
        self, symbol: str | None = None, *, tick: float = 0.01, partial: bool = False
    ) -> dict[str, float] | dict[str, dict[str, float]]:
        """Measures of market quality by name; without a symbol those of each, by symbol.

        The program computes them, and `docs/reference/measures.md` defines each; one that the day
        cannot give is not there.

        Parameters
        ----------
        symbol
            The instrument; None: all, each in a pass of its own.
        tick
            The tick size in the currency, from 0.0001 to 1000.
        partial
            Measure what is before missing messages; otherwise they raise.

        Raises
        ------
        DayError
            The day has no such symbol, or cannot be measured.
        """
        from ._measures import measures_of

        if not 0.0001 <= as_number("tick", tick) <= 1000:
            raise ValueError(f"tick={tick!r}: a price from 0.0001 to 1000")
        if symbol is None:
            return measures_of(self, self.symbols, tick, partial)
        self._rows.locate(symbol)
        return measures_of(self, [symbol], tick, partial)[symbol]

    @overload
    def batches(  # type: ignore[overload-overlap]  # a name is no list of names
        self,
        tables: TableName,
        symbol: str | None = None,
        start: TimeOfDay | None = None,
        end: TimeOfDay | None = None,
        *,
        rows: int = ...,
        levels: SupportsIndex = ...,
        every: Interval | None = ...,
        price_type: PriceType = ...,
        partial: bool = ...,
    ) -> Iterator[Table]: ...
    @overload
    def batches(
        self,
        tables: Sequence[TableName],
        symbol: str | None = None,
        start: TimeOfDay | None = None,
        end: TimeOfDay | None = None,
        *,
        rows: int = ...,
        levels: SupportsIndex = ...,
        every: Interval | None = ...,
        price_type: PriceType = ...,
        partial: bool = ...,
    ) -> Iterator[dict[TableName, Table]]: ...
    def batches(
        self,
        tables: TableName | Sequence[TableName],
        symbol: str | None = None,
        start: TimeOfDay | None = None,
        end: TimeOfDay | None = None,
        *,
        rows: int = 1_000_000,
        levels: SupportsIndex = 10,
        every: Interval | None = None,
        price_type: PriceType = "float",
        partial: bool = False,
    ) -> Iterator[Table] | Iterator[dict[TableName, Table]]:
        """The rows of a table, or of several in one pass, `rows` at a time, in bounded memory.

        A batch ends where one of its tables has so many; it may have one row more for each symbol.
        If messages are missing, the batches before come first, then `IncompleteError` unless
        `partial` is True.

        Parameters
        ----------
        tables
            A name: the batches are tables. A list of names: they are dictionaries of them by name.
        every
            Of bbo and depth, which have a row for each change without it, and the length of
            candles, a minute without it.

        Examples
        --------
        >>> for batch in day.batches(["bbo", "trades"], rows=100_000):  # doctest: +SKIP
        ...     print(len(batch["bbo"]), len(batch["trades"]))
        """
        names: tuple[TableName, ...] = (
            (tables,) if isinstance(tables, str) else tuple(as_list("tables", tables, "names"))
        )
        batches = self._rows.batches(
            names, symbol, start, end, rows, levels, every, price_type, partial
        )
        if isinstance(tables, str):
            return (batch[0] for batch in batches)
        return (dict(zip(names, batch, strict=True)) for batch in batches)

    def book(self, symbol: str, at: TimeOfDay) -> Book:
        """The book after all messages up to a time of day.

        Raises
        ------
        DayError
            The day has no such symbol, or its book is not known at that time.
        """
        return book_at(self._rows, symbol, at)

    def queue(
        self, symbol: str, *, side: Side, price: float, at: TimeOfDay
    ) -> tuple[QueuedOrder, ...]:
        """The orders at a price by priority, each with the shares ahead of it."""
        return queue_at(self._rows, symbol, side, price, at)

    def order(self, reference: int) -> OrderLife:
        """The life of an order, from the message that added it to its end.

        Raises
        ------
        DayError
            The day has no such order, or knows levels only.
        """
        return life_of(self._rows, reference)

    def plot(
        self,
        symbol: str,
        start: TimeOfDay | None = None,
        end: TimeOfDay | None = None,
        *,
        partial: bool = False,
    ) -> Figure:
        """Displayed quantity by price over time, with best prices and trades.

        Needs `damrak[plot]`. Returns a Matplotlib figure.

        Raises
        ------
        IncompleteError
            Messages of the window are missing, and `partial` is False; with True, what is not known
            is black, and the title says so.
        """
        from ._plot import figure_of

        return figure_of(self, symbol, start, end, partial)
