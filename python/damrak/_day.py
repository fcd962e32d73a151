"""Recorded days: their tables, books and orders."""

from __future__ import annotations

import datetime as dt
import operator
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias, overload

from . import _core
from ._core import DayError, IncompleteError
from ._orders import Book, Level, OrderLife, OrderStep, QueuedOrder
from ._progress import progress_of
from ._table import Table
from ._time import (
    DAY,
    Interval,
    TimeOfDay,
    date_of_number,
    interval_ns,
    midnight_ns,
    time_ns,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PriceType: TypeAlias = Literal["float", "fixed"]
TableName: TypeAlias = Literal["bbo", "depth", "trades", "messages", "candles", "auctions", "halts"]
Side: TypeAlias = Literal["buy", "sell"]
Path: TypeAlias = str | os.PathLike[str]
Wanted: TypeAlias = tuple[str, int, int, list[int]]  # a table: name, levels, interval, times

_price_scale = 10_000
_most_rows = 1 << 40  # more than a day has
_zones = {"lobster": "America/New_York", "dbn": "UTC"}


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
    ) -> None:
        self._core = core
        self._options = options
        self._progress = progress
        self._locates = dict(core.instruments)
        self.path = path
        #: The zone of the recording's clock, a name of the tz database; None: not known.
        self.tz = tz if tz is not None else _zones.get(core.kind)
        #: The date; None: not known, and times are since midnight.
        self.date: dt.date | None = date_of_number(core.date)
        self._midnight_ns = None if self.date is None else midnight_ns(self.date, self.tz)

    def __repr__(self) -> str:
        date = "unknown date" if self.date is None else self.date.isoformat()
        return (
            f"<damrak.Day {self.path!r}: {date}, {self.message_count:,} messages, "
            f"{len(self._locates)} symbols>"
        )

    @property
    def symbols(self) -> list[str]:
        """The symbols of the day, in the order of the file."""
        return list(self._locates)

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
        return self._core.notes

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
            An interval such as "1s": rows show the book after all messages up to then.
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
        return self._table("bbo", symbol, start, end, 1, every, price_type, partial)

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
        return self._table("depth", symbol, start, end, levels, every, price_type, partial)

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
        return self._table("trades", symbol, start, end, 1, None, price_type, partial)

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
        return self._table("messages", symbol, start, end, 1, None, price_type, partial)

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
        return self._table("candles", symbol, start, end, 1, every, price_type, partial)

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
        return self._table("auctions", symbol, start, end, 1, None, price_type, partial)

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
        times = [time_ns(one) for one in at]
        if times != sorted(times):
            raise ValueError("the times of books ascend: sort them")
        if not times:
            raise ValueError("no time is given: at=[…] needs one")
        wanted = ("depth", _count(levels), 0, times)
        reader = self._reader([wanted], symbol, None, None, _most_rows, price_type)
        return self._all(reader, partial)

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
        return self._table("halts", symbol, start, end, 1, None, price_type, partial)

    def measures(
        self, symbol: str | None = None, *, tick: float = 0.01, partial: bool = False
    ) -> dict[str, float]:
        """Measures of market quality of one instrument, by name.

        The program computes them, and `docs/reference/measures.md` defines each; one that the day
        cannot give is not there.

        Parameters
        ----------
        symbol
            The instrument; None: the day has only one.
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

        if not 0.0001 <= tick <= 1000:
            raise ValueError(f"tick={tick!r}: a price from 0.0001 to 1000")
        if symbol is None:
            if len(self._locates) != 1:
                raise DayError(f"{self.path}: has {len(self._locates)} symbols: give one")
            symbol = next(iter(self._locates))
        self._locate(symbol)
        return measures_of(self, symbol, tick, partial)

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
        if rows < 1:
            raise ValueError("a batch has at least one row")
        rows = min(operator.index(rows), _most_rows)
        names: tuple[TableName, ...] = (tables,) if isinstance(tables, str) else tuple(tables)
        wanted = self._all_wanted(names, levels, every)
        reader = self._reader(wanted, symbol, start, end, rows, price_type)
        batches = self._read_batches(reader, partial)
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
        time, sequence, bids, asks, missing = self._core.book_at(self._locate(symbol), time_ns(at))
        return Book(
            symbol,
            time,
            sequence,
            _levels(bids),
            _levels(asks),
            tuple(self.not_known),
            tuple(missing),
        )

    def queue(
        self, symbol: str, *, side: Side, price: float, at: TimeOfDay
    ) -> tuple[QueuedOrder, ...]:
        """The orders at a price by priority, each with the shares ahead of it."""
        if side not in ("buy", "sell"):
            raise ValueError(f"side={side!r}: 'buy' or 'sell'")
        bids, asks = self._core.orders_at(self._locate(symbol), time_ns(at))
        wanted = round(price * _price_scale)
        ahead = 0
        queue = []
        for reference, price_e4, shares in bids if side == "buy" else asks:
            if price_e4 == wanted:
                queue.append(QueuedOrder(reference or None, price_e4 / _price_scale, shares, ahead))
                ahead += shares
        return tuple(queue)

    def order(self, reference: int) -> OrderLife:
        """The life of an order, from the message that added it to its end.

        Raises
        ------
        DayError
            The day has no such order, or knows levels only.
        """
        locate, is_buy, steps, missing = self._core.order_life(reference)
        if not steps:
            raise DayError(f"{self.path}: there is no order {reference}")
        symbol = next(name for name, number in self._locates.items() if number == locate)
        return OrderLife(
            symbol,
            "buy" if is_buy else "sell",
            tuple(
                OrderStep(
                    number, time, kind, by_view, ref, price / _price_scale, size, orders, shares
                )
                for number, time, kind, by_view, ref, price, size, orders, shares in steps
            ),
            tuple(missing),
        )

    def plot(
        self, symbol: str, start: TimeOfDay | None = None, end: TimeOfDay | None = None
    ) -> Figure:
        """Displayed quantity by price over time, with best prices and trades.

        Needs `damrak[plot]`. Returns a Matplotlib figure.
        """
        from ._plot import figure_of

        return figure_of(self, symbol, start, end)

    # What the above have in common.

    def _locate(self, symbol: str) -> int:
        if symbol not in self._locates:
            some = ", ".join(list(self._locates)[:20])
            raise DayError(
                f"{self.path}: there is no symbol {symbol!r}; there are {some}"
                + (", …" if len(self._locates) > 20 else "")
            )
        return self._locates[symbol]

    @staticmethod
    def _wanted(name: TableName, levels: SupportsIndex, every: Interval | None) -> Wanted:
        if name == "candles" and every is None:
            every = "1min"
        return (name, _count(levels), 0 if every is None else interval_ns(every), [])

    def _all_wanted(
        self, names: Sequence[TableName], levels: SupportsIndex, every: Interval | None
    ) -> list[Wanted]:
        """`every` is of those that have it, or refused where that is none."""
        have = [name for name in names if name in ("bbo", "depth", "candles")]
        return [
            self._wanted(name, levels, every if name in have or not have else None)
            for name in names
        ]

    def _reader(
        self,
        tables: list[Wanted],
        symbol: str | None,
        start: TimeOfDay | None,
        end: TimeOfDay | None,
        rows: int,
        price_type: str,
    ) -> _core.Reader:
        if price_type not in ("float", "fixed"):
            raise ValueError(f"price_type={price_type!r}: 'float' or 'fixed'")
        from_ns = 0 if start is None else time_ns(start)
        until_ns = DAY if end is None else time_ns(end)
        if until_ns < from_ns:
            raise ValueError("the window ends before it begins")
        return _core.Reader(
            self._core,
            tables,
            locate=None if symbol is None else self._locate(symbol),
            from_ns=from_ns,
            until_ns=until_ns,
            rows=rows,
            midnight_ns=self._midnight_ns,
            zone=self.tz or "",
            has_date=self.date is not None,
            has_exact_prices=price_type == "fixed",
        )

    def _table(
        self,
        table: TableName,
        symbol: str | None,
        start: TimeOfDay | None,
        end: TimeOfDay | None,
        levels: SupportsIndex,
        every: Interval | None,
        price_type: PriceType,
        partial: bool,
    ) -> Table:
        wanted = self._wanted(table, levels, every)
        return self._all(self._reader([wanted], symbol, start, end, 1 << 16, price_type), partial)

    def _all(self, reader: _core.Reader, partial: bool) -> Table:
        with progress_of("reading", self._progress, self.message_count) as progress:
            tables = reader.read(all=True, progress=progress)
        assert tables is not None
        self._look_at(reader.missing, partial)
        return Table(tables[0])

    def _read_batches(self, reader: _core.Reader, partial: bool) -> Iterator[list[Table]]:
        with progress_of("reading", self._progress, self.message_count) as progress:
            while (tables := reader.read(progress=progress)) is not None:
                yield [Table(one) for one in tables]
        self._look_at(reader.missing, partial)

    def _no_rows(
        self,
        names: Sequence[TableName],
        levels: SupportsIndex,
        every: Interval | None,
        price_type: PriceType,
    ) -> dict[TableName, Table]:
        wanted = self._all_wanted(names, levels, every)
        tables = self._reader(wanted, None, DAY, DAY, 1, price_type).read(all=True)
        assert tables is not None
        return {name: Table(one) for name, one in zip(names, tables, strict=True)}

    def _look_at(self, missing: list[str], partial: bool) -> None:
        if missing and not partial:
            raise IncompleteError(f"{missing[0]}; partial=True takes what is before")


def _count(levels: SupportsIndex) -> int:
    if not hasattr(levels, "__index__") or not 1 <= operator.index(levels) <= 100:
        raise ValueError(f"levels={levels!r}: a number from 1 to 100")
    return operator.index(levels)


def _levels(levels: list[tuple[int, int, int | None]]) -> tuple[Level, ...]:
    return tuple(Level(price / _price_scale, size, orders) for price, size, orders in levels)
