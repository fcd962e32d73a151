"""The feed of a running exchange: its books, trades and messages."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias, cast

from ._arguments import as_seconds, as_text, as_whole
from ._connection import Connection, ConnectionLost
from ._core import FeedConnection
from ._events import Side
from ._orders import Book, Level

_Levels: TypeAlias = list[tuple[int, int, int]]
_units = 10_000  # of prices on the feed


class FeedMessage(NamedTuple):
    """A message of ITCH 5.0 as it came.

    Attributes
    ----------
    number : int
        Its number in the session; 0: it is of the snapshot.
    type : str
        Its letter, such as "A" (an order came) or "E" (an order traded).
    data : bytes
        The whole message, its letter first.
    """

    number: int
    type: str
    data: bytes


class FeedTrade(NamedTuple):
    """The last trade of an instrument; `aggressor` is None where the feed does not tell."""

    time_ns: int
    price: float
    size: int
    aggressor: Side | None


class Feed(Connection[FeedConnection]):
    """Follows an order-by-order feed (ITCH 5.0 over SoupBinTCP); made by `follow` and
    `Exchange.feed`.

    A thread of the library receives, keeps the books and, after a loss, goes on with the next
    message.
    """

    def __repr__(self) -> str:
        return f"<damrak.Feed of {self._where}: message {self.sequence}>"

    @property
    def symbols(self) -> list[str]:
        """Of the instruments, in the order of the feed."""
        return cast("list[str]", self._connection.symbols())

    @property
    def sequence(self) -> int:
        """The number of the last message that is in the books."""
        return self._connection.sequence

    @property
    def is_live(self) -> bool:
        """Whether it is logged in, behind the snapshot if there is one."""
        return self._connection.is_live

    @property
    def dropped(self) -> int:
        """Messages that `messages` did not take in time."""
        return self._connection.lost

    def book(self, symbol: str, levels: int = 0) -> Book:
        """The displayed book after the last message that came, best level first; 0 levels: all.

        Raises
        ------
        DamrakError
            The feed has no such instrument.
        """
        row = cast(
            "tuple[int, int, _Levels, _Levels]",
            self._connection.book(as_text("symbol", symbol), as_whole("levels", levels)),
        )
        time_ns, sequence, bids, asks = row

        def side(rows: _Levels) -> tuple[Level, ...]:
            return tuple(Level(price / _units, size, orders) for price, size, orders in rows)

        return Book(symbol, time_ns, sequence, side(bids), side(asks))

    def last_trade(self, symbol: str) -> FeedTrade | None:
        """The last trade since the start of the session, or of following; None: there is none."""
        row = self._connection.last_trade(as_text("symbol", symbol))
        if row is None:
            return None
        time_ns, price, size, aggressor = cast("tuple[int, int, int, Side | None]", row)
        return FeedTrade(time_ns, price / _units, size, aggressor)

    def status(self, symbol: str) -> str:
        """What it does instead of trading, such as "halted (operator)"; empty: it trades."""
        return self._connection.status(as_text("symbol", symbol))

    def wait(self, after: int | None = None, timeout: float = 10.0) -> int:
        """Waits for a message with a number above `after`, and returns that of the last one.

        Parameters
        ----------
        after
            None: the last message by now.
        timeout
            Seconds.

        Raises
        ------
        TimeoutError
            None came.
        ConnectionLost
            None will come: the session has ended, or the connection was closed.
        """
        after = self.sequence if after is None else as_whole("after", after)
        last = self._connection.wait(after, as_seconds("timeout", timeout))
        if last <= after and self._connection.is_over:
            raise ConnectionLost(f"{self._where}: no message after {after} will come")
        if last <= after:
            raise TimeoutError(
                f"{self._where}: no message after {after} for {timeout} s"
                + (f": {self.trouble}" if self.trouble else "")
            )
        return last

    def messages(self) -> Iterator[FeedMessage]:
        """Those since the last call, oldest first; see `keep` of `follow`."""
        for number, data in cast("list[tuple[int, bytes]]", self._connection.take_messages()):
            yield FeedMessage(number, chr(data[0]), data)

    def close(self) -> None:
        """Ends the connection; the books stay as they are, to be read."""
        self._connection.end()


def follow(
    host: str = "127.0.0.1",
    port: int = 26_401,
    *,
    snapshot_port: int | None = None,
    keep: int = 100_000,
    timeout: float = 10.0,
) -> Feed:
    """Follows the feed of a running exchange, and waits for its first messages.

    >>> with damrak.follow(port=26401) as feed:     # doctest: +SKIP
    ...     print(feed.book("AAPL", levels=5))

    Parameters
    ----------
    port
        That of ITCH over TCP.
    snapshot_port
        That of snapshots (GLIMPSE), to begin with one. None: begins with the first message of the
        day.
    keep
        How many messages are kept for `messages`; older ones are dropped.
    timeout
        Seconds to wait.

    Raises
    ------
    TimeoutError
        Nothing came.
    """
    timeout = as_seconds("timeout", timeout)
    connection = FeedConnection(
        as_text("host", host),
        as_whole("port", port, 1, 65_535),
        0 if snapshot_port is None else as_whole("snapshot_port", snapshot_port, 1, 65_535),
        as_whole("keep", keep),
    )
    feed = Feed(connection, f"{host}:{port}")
    end = time.monotonic() + timeout
    try:
        while not (feed.is_live and feed.symbols):
            if time.monotonic() > end:
                raise TimeoutError(f"{host}:{port}: no feed for {timeout} s: {feed.trouble}")
            connection.wait(feed.sequence, 0.05)
    except BaseException:
        connection.end()
        raise
    return feed
