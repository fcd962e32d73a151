"""Recorded days: their tables, books and orders."""

from __future__ import annotations

import contextlib
import datetime as dt
import operator
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal, SupportsIndex, TypeAlias

from . import _core
from ._core import DayError, IncompleteError
from ._orders import Book, Level, OrderLife, OrderStep, QueuedOrder
from ._progress import progress_of
from ._table import Table
from ._time import (
    DAY,
    Date,
    Interval,
    TimeOfDay,
    date_number,
    date_of_number,
    interval_ns,
    midnight_ns,
    time_ns,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PriceType: TypeAlias = Literal["float", "fixed"]
TableName: TypeAlias = Literal["bbo", "depth", "trades", "messages", "candles", "auctions"]
Side: TypeAlias = Literal["buy", "sell"]
Path: TypeAlias = str | os.PathLike[str]

_price_scale = 10_000
_parameters = (
    ("--book FILE", "orderbook="),
    ("--trust-messages", "trust_messages=True"),
    ("--symbol", "symbol="),
    ("--date", "date="),
    ("damrak archive import", "damrak.convert"),
)
_zones = {"lobster": "America/New_York", "dbn": "UTC"}


class Day:
    """A recorded day, open for reading. Made by `damrak.open`.

    Any number of threads may read it. Times of day are texts such as "09:30:00.5", nanoseconds
    since midnight or `datetime.time`, by the clock of the recording; both ends of a window are
    inclusive. What the day does not know, such as levels below the recorded ones, is null or
    missing, never a guess; `not_known` says what that is.
    """

    def __init__(self, core: _core.Day, path: str, tz: str | None, progress: bool | None) -> None:
        self._core = core
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
        reader = self._reader(
            "depth", self._locate(symbol), 0, DAY, levels, 0, times, 1 << 40, price_type
        )
        return self._all(reader, partial)

    def batches(
        self,
        table: TableName,
        symbol: str | None = None,
        start: TimeOfDay | None = None,
        end: TimeOfDay | None = None,
        *,
        rows: int = 1_000_000,
        levels: SupportsIndex = 10,
        every: Interval | None = None,
        price_type: PriceType = "float",
        partial: bool = False,
    ) -> Iterator[Table]:
        """The rows of a table, `rows` at a time, in bounded memory.

        A batch may have one row more for each symbol. If messages are missing, the batches before
        come first, then `IncompleteError` unless `partial` is True.
        """
        if rows < 1:
            raise ValueError("a batch has at least one row")
        reader = self._reader(
            table,
            None if symbol is None else self._locate(symbol),
            0 if start is None else time_ns(start),
            DAY if end is None else time_ns(end),
            levels,
            0 if every is None else interval_ns(every),
            [],
            rows,
            price_type,
        )
        return self._read_batches(reader, partial)

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

    def _reader(
        self,
        table: str,
        locate: int | None,
        from_ns: int,
        until_ns: int,
        levels: SupportsIndex,
        every_ns: int,
        at_ns: list[int],
        rows: int,
        price_type: str,
    ) -> _core.Reader:
        if price_type not in ("float", "fixed"):
            raise ValueError(f"price_type={price_type!r}: 'float' or 'fixed'")
        if not hasattr(levels, "__index__") or not 1 <= operator.index(levels) <= 100:
            raise ValueError(f"levels={levels!r}: a number from 1 to 100")
        if until_ns < from_ns:
            raise ValueError("the window ends before it begins")
        return _core.Reader(
            self._core,
            table,
            levels=operator.index(levels),
            locate=locate,
            from_ns=from_ns,
            until_ns=until_ns,
            every_ns=every_ns,
            at_ns=at_ns,
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
        reader = self._reader(
            table,
            None if symbol is None else self._locate(symbol),
            0 if start is None else time_ns(start),
            DAY if end is None else time_ns(end),
            levels,
            0 if every is None else interval_ns(every),
            [],
            1 << 16,
            price_type,
        )
        return self._all(reader, partial)

    def _all(self, reader: _core.Reader, partial: bool) -> Table:
        with progress_of("reading", self._progress, self.message_count) as progress:
            core = reader.read(all=True, progress=progress)
        assert core is not None
        self._look_at(core.missing, partial)
        return Table(core)

    def _read_batches(self, reader: _core.Reader, partial: bool) -> Iterator[Table]:
        with progress_of("reading", self._progress, self.message_count) as progress:
            while (core := reader.read(progress=progress)) is not None:
                yield Table(core)
        self._look_at(reader.missing, partial)

    def _look_at(self, missing: list[str], partial: bool) -> None:
        if missing and not partial:
            raise IncompleteError(f"{missing[0]}; partial=True takes what is before")


def _levels(levels: list[tuple[int, int, int | None]]) -> tuple[Level, ...]:
    return tuple(Level(price / _price_scale, size, orders) for price, size, orders in levels)


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

    The content of the file tells its format. What is no archived day is archived first, in a
    temporary folder that is removed with the day; `convert` keeps it.

    Parameters
    ----------
    path
        The file. Of a LOBSTER pair the message file: the order book file beside it is found.
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
    return Day(core, text, tz, progress)


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
