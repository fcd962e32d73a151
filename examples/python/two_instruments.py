"""A trader that buys the share which has fallen behind the other one, and sells it later.

python examples/python/two_instruments.py
"""

from __future__ import annotations

import math

import damrak


class Pairs(damrak.Participant):
    def on_start(self, m: damrak.MarketAccess) -> None:
        self.mean: float | None = None
        m.every("100ms")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        one, two = m.of("ONE"), m.of("TWO")
        if one.mid is None or two.mid is None or one.ask is None or one.bid is None:
            return
        gap = 2 * math.log(one.mid) - math.log(two.mid)  # TWO has twice the load on the factor
        self.mean = gap if self.mean is None else self.mean + 0.01 * (gap - self.mean)
        if gap < self.mean - 0.0005 and one.position < 500:
            one.limit("buy", 100, one.ask, tif="ioc")
        elif gap > self.mean + 0.0005 and one.position > -500:
            one.limit("sell", 100, one.bid, tif="ioc")


def main() -> None:
    market = damrak.Market("two_shares")
    market.add(Pairs(), latency="1ms")
    run = market.run("2min", seed=1)
    own = run.participant("Pairs")
    print(run)
    print(f"profit {own.pnl}, position {own.position}, {len(own.fills['price'])} fills")


if __name__ == "__main__":
    main()
