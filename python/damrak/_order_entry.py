"""Orders at a running exchange, by its binary protocol, OUCH or FIX."""

from __future__ import annotations

import asyncio
import json
import os
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias, cast, get_args

from ._arguments import as_choice, as_seconds, as_table, as_text, as_whole
from ._commands import Limit, Order, Price
from ._connection import Connection, ConnectionLost
from ._core import OrderConnection
from ._events import Side
from ._lines import number_text, term_line_of, whole_text

Protocol: TypeAlias = Literal["binary", "ouch", "fix"]
OwnOrderState: TypeAlias = Literal["sent", "open", "ended", "unsure"]
NewsKind: TypeAlias = Literal[
    "logged_in",
    "login_refused",
    "logged_out",
    "accepted",
    "refused",
    "filled",
    "unfilled",
    "cancelled",
    "cancel_refused",
    "replaced",
    "replace_refused",
    "error",
    "timed_out",
    "status",
    "triggered",
    "trade_changed",
]
_Row: TypeAlias = tuple[str, int, str, str, int | None, int, int, str, int, int, int, int, str]

_default_ports = {"binary": 12_345, "ouch": 26_400, "fix": 9_878}


class OwnOrder(NamedTuple):
    """An order of this connection, as it was when it was asked for.

    Attributes
    ----------
    number : int
        1, 2, 3 and so on in this connection; what `cancel` and `replace` take.
    id : int
        The exchange's id; 0: it has not answered, or its protocol tells none.
    price : float or None
        Its limit; None: it has none.
    open : int
        The open quantity.
    filled : int
        The quantity that traded.
    state : str
        "sent" until the exchange answers, then "open" or "ended"; "unsure" after a lost connection,
        when it may be either.
    """

    number: int
    id: int
    symbol: str
    side: Side
    price: float | None
    open: int
    filled: int
    state: OwnOrderState


class News(NamedTuple):
    """What the exchange said.

    Attributes
    ----------
    kind : str
        What happened, such as "accepted", "refused", "filled" or "cancelled".
    order : OwnOrder or None
        The order afterwards; None: it is about none.
    quantity : int
        Of a fill, else 0.
    price : float or None
        Of a fill.
    trade : int
        Its number, where the protocol tells it; else 0.
    why : str
        The reason of a refusal.
    """

    kind: NewsKind
    order: OwnOrder | None
    quantity: int
    price: float | None
    trade: int
    why: str


def _order_of(row: _Row) -> OwnOrder | None:
    _, number, symbol, side, price, left, filled, state, exchange_id, *_ = row
    if number == 0:
        return None
    return OwnOrder(
        number,
        exchange_id,
        symbol,
        cast(Side, side),
        None if price is None else price / 100,
        left,
        filled,
        cast(OwnOrderState, state),
    )


def _news_of(row: _Row) -> News:
    kind, quantity, price, trade, why = row[0], row[9], row[10], row[11], row[12]
    is_fill = kind in ("filled", "trade_changed")
    return News(
        cast(NewsKind, kind),
        _order_of(row),
        quantity if is_fill else 0,
        price / 100 if is_fill else None,
        trade,
        why,
    )


class OrderEntry(Connection[OrderConnection]):
    """A connection for orders, which is kept up; made by `connect` and `Exchange.connect`.

    A thread of the library sends and receives, keeps the session alive and, after a loss, connects
    again.
    `submit`, `cancel` and `replace` send and return at once; what the exchange says comes in order
    from `next`, `wait` or `async for`. Use one from one thread at a time.
    """

    def __repr__(self) -> str:
        return f"<damrak.OrderEntry at {self._where}: {self.state}>"

    @property
    def state(self) -> str:
        """connecting, logging_in, up, waiting (to connect again), refused or ended."""
        return self._connection.state

    @property
    def losses(self) -> int:
        """How often a connection that was up got lost."""
        return self._connection.losses

    @property
    def orders(self) -> list[OwnOrder]:
        """Those that are sent, open or unsure."""
        rows = cast("list[_Row]", self._connection.orders())
        return [order for row in rows if (order := _order_of(row)) is not None]

    def submit(self, order: Order) -> int:
        """Sends an order, and returns its number.

        Parameters
        ----------
        order
            A `Limit`, `MarketOrder`, `Stop`, `StopLimit` or `Pegged`. Prices have at most two
            decimals.

        Raises
        ------
        OrderError
            The protocol, or this exchange's client, cannot say such an order: nothing was sent.
        DamrakError
            There is no connection.
        """
        line = term_line_of(order)
        return self._connection.command(line, order.symbol)

    def buy(self, symbol: str, quantity: int, price: Price) -> int:
        """Sends `Limit(symbol, "buy", quantity, price)`."""
        return self.submit(Limit(symbol, "buy", quantity, price))

    def sell(self, symbol: str, quantity: int, price: Price) -> int:
        """Sends `Limit(symbol, "sell", quantity, price)`."""
        return self.submit(Limit(symbol, "sell", quantity, price))

    def cancel(self, number: int) -> None:
        """Asks for the end of the order with that number. Raises OrderError if it is not open."""
        self._connection.command(f"cancel {whole_text('cancel', 'number', number)}")

    def replace(self, number: int, quantity: int, price: Price) -> None:
        """Asks for another open quantity and price. Raises OrderError if it is not open."""
        self._connection.command(
            f"modify {whole_text('replace', 'number', number)} "
            f"{whole_text('replace', 'quantity', quantity)} "
            f"{number_text('replace', 'price', price)}"
        )

    def next(self, timeout: float = 10.0) -> News | None:
        """What the exchange said next; None: nothing, for that many seconds.

        Raises
        ------
        ConnectionLost
            Nothing more will come.
        """
        row = self._connection.event(as_seconds("timeout", timeout))
        if row is not None:
            return _news_of(cast(_Row, row))
        self._check_is_alive()
        return None

    def wait(self, *kinds: NewsKind, timeout: float = 10.0) -> News:
        """The next news of these kinds; others before it are dropped.

        Raises
        ------
        TimeoutError
            None came for that many seconds.
        ConnectionLost
            None will come.
        """
        for kind in kinds:
            as_choice("kind", kind, get_args(NewsKind))
        end = time.monotonic() + as_seconds("timeout", timeout)
        while (left := end - time.monotonic()) > 0:
            news = self.next(left)
            if news is not None and news.kind in kinds:
                return news
        raise TimeoutError(f"the exchange said nothing of {', '.join(kinds)} for {timeout} s")

    def take(self) -> Iterator[News]:
        """What the exchange has said by now, without waiting."""
        while (row := self._connection.event_now()) is not None:
            yield _news_of(cast(_Row, row))

    async def get(self) -> News:
        """What the exchange says next, for programs with an event loop.

        Raises
        ------
        ConnectionLost
            Nothing more will come.
        """
        while (row := self._connection.event_now()) is None:
            self._check_is_alive()
            await _readable(self._connection.fileno())
        return _news_of(cast(_Row, row))

    async def __aiter__(self) -> AsyncIterator[News]:
        while True:
            try:
                news = await self.get()
            except ConnectionLost:
                return
            yield news

    def close(self) -> None:
        """Logs out, and ends the connection. Open orders follow the rules of the exchange."""
        self._connection.log_out()
        end = time.monotonic() + 1.0
        while self.state == "up" and time.monotonic() < end:
            self._connection.event(0.05)
        self._connection.end()

    def _check_is_alive(self) -> None:
        if self.state in ("refused", "ended"):
            raise ConnectionLost(f"{self._where}: {self.trouble or 'logged out'}")


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    own = os.dup(descriptor)  # a loop tells one reader of each descriptor
    ready: asyncio.Future[None] = loop.create_future()

    def set_ready() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(own, set_ready)
    try:
        await ready
    finally:
        loop.remove_reader(own)
        os.close(own)


