"""What an engine says: an object for each event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from . import _core

Side: TypeAlias = Literal["buy", "sell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What the engine did.

    `kind` and `command` are the words of the rule book: what happened, and what was asked. `line`
    is the line of the script or the row of the array that caused it, 0 for a single command; None:
    the venue did, or time itself. `time` is in nanoseconds since 1970-01-01 UTC. `symbol` is None
    where it is about no instrument. `reason` is why it was rejected or ended, or another phase
    began.
    """

    kind: str
    time: int
    line: int | None
    command: str
    symbol: str | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderEvent(Event):
    """Something happened to an order.

    `price` is its limit, None if it has none, and in `Executed` the price of the trade.
    `remaining` is open after it, and `displayed` of that is in the public book. `flags` are of
    on_book, aggressor, hidden, repriced, waiting, held, cross and implied. `stop` is the stop price
    of a stop order, where it stands now.
    """

    order: int
    participant: int
    side: Side
    type: str
    tif: str
    price: float | None
    quantity: int
    remaining: int
    displayed: int
    flags: tuple[str, ...]
    stop: float | None

    @property
    def on_book(self) -> bool:
        """Whether it rests in the book after this event."""
        return "on_book" in self.flags


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted(OrderEvent):
    """An order came in."""

    client_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed(OrderEvent):
    """An order traded. The other order has its own event with the same `trade`."""

    trade: int

    @property
    def aggressor(self) -> bool:
        """Whether it is the order that came in; in a cross, the sell."""
        return "aggressor" in self.flags


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled(OrderEvent):
    """An order, or part of it, was cancelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expired(OrderEvent):
    """The time of an order is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced(OrderEvent):
    """An order has other terms, and is `new_order` from now on."""

    new_order: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Triggered(OrderEvent):
    """A stop order is no longer one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed(OrderEvent):
    """An iceberg shows its next part."""

    public_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rested(OrderEvent):
    """What is left of an order that traded, waited or moved is in the book."""

    public_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderStatus(OrderEvent):
    """The answer to a query; `quantity` is what was executed."""

    client_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeBusted(OrderEvent):
    """A trade was taken back."""

    trade: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeCorrected(OrderEvent):
    """A trade has other terms."""

    trade: int
    price_before: float
    quantity_before: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected(Event):
    """The engine refused the command, which changed nothing."""

    reason: str
    order: int
    participant: int
    client_id: int

    @property
    def text(self) -> str:
        """What is wrong and what would be valid."""
        return _core.reason_text(self.reason or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncrossed(Event):
    """An auction took place; its trades follow. `price` is None if there was none."""

    call: str
    price: float | None
    quantity: int
    surplus: int
    surplus_side: Side | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseChanged(Event):
    """An instrument is in another phase. `cause` is None, or why outside of the timetable."""

    phase: str
    cause: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingStateChanged(Event):
    """An instrument was halted, or resumed."""

    state: Literal["trading", "halted"]
    cause: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipantStateChanged(Event):
    """A participant was blocked, or unblocked."""

    participant: int
    state: Literal["active", "blocked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted(Event):
    """The end of a command for many orders: mass_cancelled or day_ended."""

    orders: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet(Event):
    """An instrument was added or has another rule, or a participant has other limits.

    `details` has the words of a command script; None: there is no such limit.
    """

    participant: int
    details: dict[str, object] = field(hash=False)


_references: dict[Any, str] = {
    Accepted: "client_id",
    Executed: "trade",
    Replaced: "new_order",
    Refreshed: "public_id",
    Rested: "public_id",
    OrderStatus: "client_id",
    TradeBusted: "trade",
}
_of_orders: dict[str, type[OrderEvent]] = {
    "accepted": Accepted,
    "executed": Executed,
    "cancelled": Cancelled,
    "expired": Expired,
    "replaced": Replaced,
    "triggered": Triggered,
    "refreshed": Refreshed,
    "rested": Rested,
    "order_status": OrderStatus,
    "trade_busted": TradeBusted,
    "trade_corrected": TradeCorrected,
}


def event_of(
    kind: str,
    time: int,
    line: int | None,
    command: str,
    symbol: str | None,
    reason: str,
    order: int,
    participant: int,
    side: Any,
    type_: str,
    tif: str,
    price: float | None,
    quantity: int,
    remaining: int,
    displayed: int,
    reference: int,
    flags: tuple[str, ...],
    stop: float | None,
    details: dict[str, Any],
) -> Event:
    """The object for what the module says of an event."""
    what: dict[str, Any] = {
        "kind": kind,
        "time": time,
        "line": line,
        "command": command,
        "symbol": symbol,
        "reason": None if reason == "none" else reason,
    }
    of_order = _of_orders.get(kind)
    if of_order is not None:
        if of_order is TradeCorrected:
            what |= {"trade": reference, "quantity_before": remaining, **details}
            remaining = displayed = 0
        elif of_order in _references:
            what[_references[of_order]] = reference
        return of_order(
            **what,
            order=order,
            participant=participant,
            side=side,
            type=type_,
            tif=tif,
            price=price,
            quantity=quantity,
            remaining=remaining,
            displayed=displayed,
            flags=flags,
            stop=stop,
        )
    match kind:
        case "rejected":
            return Rejected(**what, order=order, participant=participant, client_id=reference)
        case "uncrossed":
            return Uncrossed(
                **what,
                **details,
                price=price if reference else None,
                quantity=quantity,
                surplus=remaining,
                surplus_side=side if remaining else None,
            )
        case "phase_changed":
            return PhaseChanged(**what, **details)
        case "trading_state_changed":
            return TradingStateChanged(**what, **details)
        case "participant_state_changed":
            return ParticipantStateChanged(**what, participant=participant, **details)
        case "mass_cancelled" | "day_ended":
            return Counted(**what, orders=quantity)
    return RuleSet(**what, participant=participant, details=details)


if TYPE_CHECKING:

    class Events(Sequence[Event]):
        """The events of a call, in order. They become objects when they are read."""

else:
    Events = _core.Events
