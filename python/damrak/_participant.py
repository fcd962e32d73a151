"""What a participant of a market in virtual time is: the methods that the market calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._core import Fill, MarketAccess, MarketTrades, SentOrder


class Participant:
    """The base of own participants: override what is of interest, and nothing else is called.

    Each method gets the market as this participant sees it, `m`, with the delays of its connection:
    prices (`m.bid`, `m.ask`, `m.mid`, `m.book()`), orders (`m.limit`, `m.market`, `m.submit`,
    `m.quote`, `m.cancel`, `m.replace`, `m.cancel_all`, `m.orders`), its account (`m.position`,
    `m.cash`, `m.fees`, `m.pnl`), timers (`m.every`, `m.at`, `m.after`) and random numbers
    (`m.random`). With several instruments, `m.of(symbol)` is another one, and methods about one
    instrument get its own `m`. It may be used only while a method runs.

    >>> class Maker(Participant):
    ...     def on_start(self, m):
    ...         m.every("100ms")
    ...
    ...     def on_timer(self, m):
    ...         m.cancel_all()
    ...         if m.mid is not None:
    ...             m.quote(m.mid - 0.02, m.mid + 0.02, 100)

    The object itself takes part in each run of its market: set in `on_start` what a run changes, or
    add the class, of which each run makes an object. An exception ends the run and is raised there.
    """

    def on_start(self, m: MarketAccess) -> None:
        """The market opens. Set timers here, and call `m.book()` if a later method does."""

    def on_timer(self, m: MarketAccess) -> None:
        """A timer is due; `m.timer` is its key."""

    def on_ack(self, m: MarketAccess, order: SentOrder) -> None:
        """The exchange has accepted an own order."""

    def on_reject(self, m: MarketAccess, order: SentOrder, reason: str) -> None:
        """The exchange has refused an own order, or, if it is not done, a change of it."""

    def on_fill(self, m: MarketAccess, fill: Fill) -> None:
        """An own order has traded."""

    def on_cancel(self, m: MarketAccess, order: SentOrder) -> None:
        """An own order, or a part of it, was cancelled, by whomever."""

    def on_replace(self, m: MarketAccess, order: SentOrder) -> None:
        """An own order has new terms."""

    def on_bbo(self, m: MarketAccess) -> None:
        """The best bid or ask, or its quantity, has changed."""

    def on_book(self, m: MarketAccess) -> None:
        """Any displayed quantity has changed: once for all that arrives at the same moment."""

    def on_trade(self, m: MarketAccess, trades: MarketTrades) -> None:
        """There were trades, whoever's: once for all that arrive at the same moment."""

    def on_state(self, m: MarketAccess) -> None:
        """The instrument was halted, or trades again; `m.halted` says which."""


_names = [name for name in vars(Participant) if name.startswith("on_")]


def callbacks_of(participant: Participant) -> dict[str, Callable[..., Any]]:
    """The methods that the participant overrides."""
    return {
        name: getattr(participant, name)
        for name in _names
        if getattr(type(participant), name) is not getattr(Participant, name)
        or name in vars(participant)
    }
