"""What it costs to buy 5,000 shares at once, or in slices over a minute.

python examples/python/cost_of_a_parent_order.py
"""

from __future__ import annotations

import damrak


QUANTITY = 5_000


class Buyer(damrak.Participant):
    def __init__(self, slices: int) -> None:
        self.slices = slices

    def on_start(self, m: damrak.MarketAccess) -> None:
        self.arrival: float | None = None
        m.every(f"{60_000 // self.slices}ms", first="5s")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        if self.arrival is None:
            self.arrival = m.mid
        left = QUANTITY - m.position
        if left > 0:
            m.market("buy", min(QUANTITY // self.slices, left))


def main() -> None:
    for slices in (1, 10, 50):
        market = damrak.Market("noise_and_makers")
        buyer = Buyer(slices)
        market.add(buyer, latency="1ms")
        own = market.run("2min", seed=3).participant("Buyer")
        assert buyer.arrival is not None
        bought = own.position["AAA"]
        above = -own.cash / bought - buyer.arrival
        print(f"{slices:>3} slices: {bought} shares, {100 * above:.2f} cents above the mid")


if __name__ == "__main__":
    main()
