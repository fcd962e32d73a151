"""A market maker that leans against what it holds, beside one that does not: profit over ten seeds.

python examples/python/inventory_maker.py
"""

from __future__ import annotations

import statistics

import damrak


class Maker(damrak.Participant):
    def __init__(self, skew: float) -> None:
        self.skew = skew

    def on_start(self, m: damrak.MarketAccess) -> None:
        m.every("100ms")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        m.cancel_all()
        if m.mid is None:
            return
        middle = m.mid - self.skew * m.position / 100
        m.quote(
            middle - 0.01 if m.position < 1_000 else None,
            middle + 0.01 if m.position > -1_000 else None,
            100,
        )


def main() -> None:
    for skew in (0.0, 0.002):
        market = damrak.Market("noise_and_makers")
        market.add(Maker(skew), latency="200us")
        runs = [market.run("60s", seed=seed).participant("Maker") for seed in range(1, 11)]
        profits = [run.pnl for run in runs if run.pnl is not None]
        held = [abs(run.position["AAA"]) for run in runs]
        print(
            f"skew {skew}: profit {statistics.mean(profits):.2f} "
            f"± {statistics.stdev(profits):.2f}, held at the end {statistics.mean(held):.0f}"
        )


if __name__ == "__main__":
    main()
