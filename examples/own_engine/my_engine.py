"""Stands for your engine in another language: orders as CSV in, trades as CSV out.

    own_engine orders | python3 my_engine.py | own_engine check
"""

import csv
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Order:
    id: str
    side: str
    price: int
    quantity: int


@dataclass
class Book:
    levels: dict[str, dict[int, deque[Order]]] = field(
        default_factory=lambda: {"buy": {}, "sell": {}}
    )
    orders: dict[str, Order] = field(default_factory=dict)


def key(side: str, price: int) -> int:
    """The best price of a side has the lowest key."""
    return -price if side == "buy" else price


def enter(book: Book, order: Order, immediate: bool) -> Iterator[tuple[str, str, int, int]]:
    """The trades of a new or replaced order; what is left rests."""
    other = "sell" if order.side == "buy" else "buy"
    levels = book.levels[other]
    while order.quantity and levels:
        best = min(levels)
        if best > key(other, order.price):
            break
        maker = levels[best][0]
        filled = min(order.quantity, maker.quantity)
        order.quantity -= filled
        maker.quantity -= filled
        yield order.id, maker.id, maker.price, filled
        if not maker.quantity:
            cancel(book, maker.id)
    if order.quantity and not immediate:
        book.levels[order.side].setdefault(key(order.side, order.price), deque()).append(order)
        book.orders[order.id] = order


def cancel(book: Book, number: str) -> Order:
    order = book.orders.pop(number)
    levels = book.levels[order.side]
    level = key(order.side, order.price)
    levels[level].remove(order)
    if not levels[level]:
        del levels[level]
    return order


def main() -> None:
    books: dict[str, Book] = {}
    print("symbol,taker,maker,price,quantity")
    for row in csv.DictReader(sys.stdin):
        book = books.setdefault(row["symbol"], Book())
        side = row["side"] if row["op"] == "add" else cancel(book, row["id"]).side
        if row["op"] == "cancel":
            continue
        order = Order(row["id"], side, int(row["price"]), int(row["quantity"]))
        for trade in enter(book, order, row["life"] == "ioc"):
            print(row["symbol"], *trade, sep=",")


if __name__ == "__main__":
    main()
