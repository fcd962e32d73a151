"""Stands for your engine in another language: orders as CSV in, trades as CSV out.

    own_engine orders | python3 my_engine.py | own_engine check
"""
import csv
import sys
from collections import deque


def key(side, price):
    """The best price of a side has the lowest key."""
    return -price if side == "buy" else price


def enter(book, order, immediate):
    """The trades of a new or replaced order; what is left rests."""
    other = "sell" if order["side"] == "buy" else "buy"
    levels = book[other]
    while order["quantity"] and levels:
        best = min(levels)
        if best > key(other, order["price"]):
            break
        maker = levels[best][0]
        filled = min(order["quantity"], maker["quantity"])
        order["quantity"] -= filled
        maker["quantity"] -= filled
        yield order["id"], maker["id"], maker["price"], filled
        if not maker["quantity"]:
            cancel(book, maker["id"])
    if order["quantity"] and not immediate:
        book[order["side"]].setdefault(key(order["side"], order["price"]), deque()).append(order)
        book["orders"][order["id"]] = order


def cancel(book, number):
    order = book["orders"].pop(number)
    level = key(order["side"], order["price"])
    book[order["side"]][level].remove(order)
    if not book[order["side"]][level]:
        del book[order["side"]][level]
    return order


def main():
    books = {}
    print("symbol,taker,maker,price,quantity")
    for row in csv.DictReader(sys.stdin):
        book = books.setdefault(row["symbol"], {"buy": {}, "sell": {}, "orders": {}})
        side = row["side"] if row["op"] == "add" else cancel(book, row["id"])["side"]
        if row["op"] == "cancel":
            continue
        order = {"id": row["id"], "side": side, "price": int(row["price"]),
                 "quantity": int(row["quantity"])}
        for trade in enter(book, order, row["life"] == "ioc"):
            print(row["symbol"], *trade, sep=",")


if __name__ == "__main__":
    main()
