"""What an engine can be asked for: an object for each command.

Each is a line of a command script (docs/reference/command-script.md), whose words and defaults it
has; `_lines` writes it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from typing import ClassVar, Literal, TypeAlias

from ._events import Side

#: Exact: a Decimal or a whole number; a float is the number that it is meant to be.
Price: TypeAlias = float | int | Decimal
#: Nanoseconds since 1970-01-01 UTC, a datetime with a zone, or a time of the engine's day: "09:30".
Time: TypeAlias = int | str | dt.time | dt.datetime
TimeInForce: TypeAlias = Literal[
    "day", "gtc", "gtd", "ioc", "fok", "at_open", "at_close", "at_auction"
]
SelfTrade: TypeAlias = Literal[
    "none", "cancel_newest", "cancel_oldest", "cancel_both", "decrement_and_cancel", "skip_own"
]
Phase: TypeAlias = Literal["continuous", "pre_open", "call", "closed", "at_last"]
AuctionRule: TypeAlias = Literal["xetra", "euronext", "lse", "nasdaq", "frequent_batch"]
Call: TypeAlias = Literal["intraday", "opening", "closing", "interruption", "reopening"]
#: A percentage, an amount, or both: "2.5%", "0.10", "2.5%/0.10".
Margin: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Command:
    """A request to the engine."""

    verb: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Order(Command):
    """An order, with what all of them may have.

    `id` is given, or the next one. `minimum` is a quantity that trades at once or not at all,
    `expire` the end of an order that is "gtd": a time of day or nanoseconds since 1970-01-01 UTC.
    `oco` is the id of the order that it cancels and that cancels it, `oto` of that which triggers
    it.
    """

    symbol: str
    side: Side
    quantity: int
    _: KW_ONLY
    participant: int = 1
    tif: TimeInForce = "day"
    id: int | None = None
    client_id: int = 0
    minimum: int = 0
    expire: Time | None = None
    self_trade: SelfTrade = "none"
    imbalance_only: bool = False
    oco: int | None = None
    oto: int | None = None


@dataclass(frozen=True, slots=True)
class Limit(Order):
    """An order with a limit. `display` is the part that an iceberg shows, 0: all."""

    verb: ClassVar[str] = "new type=limit"
    price: Price
    _: KW_ONLY
    display: int = 0
    hidden: bool = False
    post_only: bool = False
    post_only_reprice: bool = False


@dataclass(frozen=True, slots=True)
class MarketOrder(Order):
    """An order without a limit; `to_limit`: what is left rests at the price of its first trade."""

    verb: ClassVar[str] = "new type=market"
    _: KW_ONLY
    to_limit: bool = False


@dataclass(frozen=True, slots=True)
class Stop(Order):
    """A market order once a trade reaches `stop`, or has come back by `trail`."""

    verb: ClassVar[str] = "new type=stop"
    _: KW_ONLY
    stop: Price | None = None
    trail: Price | None = None


@dataclass(frozen=True, slots=True)
class StopLimit(Order):
    """A limit order once a trade reaches `stop`, or has come back by `trail`."""

    verb: ClassVar[str] = "new type=stop_limit"
    price: Price
    _: KW_ONLY
    stop: Price | None = None
    trail: Price | None = None


@dataclass(frozen=True, slots=True)
class Pegged(Order):
    """An order that follows a price at a distance, up to its limit `price`; it is hidden."""

    verb: ClassVar[str] = "new"
    peg: Literal["primary", "market", "midpoint"]
    _: KW_ONLY
    offset: Price = 0
    price: Price | None = None
    displayed: bool = False


@dataclass(frozen=True, slots=True)
class Quote(Command):
    """A bid and an ask, which replace the quote before. A quantity of 0: no such side."""

    verb: ClassVar[str] = "quote"
    symbol: str
    bid: Price
    bid_quantity: int
    ask: Price
    ask_quantity: int
    participant: int = 1
    id: int | None = None
    ask_id: int | None = None
    client_id: int = 0
    self_trade: SelfTrade = "none"


@dataclass(frozen=True, slots=True)
class Cancel(Command):
    """Takes an order away, or `quantity` of it; 0: all."""

    verb: ClassVar[str] = "cancel"
    symbol: str
    id: int
    quantity: int = 0
    participant: int = 1


@dataclass(frozen=True, slots=True)
class Replace(Command):
    """Changes an order; give `price` and `quantity` even if they stay. `total`: the quantity
    includes the executed part."""

    verb: ClassVar[str] = "replace"
    symbol: str
    id: int
    quantity: int
    price: Price | None = None
    stop: Price | None = None
    new_id: int | None = None
    lose_priority: bool = False
    total: bool = False
    participant: int = 1


@dataclass(frozen=True, slots=True)
class Query(Command):
    """Asks for the state of an order."""

    verb: ClassVar[str] = "query"
    symbol: str
    id: int
    participant: int = 1


@dataclass(frozen=True, slots=True)
class MassCancel(Command):
    """Takes orders away: of an instrument, a participant and a side; None: of all."""

    verb: ClassVar[str] = "mass_cancel"
    symbol: str | None = None
    participant: int | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class SetPhase(Command):
    """Puts an instrument in a phase. `restrictions` are of market_auction_orders,
    limit_auction_orders, auction_order_changes and changes."""

    verb: ClassVar[str] = "set_phase"
    symbol: str
    phase: Phase
    auction: AuctionRule = "xetra"
    call: Call = "intraday"
    restrictions: Sequence[str] = ()
    cause: str = "none"
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class Uncross(Command):
    """Ends a call with its auction; `phase` follows. `conditions` are of price_in_corridor,
    no_market_orders_left and has_price."""

    verb: ClassVar[str] = "uncross"
    symbol: str
    phase: Phase = "continuous"
    conditions: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Halt(Command):
    """Stops an instrument: it takes no orders."""

    verb: ClassVar[str] = "set_trading_state state=halted"
    symbol: str
    market_wide: bool = False


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Ends a halt."""

    verb: ClassVar[str] = "set_trading_state state=trading"
    symbol: str


