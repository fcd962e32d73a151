"""The matching engine: commands in, events out."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import TYPE_CHECKING, Any, Literal

from . import _core
from ._arguments import as_list, as_path, as_text, as_whole
from ._commands import (
    Cancel,
    Command,
    Instrument,
    Limit,
    MarketOrder,
    Order,
    Price,
    Quote,
    Replace,
    Time,
)
from ._core import OrderError
from ._lines import line_of, lines_of
from ._orders import Level
from ._rows import PriceType
from ._table import Table
from ._time import Date, TimeOfDay, date_of, time_ns

if TYPE_CHECKING:
    import numpy as np

    from ._events import Events

_most_places = 100_000_000
_epoch = dt.date(1970, 1, 1)
_utc_epoch = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class EngineBook:
    """The displayed book of an engine, best level first, and what the instrument does.

    `lower`, `upper` and `reference` are those of its price band. In a call, the last four say what
    the auction would be if it ended now.
    """

    symbol: str
    time: int  #: nanoseconds since 1970-01-01 UTC
    phase: str
    halted: bool
    bids: tuple[Level, ...]
    asks: tuple[Level, ...]
    last_price: float | None
    lower: float | None
    upper: float | None
    reference: float | None
    indicative_price: float | None = None
    indicative_quantity: int | None = None
    surplus: int | None = None
    surplus_side: Literal["buy", "sell"] | None = None

    @property
    def mid(self) -> float | None:
        """Half way between best bid and ask; None if one is not there."""
        return (self.bids[0].price + self.asks[0].price) / 2 if self.bids and self.asks else None

    @property
    def spread(self) -> float | None:
        """Best ask less best bid; None if one is not there."""
        return self.asks[0].price - self.bids[0].price if self.bids and self.asks else None


class Engine(_core.Engine):
    """A matching engine, alone or led by the rules and the timetable of a venue.

    >>> from damrak import Engine, Limit
    >>> engine = Engine(["AAPL"])
    >>> engine.submit(Limit("AAPL", "sell", 100, 585.33))[0].kind
    'accepted'
    >>> [event.kind for event in engine.submit(Limit("AAPL", "buy", 40, 585.33, participant=2))]
    ['accepted', 'executed', 'executed']

    It has no clock: time is what commands say, and stays if they say nothing. The same commands
    give the same events and the same `state_hash` on every machine. One thread at a time: a second
    one gets an `InUseError`.

    Parameters
    ----------
    instruments
        Symbols or `Instrument` objects.
    venue
        The name of a ready-made venue (`damrak.venues()`), or the path of a venue file; None:
        continuous trading by price and time, until commands say otherwise.
    date, time
        When it begins, by the clock of the venue (UTC without one). Without instruments, a script
        that begins earlier is what begins it.
    seed
        That of the venue's random ends of calls.
    max_orders, max_instruments, max_participants
        Room for this many open orders, instruments and participants, reserved at once.

    Raises
    ------
    OrderError
        An instrument or the venue cannot be understood.
    """

    __slots__ = ()

    def __init__(
        self,
        instruments: Sequence[str | Instrument],
        venue: str | os.PathLike[str] | None = None,
        *,
        date: Date = "2025-01-06",
        time: TimeOfDay = "11:00",
        seed: int = 1,
        max_orders: int = 200_000,
        max_instruments: int = 256,
        max_participants: int = 16_384,
    ) -> None:
        if isinstance(instruments, str):
            raise TypeError("instruments is a list: write Engine(['AAPL'])")
        listed = as_list("instruments", instruments, "symbols or Instrument objects")
        lines = [line for one in listed for line in lines_of(one)]
        super().__init__(
            None if venue is None else as_path("venue", venue),
            _days(date),
            time_ns(time),
            as_whole("seed", seed),
            as_whole("max_instruments", max_instruments, 1, _most_places),
            as_whole("max_participants", max_participants, 1, _most_places),
            as_whole("max_orders", max_orders, 1, _most_places),
        )
        if lines:
            at = time_ns(time)
            events = _core.engine_run(self, f"{_clock(at)} " + "\n".join(lines), "instruments")
            for event in events:
                if event.kind == "rejected":
                    raise OrderError(f"instruments: {event.text}: {lines[(event.line or 1) - 1]}")
            self.advance(self.time)

    def __repr__(self) -> str:
        return f"<damrak.Engine: {', '.join(self.symbols[:8])}, time {self.time}>"

    if TYPE_CHECKING:

        def submit(self, order: Command | _core.Prepared, time: Time | None = None) -> Events:
            """Applies a command and gives its events, and those of the venue until then.

            A mistake, such as an unknown symbol, a price off the tick or NaN, is an `OrderError`
            and changes nothing. What the engine rejects by its rules is an event, `Rejected`.
            """
            ...

        def advance(self, time: Time) -> Events:
            """Lets it become that late: sessions begin and end, orders expire."""
            ...

    def prepare(self, order: Command) -> _core.Prepared:
        """A command whose words and prices are checked, to be submitted any number of times.

        Submitting it costs a tenth of submitting the object. An order without an `id` gets the next
        one each time.
        """
        return prepared_of(self, order)

    def run(self, script: str, *, name: str = "script") -> Events:
        """Applies the lines of a command script, which has every command of the engine.

        The lines may name the instruments and orders that are there. A line that cannot be
        understood is an `OrderError` with its number, and nothing is applied. `book` lines do
        nothing. Ctrl-C ends it between two lines.
        """
        return _core.engine_run(self, as_text("script", script), as_text("name", name))  # type: ignore[return-value]

    def submit_many(self, orders: Any, *, price_type: PriceType = "float") -> Table:
        """Applies an order for each row, and gives a table of all events.

        All rows are understood before the first is applied, and a mistake is an `OrderError` with
        its row. Columns must have exactly the types of `order_dtype`: none is converted. Ctrl-C
        ends it between two blocks of rows, of which those before were applied.

        Parameters
        ----------
        orders
            A structured NumPy array, a dictionary of arrays, or what has an Arrow stream, such as a
            Polars frame or an Arrow table.
        price_type
            "float": prices of events are float64 in the currency. "fixed": int64 in billionths of
            it, exact.

        Returns
        -------
        Table
            Columns: ts_event, line (the row; null: the venue, or time itself), event, command,
            symbol, order, participant, side, type, tif, reason, price, quantity, remaining,
            displayed, reference (by event the client order id, the trade, the new order or the
            public id), flags.
        """
        if price_type not in ("float", "fixed"):
            raise ValueError(f"price_type={price_type!r}: 'float' or 'fixed'")
        is_exact = price_type == "fixed"
        if hasattr(orders, "__arrow_c_stream__"):
            return Table(_core.submit_stream(self, orders.__arrow_c_stream__(), is_exact))
        if hasattr(orders, "mask"):
            raise TypeError("a masked array may lack values: give every row one")
        names = getattr(getattr(orders, "dtype", None), "names", None)
        if names is None and not isinstance(orders, Mapping):
            raise TypeError(
                "orders are a structured array (see order_dtype), a dictionary of arrays or an "
                f"Arrow table, not {type(orders).__name__}"
            )
        columns = {as_text("column", name): _plain(name, orders[name]) for name in names or orders}
        return Table(_core.submit_columns(self, columns, is_exact))

    def book(self, symbol: str, levels: int = 1_000_000) -> EngineBook:
        """The current displayed book of an instrument."""
        book = _core.engine_book(self, as_text("symbol", symbol), as_whole("levels", levels, 1))
        sides = {
            side: tuple(Level(*level) for level in book.pop(side)) for side in ("bids", "asks")
        }
        return EngineBook(**sides, **book)  # type: ignore[arg-type]

    def save(self) -> bytes:
        """All state as bytes, for `load`."""
        return _core.engine_save(self)

    @classmethod
    def load(
        cls, data: bytes, venue: str | os.PathLike[str] | None = None, *, seed: int = 1
    ) -> Engine:
        """The engine whose state `save` returned as these bytes.

        Venue and seed are not in them. The venue continues as in an exchange after a restart:
        a call that it was extending ends with this extension, and a pause starts from the state of
        the instrument.
        """
        if not isinstance(data, bytes):
            raise TypeError(f"data is what save() gave, bytes, not {type(data).__name__}")
        engine = cls([], venue, date="1970-01-02", time=0, seed=seed)
        _core.engine_load(engine, data)
        return engine


def prepared_of(engine: Engine, order: object) -> _core.Prepared:
    """The prepared command for an object."""
    if not isinstance(order, Command) or type(order) in (Command, Order):
        raise TypeError(
            "submit takes a command such as Limit, MarketOrder or Cancel, "
            f"not {type(order).__name__}"
        )
    plain = _plain_command(engine, order)
    if plain is not None:
        return plain
    expire = order.expire if isinstance(order, Order) else None
    symbol = getattr(order, "symbol", None)
    return _core.engine_prepare(
        engine,
        type(order).__name__,
        line_of(order),
        symbol if isinstance(symbol, str) else None,
        isinstance(order, Order | Quote) and order.id is None,
        isinstance(order, Quote) and order.ask_id is None,
        0 if expire is None else ns_of(engine, expire),
    )


def _plain_command(engine: Engine, order: Command) -> _core.Prepared | None:
    """The usual commands without the detour of a line of text; None: it needs that."""
    if isinstance(order, Limit | MarketOrder):
        if order.expire is not None or order.oco is not None or order.oto is not None:
            return None
        flags = OrderFlag.IMBALANCE_ONLY.value if order.imbalance_only else 0
        price: Price | None = None
        display = 0
        if isinstance(order, Limit):
            price, display = order.price, order.display
            if price is None:
                return None
            if order.hidden:
                flags |= OrderFlag.HIDDEN.value
            if order.post_only:
                flags |= OrderFlag.POST_ONLY.value
            if order.post_only_reprice:
                flags |= OrderFlag.POST_ONLY_REPRICE.value
        elif order.to_limit:
            flags |= OrderFlag.TO_LIMIT.value
        return _core.engine_prepare_order(
            engine,
            *(order.symbol, order.side, order.quantity, price, order.participant, order.tif),
            *(order.id, order.client_id, display, order.minimum, order.self_trade, flags),
        )
    if isinstance(order, Cancel):
        return _core.engine_prepare_change(
            engine, False, order.symbol, order.id, None, order.quantity, None, order.participant, 0
        )
    if isinstance(order, Replace) and order.stop is None:
        flags = (OrderFlag.LOSE_PRIORITY.value if order.lose_priority else 0) | (
            OrderFlag.QUANTITY_IS_TOTAL.value if order.total else 0
        )
        return _core.engine_prepare_change(
            *(engine, True, order.symbol, order.id, order.new_id, order.quantity, order.price),
            *(order.participant, flags),
        )
    return None


def ns_of(engine: _core.Engine, time: Time) -> int:
    """Nanoseconds since 1970-01-01 UTC."""
    if isinstance(time, bool):
        raise TypeError("a time is a number of nanoseconds, a text or a datetime")
    if isinstance(time, str | dt.time):
        return _core.engine_at(engine, time_ns(time))
    if isinstance(time, dt.datetime):
        if time.tzinfo is None:
            raise ValueError(f"{time} has no zone: give it one, or take nanoseconds")
        if not 1970 <= time.year <= 2250:
            raise ValueError(f"{time} is not in the years 1970 to 2250")
        since = time - _utc_epoch
        return (since.days * 86_400 + since.seconds) * 1_000_000_000 + since.microseconds * 1_000
    if not hasattr(time, "__index__"):
        raise TypeError(
            "a time is nanoseconds since 1970-01-01 UTC, a text such as '09:30' or a datetime, "
            f"not {type(time).__name__}"
        )
    ns = time.__index__()
    if not -(1 << 63) <= ns < 1 << 63:
        raise OrderError(f"the time {ns} does not fit in 64 bits")
    return ns


def order_dtype(*names: str) -> np.dtype[np.void]:
    """A NumPy type for `Engine.submit_many`, with the columns that are named; none: with all.

    Columns that are left out have their defaults: `command` 1 (1 new, 2 cancel, 3 replace,
    5 query), `time` that of the row before, `instrument` the only one (otherwise the place in
    `Engine.symbols`, from 1), `participant` 1, `order` the next id (`new_order` of a replace: the
    same), and all others 0: `side` buy (1 sell), `type` limit (1 market, 2 stop, 3 stop_limit),
    `tif` day (1 gtc, 2 gtd, 3 ioc, 4 fok, 5 at_open, 6 at_close, 7 at_auction), `self_trade` none
    (1 cancel_newest, 2 cancel_oldest, 3 cancel_both, 4 decrement_and_cancel, 5 skip_own), `peg`
    none (1 primary, 2 market, 3 midpoint), `link` none (1 oco, 2 oto, to the order `new_order`),
    `flags` bits of `OrderFlag`.

    >>> order_dtype("side", "quantity", "price")
    dtype([('side', 'u1'), ('quantity', '<i8'), ('price', '<f8')])
    """
    import numpy

    types = {name: kind for name, kind, _ in _core.order_columns()}
    for name in names:
        if name not in types:
            raise ValueError(f"there is no column {name!r}; there are {', '.join(types)}")
    return numpy.dtype([(name, types[name]) for name in names or types])


class OrderFlag(IntFlag):
    """Bits of the column `flags` of `Engine.submit_many`."""

    HIDDEN = 1
    POST_ONLY = 2
    POST_ONLY_REPRICE = 4
    QUANTITY_IS_TOTAL = 8  #: replace: the executed part is in the quantity
    LOSE_PRIORITY = 32  #: replace: always to the end of the queue
    PEGGED = 2048
    IMBALANCE_ONLY = 4096
    TO_LIMIT = 8192
    TRAILING = 16384
    LINKED = 32768


def _plain(name: str, values: Any) -> Any:
    dtype = getattr(values, "dtype", None)
    if dtype is not None and dtype.kind == "M":
        if str(dtype) != "datetime64[ns]":
            raise OrderError(f"column {name!r} is {dtype}: it must be datetime64[ns] or int64")
        return values.view("int64")
    return values


def _days(date: Date) -> int:
    date = date_of(date)
    if not 1970 <= date.year <= 2250:
        raise ValueError(f"{date} is not in the years 1970 to 2250")
    return (date - _epoch).days


def _clock(ns: int) -> str:
    seconds, ns = divmod(ns, 1_000_000_000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{ns:09}"


def venues() -> list[str]:
    """The names of the venues that come with the package."""
    return _core.venue_names()
