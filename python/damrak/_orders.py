"""Books and orders at a moment, as plain objects."""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """A price level: its price in the currency, displayed shares, and number of orders.

    `orders` is None where it is not known, because some of the quantity is anonymous.
    """

    price: float
    size: int
    orders: int | None


class Book(NamedTuple):
    """The displayed book after message `sequence`, best level first.

    `not_known` has a sentence for each thing that the day cannot tell, such as levels below the
    recorded ones: a level that is not there is not known to be empty. `time_ns` is in nanoseconds
    since midnight; it is earlier than was asked for where messages are missing, which `missing`
    says.
    """

    symbol: str
    time_ns: int
    sequence: int
    bids: tuple[Level, ...]
    asks: tuple[Level, ...]
    not_known: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def mid(self) -> float | None:
        """Half way between best bid and ask; None if one is not there."""
        return (self.bids[0].price + self.asks[0].price) / 2 if self.bids and self.asks else None

    @property
    def spread(self) -> float | None:
        """Best ask less best bid; None if one is not there."""
        return self.asks[0].price - self.bids[0].price if self.bids and self.asks else None


class QueuedOrder(NamedTuple):
    """An order in the queue of its price, and what stands before it."""

    reference: int | None  #: None: anonymous quantity, of an unknown number of orders
    price: float
    size: int | None  #: None: a part of it is known, as it came into view
    shares_ahead: int | None  #: None: the price has such an order, or anonymous quantity


class OrderStep(NamedTuple):
    """An order after a message that changed it, or the queue ahead of it.

    `type` is that of the ITCH message. `size` is the open quantity, 0 once the order has ended;
    None where it is not known, as the order left the view, or came into it with a part of its
    quantity. `orders_ahead`, `shares_ahead`: None where the price has anonymous quantity or orders
    known in part. `made_by_view`: the order came into view or left it, and nobody entered or
    cancelled it then.
    """

    sequence: int
    time_ns: int
    type: str
    made_by_view: bool
    reference: int
    price: float
    size: int | None
    orders_ahead: int | None
    shares_ahead: int | None


class OrderLife(NamedTuple):
    """An order from the message that added it, through its replacements, to its end."""

    symbol: str
    side: str  #: "buy" or "sell"
    steps: tuple[OrderStep, ...]
    missing: tuple[str, ...] = ()

    def life(self) -> tuple[OrderStep, ...]:
        """Its `steps`: each message that changed it, or the queue ahead of it."""
        return self.steps
