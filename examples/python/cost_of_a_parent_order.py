"""What it costs to buy 5,000 shares at once, or in slices over a minute.

python examples/python/cost_of_a_parent_order.py
"""

from __future__ import annotations

import damrak


class Buyer(damrak.Participant):
    def __init__(self, slices: int) -> None:
        self.slices = slices

    def on_start(self, m: damrak.MarketAccess) -> None:
        self.arrival = 0.0
        self.left = 5_000
        m.after("5s", key=1)

    def on_timer(self, m: damrak.MarketAccess) -> None:
        if m.ask is None or m.mid is None:
            m.after("10ms")
            return
        self.arrival = self.arrival or m.mid
        quantity = min(5_000 // self.slices, self.left)
        m.limit("buy", quantity, m.ask, tif="ioc")
        self.left -= quantity
        if self.left > 0:
            m.after(f"{60_000 // self.slices}ms")

    def on_cancel(self, m: damrak.MarketAccess, order: damrak.SentOrder) -> None:
        self.left += order.quantity - order.filled
        m.after("100ms")


def main() -> None:
    for slices in (1, 10, 50):
        market = damrak.Market("noise_and_makers")
        buyer = Buyer(slices)
        market.add(buyer, latency="1ms")
        own = market.run("2min", seed=3).participant("Buyer")
        bought = own.position["AAA"]
        paid = -own.cash / bought - buyer.arrival
        print(f"{slices:>3} slices: {bought} shares, {paid / 0.01:.2f} ticks above the first mid")


if __name__ == "__main__":
    main()
