"""Commands as lines: of a command script, and of `damrak term` at a connection."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import fields
from decimal import Decimal
from typing import Any

from ._arguments import as_flag, as_list
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


def word_text(what: str, name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what}: {name} is a text, not {type(value).__name__} {value!r}")
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
        elif name == "symbol" or isinstance(value, str | bytes):
            text = word_text(what, name, value)
        elif isinstance(value, Sequence):
            if not value:
                continue
            text = ",".join(word_text(what, name, _joined(part)) for part in value)
        else:
            text = whole_text(what, name, value)
        words.append(f"{word}={text}")
    return " ".join(words)


def _joined(part: Any) -> Any:
    """Two values as `a:b`; others as they are."""
    is_pair = isinstance(part, tuple | list) and len(part) == 2
    return f"{part[0]}:{part[1]}" if is_pair else part


def lines_of(instrument: str | Instrument) -> list[str]:
    """The lines that add an instrument and its ticks."""
    if isinstance(instrument, str):
        instrument = Instrument(instrument)
    if not isinstance(instrument, Instrument):
        raise TypeError(f"an instrument is a symbol or an Instrument, not {instrument!r}")
    lines = [line_of(instrument)]
    for band in as_list("tick_bands", instrument.tick_bands, "pairs of a price and a tick"):
        if not isinstance(band, tuple | list) or len(band) != 2:
            raise TypeError(f"tick_bands: {band!r} is no pair of a price and a tick")
        from_price, tick = band
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
        word_text(what, "side", order.side),
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
        words += ["hidden"] * as_flag("hidden", order.hidden)
        words += ["post"] * as_flag("post_only", order.post_only)
    elif isinstance(order, MarketOrder):
        words.append("to-limit" if order.to_limit else "market")
    elif isinstance(order, Pegged):
        peg = word_text(what, "peg", order.peg)
        words += ["peg", _peg_words.get(peg, peg)]
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
    words += ["imbalance"] * as_flag("imbalance_only", order.imbalance_only)
    tif = word_text(what, "tif", order.tif)
    words.append(_tif_words.get(tif, tif))
    if order.oco is not None:
        words += ["cancels", whole_text(what, "oco", order.oco)]
    if order.oto is not None:
        words += ["after", whole_text(what, "oto", order.oto)]
    return " ".join(words)
