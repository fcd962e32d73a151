"""Starts an exchange, enters an order at it over OUCH, and sees it on the feed.

python examples/python/orders_at_an_exchange.py
"""

from __future__ import annotations

import damrak


def main() -> None:
    with (
        damrak.serve() as exchange,
        exchange.feed() as feed,
        exchange.connect("ouch", user="ME") as me,
    ):
        number = me.buy("AAPL", 100, 585.33)
        print(me.wait("accepted", "refused"))
        while not feed.book("AAPL", levels=1).bids:
            feed.wait()
        print("the feed shows", feed.book("AAPL", levels=1).bids[0])
        me.cancel(number)
        print(me.wait("cancelled"))


if __name__ == "__main__":
    main()
