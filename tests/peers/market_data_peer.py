#!/usr/bin/env python3
"""A reader of the feed and of the market data over HTTP, made from the specifications alone.

It reads the order-by-order feed (ITCH over SoupBinTCP) up to the last message that GET /v1/book
knows, keeps the books itself, and compares: the book of every instrument after every EVERY-th
message, level by level and order by order, the trades page by page, candles, messages, and the
lives of orders with their places in the queue.

    market_data_peer.py ITCH_PORT HTTP_PORT EVERY
"""
import http.client
import json
import socket
import struct
import sys
from decimal import Decimal
from urllib.parse import quote

from patience import PATIENCE_S


class Http:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)

    def text(self, target):
        try:
            answer = self.ask(target)
        except http.client.RemoteDisconnected:  # it was idle for longer than the server waits
            self.connection.close()
            answer = self.ask(target)
        body = answer.read().decode()
        assert answer.status == 200, (target, answer.status, body)
        return body

    def ask(self, target):
        self.connection.request("GET", target)
        return self.connection.getresponse()

    def get(self, target):
        return json.loads(self.text(target), parse_float=Decimal)

    def pages(self, target, rows):
        while target:
            page = self.get(target)
            yield from page[rows]
            target = page["next"]


def soup_messages(port, last):
    """Messages 1 to `last` of the current session, after its name."""
    feed = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    login = b"L" + b"reader" + b" " * 10 + b" " * 10 + b"1".rjust(20)
    feed.sendall(struct.pack(">H", len(login)) + login)
    stream = feed.makefile("rb")
    number = 0
    while number < last:
        packet = stream.read(struct.unpack(">H", stream.read(2))[0])
        if packet[:1] == b"A":
            yield packet[1:11].decode().strip()
        elif packet[:1] == b"S":
            number += 1
            yield packet[1:]
        else:
            assert packet[:1] == b"H", packet


def number_at(message, at, size):
    return int.from_bytes(message[at:at + size], "big")


class Market:
    """Books by locate: of each side its open orders, [reference, price, quantity], in priority."""

    def __init__(self):
        self.symbols = {}
        self.orders = {}
        self.lives = {}
        self.trades = []
        self.match_side = {}

    def side(self, locate, side):
        found = [o for o in self.orders.values() if o["locate"] == locate and o["side"] == side]
        return sorted(found, key=lambda o: (-o["price"] if side == "B" else o["price"], o["turn"]))

    def add(self, sequence, locate, reference, side, quantity, price):
        self.orders[reference] = {"locate": locate, "side": side, "quantity": quantity,
                                  "price": price, "turn": sequence, "reference": reference}

    def take(self, reference, quantity):
        order = self.orders[reference]
        order["quantity"] -= quantity
        assert order["quantity"] >= 0, reference
        if order["quantity"] == 0:
            del self.orders[reference]

    def trade(self, sequence, message, kind, reference, price, quantity, match):
        self.trades.append({"sequence": sequence, "time_ns": number_at(message, 5, 6),
                            "type": kind, "locate": number_at(message, 1, 2), "price": price,
                            "quantity": quantity, "match": match, "reference": reference})

    def apply(self, sequence, message):
        kind = chr(message[0])
        locate = number_at(message, 1, 2)
        reference = number_at(message, 11, 8)
        renamed = None
        if kind == "R":
            self.symbols[locate] = message[11:19].decode().strip()
        elif kind in "AF":
            self.add(sequence, locate, reference, chr(message[19]), number_at(message, 20, 4),
                     number_at(message, 32, 4))
        elif kind == "E":
            self.trade(sequence, message, kind, reference, self.orders[reference]["price"],
                       number_at(message, 19, 4), number_at(message, 23, 8))
            self.take(reference, number_at(message, 19, 4))
        elif kind == "C":
            self.trade(sequence, message, kind, reference, number_at(message, 32, 4),
                       number_at(message, 19, 4), number_at(message, 23, 8))
            self.take(reference, number_at(message, 19, 4))
        elif kind == "P":
            self.trade(sequence, message, kind, 0, number_at(message, 32, 4),
                       number_at(message, 20, 4), number_at(message, 36, 8))
        elif kind == "X":
            self.take(reference, number_at(message, 19, 4))
        elif kind == "D":
            self.take(reference, self.orders[reference]["quantity"])
        elif kind == "U":
            renamed = number_at(message, 19, 8)
            side = self.orders.pop(reference)["side"]
            self.add(sequence, locate, renamed, side, number_at(message, 27, 4),
                     number_at(message, 31, 4))
        if kind in "AFECXDU":
            self.follow(sequence, locate, reference, renamed)

    def follow(self, sequence, locate, reference, renamed):
        """Notes the place of every order of the instrument where that is another one."""
        if renamed:
            self.lives[renamed] = self.lives[reference]
        for side in "BS":
            ahead = {}
            for order in self.side(locate, side):
                count, quantity = ahead.get(order["price"], (0, 0))
                self.note(order["reference"], sequence, order["price"], order["quantity"], count,
                          quantity)
                ahead[order["price"]] = (count + 1, quantity + order["quantity"])
        if reference not in self.orders and not renamed:
            last = self.lives[reference][-1]
            self.note(reference, sequence, last[2], 0, 0, 0)

    def note(self, reference, sequence, price, quantity, orders_ahead, quantity_ahead):
        step = (sequence, reference, price, quantity, orders_ahead, quantity_ahead)
        life = self.lives.setdefault(reference, [])
        if not life or life[-1][1:] != step[1:]:
            life.append(step)


