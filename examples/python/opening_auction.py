"""An opening auction, by the matching engine alone.

python examples/python/opening_auction.py
"""

from __future__ import annotations

import damrak
import numpy as np


def main() -> None:
    engine = damrak.Engine(["SAP"], venue="xetra-like", time="08:45")
    draws = np.random.default_rng(1)
    orders = np.zeros(200, damrak.order_dtype("side", "quantity", "price", "participant"))
    orders["side"] = np.arange(200) % 2
    orders["quantity"] = draws.integers(1, 10, 200) * 100
    orders["price"] = np.round(draws.normal(100, 0.5, 200), 2)
    orders["participant"] = 1 + np.arange(200) % 20
    engine.advance("08:55")
    engine.submit_many(orders)
    for event in engine.advance("09:01"):
        if isinstance(event, damrak.Uncrossed):
            print(event)
    book = engine.book("SAP")
    print("best prices after the auction:", book.bids[0], book.asks[0])


if __name__ == "__main__":
    main()