@dataclass(frozen=True, slots=True)
class SetAllocation(Command):
    """How the orders at one price share what comes in; no steps: by time."""

    verb: ClassVar[str] = "set_allocation"
    symbol: str
    steps: Sequence[str] = ()
    split_percent: float | None = None
    split_rounding: Literal["down", "nearest", "up"] = "nearest"
    top_minimum: int | None = None
    top_maximum: int | None = None
    pro_rata_minimum: int | None = None


@dataclass(frozen=True, slots=True)
class SetLeadMaker(Command):
    """Gives a participant its percentage of what comes in; 0: no longer."""

    verb: ClassVar[str] = "set_lead_maker"
    symbol: str
    participant: int
    percent: float


@dataclass(frozen=True, slots=True)
class SetPriceLimits(Command):
    """Corridors and collars around prices; None: there is none. docs/rule-book/price-limits.md."""

    verb: ClassVar[str] = "set_price_limits"
    symbol: str
    dynamic_corridor: Margin | None = None
    static_corridor: Margin | None = None
    market_collar: Margin | None = None
    entry_limit: Margin | None = None
    auction_corridor: Margin | None = None
    on_breach: Literal["rest", "cancel", "interrupt"] = "rest"
    on_own_cross: Literal["rest_undisplayed", "refuse", "reprice"] = "rest_undisplayed"
    refuse_reached_stops: bool = False


@dataclass(frozen=True, slots=True)
class SetPriceBand(Command):
    """The prices between which an instrument trades, and its static reference."""

    verb: ClassVar[str] = "set_price_band"
    symbol: str
    lower: Price | None = None
    upper: Price | None = None
    reference: Price | None = None
    extensions: int | None = None
    auction_collar: bool = False
    daily: bool = False


@dataclass(frozen=True, slots=True)
class SetQuoteProtection(Command):
    """Takes the quotes of a participant away once they traded `maximum` within `window`."""

    verb: ClassVar[str] = "set_quote_protection"
    symbol: str
    participant: int
    maximum: int
    window: str | None = None


@dataclass(frozen=True, slots=True)
class SetCombination(Command):
    """Makes an instrument a combination: of each leg its symbol and how many are bought, or sold if
    below zero."""

    verb: ClassVar[str] = "set_combination"
    symbol: str
    legs: Sequence[tuple[str, int]]
    kind: Literal["spread", "basket"] = "spread"


@dataclass(frozen=True, slots=True)
class SetLimits(Command):
    """Limits of a participant, 0: of all without their own; None: there is none. Notionals count
    units of the last decimal."""

    verb: ClassVar[str] = "set_limits"
    participant: int
    order_quantity: int | None = None
    order_notional: int | None = None
    open_orders: int | None = None
    open_notional: int | None = None
    position: int | None = None


@dataclass(frozen=True, slots=True)
class SetParticipantState(Command):
    """Blocks a participant and cancels its orders, or unblocks it."""

    verb: ClassVar[str] = "set_participant_state"
    participant: int
    state: Literal["active", "blocked"]


@dataclass(frozen=True, slots=True)
class BustTrade(Command):
    """Takes a trade back: its terms are those of its events."""

    verb: ClassVar[str] = "bust_trade"
    symbol: str
    trade: int
    price: Price
    quantity: int
    buyer: int
    seller: int
    buy: int
    sell: int


@dataclass(frozen=True, slots=True)
class CorrectTrade(Command):
    """Gives a trade another price and quantity."""

    verb: ClassVar[str] = "correct_trade"
    symbol: str
    trade: int
    price: Price
    quantity: int
    buyer: int
    seller: int
    buy: int
    sell: int
    new_price: Price
    new_quantity: int


@dataclass(frozen=True, slots=True)
class EndDay(Command):
    """Ends the day orders, of an instrument or of all."""

    verb: ClassVar[str] = "end_day"
    symbol: str | None = None
    all_of_anonymous: bool = False


@dataclass(frozen=True, slots=True)
class Instrument:
    """What is traded. Prices count `decimals`; valid ones are multiples of `tick`.

    `tick_bands` are further ticks, each with the price from which on it holds. Prices are above
    `minimum_price` if that is 0, otherwise at least that. `unpublished`: larger prices and
    quantities than the public feeds carry.
    """

    verb: ClassVar[str] = "instrument"
    symbol: str
    tick: Price = 0.01
    lot: int = 1
    decimals: int = 4
    minimum_price: Price | None = None
    maximum_price: Price | None = None
    maximum_quantity: int | None = None
    unpublished: bool = False
    tick_bands: Sequence[tuple[Price, Price]] = ()
