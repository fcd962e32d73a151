"""Commands as lines: of a command script, and of `damrak term` at a connection."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import fields
from decimal import Decimal
from typing import Any

from ._commands import Command, Instrument, Limit, MarketOrder, Order, Pegged, Stop, StopLimit
from ._core import OrderError

_tif_words = {"at_open": "opening", "at_close": "closing", "at_auction": "auction"}
_peg_words = {"midpoint": "mid"}

#: Fields that are decimal numbers.
_prices = frozenset(
    (
        *("price", "stop", "trail", "offset", "bid", "ask", "lower", "upper", "reference"),
        *("new_price", "tick", "minimum_price", "maximum_price", "split_percent", "percent"),
    )
)


def number_text(what: str, name: str, value: object) -> str:
    """A decimal number as people write it; a float is rounded where only its last digits are noise.

    >>> number_text("Limit", "price", 585.32 + 0.01)
    '585.33'
    """
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise OrderError(f"{what}: {name} is {value}: give a number")
        return format(value, "f")
    if isinstance(value, float):
        value = float(value)
        if value != value or value in (float("inf"), float("-inf")):
            raise OrderError(f"{what}: {name} is {value}: give a number")
        rounded = round(value, 9)
        if abs(rounded - value) <= 1e-12 * max(1.0, abs(value)):
            value = rounded
        return format(Decimal(repr(value)), "f")
    return whole_text(what, name, value)


def whole_text(what: str, name: str, value: Any) -> str:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        kind = "a number" if name in _prices else "a whole number"
        raise TypeError(f"{what}: {name} is {kind}, not {type(value).__name__} {value!r}")
    return str(operator.index(value))


def word_text(what: str, name: str, value: str) -> str:
    if not value or any(c.isspace() or c in "#=" or not c.isprintable() for c in value):
        raise OrderError(f"{what}: {name} is {value!r}: it has no blanks, '#' or '='")
    return value


def line_of(command: Command | Instrument) -> str:
    """The line of a command script, without ids that are the next ones."""
    what = type(command).__name__
    words = [command.verb]
    for one in fields(command):
        name, value = one.name, getattr(command, one.name)
        if value is None or name in ("expire", "tick_bands"):
            continue
        word = "instrument" if name == "symbol" and what != "Instrument" else name
        if isinstance(value, bool):
            if value:
                words.append(word)
            continue
        if name in _prices:
            text = number_text(what, name, value)
        elif str(one.type).startswith("int"):
            text = whole_text(what, name, value)
        elif isinstance(value, str):
            text = word_text(what, name, value)
        elif isinstance(value, Sequence):
            if not value:
                continue
            text = ",".join(
                word_text(what, name, part if isinstance(part, str) else f"{part[0]}:{part[1]}")
                for part in value
            )
        else:
            text = whole_text(what, name, value)
        words.append(f"{word}={text}")
    return " ".join(words)


def lines_of(instrument: str | Instrument) -> list[str]:
    """The lines that add an instrument and its ticks."""
    if isinstance(instrument, str):
        instrument = Instrument(instrument)
    if not isinstance(instrument, Instrument):
        raise TypeError(f"an instrument is a symbol or an Instrument, not {instrument!r}")
    lines = [line_of(instrument)]
    for from_price, tick in instrument.tick_bands:
        lines.append(
            f"tick_band instrument={instrument.symbol} "
            f"from={number_text('Instrument', 'tick_bands', from_price)} "
            f"tick={number_text('Instrument', 'tick_bands', tick)}"
        )
    return lines


def term_line_of(order: Order) -> str:
    """The order as a line of `damrak term`."""
    what = type(order).__name__
    if not isinstance(order, (Limit, MarketOrder, Stop, StopLimit, Pegged)):
        raise TypeError(
            f"an order is a Limit, MarketOrder, Stop, StopLimit or Pegged, not {order!r}"
        )
    for name, usual in (("participant", 1), ("id", None), ("client_id", 0), ("expire", None)):
        if getattr(order, name) != usual:
            raise OrderError(f"{what}: {name} is for an Engine; a connection has its own")
    if (
        order.self_trade != "none"
        or order.tif == "gtd"
        or getattr(order, "post_only_reprice", False)
    ):
        raise OrderError(f"{what}: self_trade, gtd and post_only_reprice are for an Engine")
    words = [
        order.side,
        whole_text(what, "quantity", order.quantity),
        word_text(what, "symbol", order.symbol),
    ]

    def price(word: str, name: str) -> None:
        if (value := getattr(order, name)) is not None:
            words.extend(filter(None, (word, number_text(what, name, value))))

    if isinstance(order, Limit):
        price("limit", "price")
        if order.display:
            words += ["show", whole_text(what, "display", order.display)]
        words += ["hidden"] * order.hidden + ["post"] * order.post_only
    elif isinstance(order, MarketOrder):
        words.append("to-limit" if order.to_limit else "market")
    elif isinstance(order, Pegged):
        words += ["peg", _peg_words.get(order.peg, order.peg)]
        if order.offset:
            price("offset", "offset")
        price("limit", "price")
    else:
        price("stop", "stop")
        price("trail", "trail")
        if isinstance(order, StopLimit):
            price("limit", "price")
    if order.minimum:
        words += ["min", whole_text(what, "minimum", order.minimum)]
    words += ["imbalance"] * order.imbalance_only
    words.append(_tif_words.get(order.tif, order.tif))
    if order.oco is not None:
        words += ["cancels", whole_text(what, "oco", order.oco)]
    if order.oto is not None:
        words += ["after", whole_text(what, "oto", order.oto)]
    return " ".join(words)