def connect(
    address: str = "127.0.0.1",
    protocol: Protocol = "binary",
    *,
    user: str = "",
    password: str = "",
    exchange: str = "DAMRAK",
    instruments: Mapping[str, int] | None = None,
    http: int | None = None,
    timeout: float = 10.0,
) -> OrderEntry:
    """Connects to a running exchange for orders, and waits until it lets us in.

    >>> with damrak.connect("127.0.0.1:26400", "ouch", user="ME") as me:     # doctest: +SKIP
    ...     me.buy("AAPL", 100, 585.33)
    ...     print(me.wait("accepted", "refused"))

    Parameters
    ----------
    address
        `HOST` or `HOST:PORT`; without a port the usual one of the protocol.
    protocol
        "binary", "ouch" or "fix".
    user
        OUCH: the user, at most six characters. FIX: the comp id. binary: an API key, or nothing.
    password
        Of that user.
    exchange
        FIX: the comp id of the exchange.
    instruments
        binary: the number of each symbol. None: asked of the exchange's HTTP interface at the port
        `http`; without one, symbols are numbers such as "#1".
    timeout
        Seconds to wait for the login; later losses do not end the connection.

    Raises
    ------
    ConnectionLost
        The exchange does not let us in, or nobody answered for `timeout` seconds.
    """
    as_choice("protocol", protocol, _default_ports)
    host, _, port = as_text("address", address).rpartition(":")
    if not host or not (port.isascii() and port.isdigit()):
        host, port = address, str(_default_ports[protocol])
    if len(port) > 5 or not 0 < int(port) < 65_536:
        raise ValueError(f"{address}: a port is a number from 1 to 65535")
    for name, value in (("user", user), ("password", password), ("exchange", exchange)):
        as_text(name, value)
    timeout = as_seconds("timeout", timeout)
    if http is not None:
        http = as_whole("http", http, 1, 65_535)
    if protocol == "fix" and not user:
        raise ValueError("FIX needs a comp id: user=")
    if instruments is None and protocol == "binary" and http is not None:
        instruments = _instruments_of(host, http)
    numbers = {
        symbol: as_whole(f"instruments[{symbol!r}]", number, 1, (1 << 32) - 1)
        for symbol, number in as_table("instruments", instruments or {}).items()
    }
    connection = OrderConnection(
        protocol, host.strip("[]"), int(port), user, password, exchange, numbers
    )
    entry = OrderEntry(connection, f"{host}:{port}")
    end = time.monotonic() + timeout
    try:
        while (left := end - time.monotonic()) > 0:
            connection.event(min(left, 0.1))  # news of the login are for nobody
            if entry.state == "up":
                return entry
            if entry.state in ("refused", "ended"):
                raise ConnectionLost(f"{host}:{port}: {entry.trouble}")
    except BaseException:
        connection.end()
        raise
    connection.end()
    raise ConnectionLost(
        f"{host}:{port}: {entry.trouble or 'no answer'} (for {timeout} s; see timeout=)"
    )


def _instruments_of(host: str, port: int) -> dict[str, int]:
    try:
        with urllib.request.urlopen(f"http://{host}:{port}/instruments", timeout=10) as answer:
            listed = json.load(answer)["instruments"]
    except (OSError, ValueError, KeyError) as error:
        raise ConnectionLost(
            f"{host}:{port}: the exchange lists no instruments ({error}); give instruments="
        ) from error
    return {one["symbol"]: one["id"] for one in listed}
