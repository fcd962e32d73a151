"""Books from ITCH bytes by the words of the specification, slow and obvious: what tables are
compared with."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Order(NamedTuple):
    locate: int
    side: str
    shares: int
    price_e4: int


class Touch(NamedTuple):
    """Best price, shares and orders of each side; price 0: none."""

    bid_e4: int
    bid_shares: int
    bid_orders: int
    ask_e4: int
    ask_shares: int
    ask_orders: int


class Trade(NamedTuple):
    number: int
    time_ns: int
    locate: int
    side: str  # of the aggressor
    price_e4: int
    shares: int
    reference: int


def messages_of(path: Path) -> Iterator[bytes]:
    data = path.read_bytes()
    at = 0
    while at < len(data):
        (length,) = struct.unpack_from(">H", data, at)
        yield data[at + 2 : at + 2 + length]
        at += 2 + length


class SlowBooks:
    def __init__(self) -> None:
        self.symbols: dict[int, str] = {}
        self.orders: dict[int, Order] = {}
        self.trades: list[Trade] = []

    def apply(self, number: int, message: bytes) -> int | None:
        """Returns the locate whose book may have changed."""
        kind = chr(message[0])
        locate = int.from_bytes(message[1:3], "big")
        time_ns = int.from_bytes(message[5:11], "big")
        if kind == "R":
            self.symbols[locate] = message[11:19].decode().strip()
            return None
        if kind in "AF":
            (reference,) = struct.unpack_from(">Q", message, 11)
            shares, price = struct.unpack_from(">I8xI", message, 20)
            self.orders[reference] = Order(locate, chr(message[19]), shares, price)
            return locate
        if kind in "ECXDU":
            (reference,) = struct.unpack_from(">Q", message, 11)
            order = self.orders[reference]
            if kind == "D":
                del self.orders[reference]
            elif kind == "U":
                new, shares, price = struct.unpack_from(">QII", message, 19)
                del self.orders[reference]
                self.orders[new] = order._replace(shares=shares, price_e4=price)
            else:
                (shares,) = struct.unpack_from(">I", message, 19)
                if kind != "X":
                    price = order.price_e4
                    if kind == "C":
                        (price,) = struct.unpack_from(">I", message, 32)
                    side = "A" if order.side == "B" else "B"
                    self.trades.append(
                        Trade(number, time_ns, locate, side, price, shares, reference)
                    )
                if shares == order.shares:
                    del self.orders[reference]
                else:
                    self.orders[reference] = order._replace(shares=order.shares - shares)
            return locate
        return None

    def levels(self, locate: int, side: str) -> list[tuple[int, int, int]]:
        """Price, shares and orders of each level, best first."""
        found: dict[int, tuple[int, int]] = {}
        for order in self.orders.values():
            if order.locate == locate and order.side == side:
                shares, orders = found.get(order.price_e4, (0, 0))
                found[order.price_e4] = (shares + order.shares, orders + 1)
        prices = sorted(found, reverse=side == "B")
        return [(price, *found[price]) for price in prices]

    def touch(self, locate: int) -> Touch:
        bids, asks = self.levels(locate, "B"), self.levels(locate, "S")
        return Touch(*(bids[0] if bids else (0, 0, 0)), *(asks[0] if asks else (0, 0, 0)))