def price_of(price_e4):
    return Decimal(price_e4) / 10000


def levels_of(orders):
    levels = []
    for order in orders:
        if not levels or levels[-1]["price"] != price_of(order["price"]):
            levels.append({"price": price_of(order["price"]), "quantity": 0, "orders": 0})
        levels[-1]["quantity"] += order["quantity"]
        levels[-1]["orders"] += 1
    return levels


def compare_books(web, market, sequence, day):
    for locate, symbol in market.symbols.items():
        target = f"/v1/book?symbol={quote(symbol)}&sequence={sequence}&depth=0"
        levels, orders = web.get(target), web.get(target + "&orders=true")
        for name, side in (("bids", "B"), ("asks", "S")):
            mine = market.side(locate, side)
            assert levels[name] == levels_of(mine), (sequence, symbol, name, levels[name])
            assert orders[name] == [{"price": price_of(o["price"]), "quantity": o["quantity"],
                                     "reference": o["reference"]} for o in mine], (sequence, name)
        assert levels["sequence"] == orders["sequence"] == sequence, levels
        assert levels["day"] == day, levels


def compare_trades(web, market):
    for locate, symbol in market.symbols.items():
        mine = [t for t in market.trades if t["locate"] == locate]
        theirs = list(web.pages(f"/v1/trades?symbol={quote(symbol)}&limit=7", "trades"))
        assert len(mine) == len(theirs), (symbol, len(mine), len(theirs))
        for one, other in zip(mine, theirs):
            assert other.get("reference", 0) == one["reference"], other
            assert other["price"] == price_of(one["price"]), other
            for key in ("sequence", "time_ns", "type", "quantity", "match"):
                assert other[key] == one[key], (one, other)
        for seconds in (1, 86400):
            candles = list(web.pages(
                f"/v1/candles?symbol={quote(symbol)}&interval={seconds}&limit=2", "candles"))
            again = {}
            for trade in mine:
                begin = trade["time_ns"] // (seconds * 10**9) * seconds * 10**9
                again.setdefault(begin, []).append(trade)
            assert [c["time_ns"] for c in candles] == list(again), candles
            for candle, trades in zip(candles, again.values()):
                prices = [price_of(t["price"]) for t in trades]
                assert (candle["open"], candle["high"], candle["low"], candle["close"]) == (
                    prices[0], max(prices), min(prices), prices[-1]), candle
                assert candle["volume"] == sum(t["quantity"] for t in trades), candle
                assert candle["trades"] == len(trades), candle


def compare_lives(web, market):
    compared = 0
    for reference in list(market.lives)[::11]:
        whole = market.lives[reference]
        # An order that was replaced is asked for by its first name.
        if whole[0][1] != reference:
            continue
        steps = web.get(f"/v1/orders/{reference}")["steps"]
        theirs = [(s["sequence"], s["reference"], int(s["price"] * 10000), s["quantity"],
                   s["orders_ahead"], s["quantity_ahead"]) for s in steps]
        assert theirs == whole, (reference, theirs, whole)
        compared += 1
    return compared


def main():
    itch_port, http_port, every = (int(word) for word in sys.argv[1:])
    web = Http(http_port)
    symbol = quote(web.get("/v1/instruments")["instruments"][0]["symbol"])
    last = web.get(f"/v1/book?symbol={symbol}")["sequence"]
    messages = soup_messages(itch_port, last)
    day = next(messages)
    market = Market()
    kinds = []
    for sequence, message in enumerate(messages, 1):
        market.apply(sequence, message)
        kinds.append((sequence, chr(message[0])))
        if sequence % every == 0 or sequence == last:
            compare_books(web, market, sequence, day)
    compare_trades(web, market)
    lines = [json.loads(line) for line in web.text("/v1/messages").splitlines()]
    assert [(line["sequence"], line["type"]) for line in lines[:last]] == kinds
    lives = compare_lives(web, market)
    print(f"{last} messages, {len(market.trades)} trades, {lives} lives of orders")


if __name__ == "__main__":
    main()
