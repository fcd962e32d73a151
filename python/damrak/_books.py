"""Books, queues and lives of orders of a day."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

from ._arguments import as_number, as_whole
from ._core import DayError, IncompleteError
from ._orders import Book, Level, OrderLife, OrderStep, QueuedOrder
from ._rows import Rows
from ._time import TimeOfDay, time_ns

Side: TypeAlias = Literal["buy", "sell"]

_price_scale = 10_000


def book_at(rows: Rows, symbol: str, at: TimeOfDay) -> Book:
    core = rows.core
    time, sequence, bids, asks, missing = core.book_at(rows.locate(symbol), time_ns(at))
    return Book(
        symbol,
        time,
        sequence,
        _levels(bids),
        _levels(asks),
        tuple(core.not_known),
        tuple(missing),
    )


def queue_at(
    rows: Rows, symbol: str, side: Side, price: float, at: TimeOfDay
) -> tuple[QueuedOrder, ...]:
    if side not in ("buy", "sell"):
        raise ValueError(f"side={side!r}: 'buy' or 'sell'")
    bids, asks = rows.core.orders_at(rows.locate(symbol), time_ns(at))
    if not math.isfinite(as_number("price", price)):
        raise ValueError(f"price={price!r}: a number")
    wanted = round(price * _price_scale)
    prices = {price_e4 for _, price_e4, _ in (bids if side == "buy" else asks)}
    if 0 < rows.core.levels <= len(prices):
        last = min(prices) if side == "buy" else max(prices)
        if wanted < last if side == "buy" else wanted > last:
            raise DayError(
                f"{rows.path}: the queue at {price} is not known: of a side {rows.core.levels} "
                f"levels are, at that time up to {last / _price_scale}"
            )
    there = [one for one in (bids if side == "buy" else asks) if one[1] == wanted]
    # Where orders stand beside anonymous ones, or those known in part, nobody recorded.
    is_certain = rows.core.levels == 0 or all(
        reference and shares is not None for reference, _, shares in there
    )
    ahead = 0
    queue = []
    for reference, price_e4, shares in there:
        queue.append(
            QueuedOrder(
                reference or None, price_e4 / _price_scale, shares, ahead if is_certain else None
            )
        )
        ahead += shares or 0
    return tuple(queue)


def life_of(rows: Rows, reference: int) -> OrderLife:
    locate, is_buy, steps, missing = rows.core.order_life(as_whole("reference", reference))
    if not steps and missing:
        raise IncompleteError(f"{missing[0]}; the order {reference} is not before")
    if not steps:
        raise DayError(f"{rows.path}: there is no order {reference}")
    symbol = next(name for name, number in rows.locates.items() if number == locate)
    return OrderLife(
        symbol,
        "buy" if is_buy else "sell",
        tuple(
            OrderStep(number, time, kind, by_view, ref, price / _price_scale, size, orders, shares)
            for number, time, kind, by_view, ref, price, size, orders, shares in steps
        ),
        tuple(missing),
    )


def _levels(levels: list[tuple[int, int, int | None]]) -> tuple[Level, ...]:
    return tuple(Level(price / _price_scale, size, orders) for price, size, orders in levels)
