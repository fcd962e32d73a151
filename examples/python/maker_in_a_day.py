"""A market maker in a recorded day: what it earns, and how far it moved the day from its record.

python examples/python/maker_in_a_day.py [DAY]
"""

from __future__ import annotations

import damrak

from recorded_day import recorded_day


class Maker(damrak.Participant):
    """Joins both best prices, and keeps at most 300 shares of either side."""

    def on_start(self, m: damrak.MarketAccess) -> None:
        self.prices: tuple[float | None, float | None] = (None, None)
        m.every("1s")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        if self.prices == (m.bid, m.ask):
            return  # and keep the place in the queue
        self.prices = (m.bid, m.ask)
        m.cancel_all()
        if m.bid is None or m.ask is None:
            return
        m.quote(
            m.bid if m.position < 300 else None,
            m.ask if m.position > -300 else None,
            100,
        )


def main() -> None:
    day = recorded_day()
    for latency in ("100us", "100ms"):
        done = damrak.backtest(day, Maker(), symbol=day.symbols[0], latency=latency)
        own = done.participant("Maker")
        missed = done.drift["missed_trades"]
        print(
            f"{latency}: {len(own.fills['price'])} fills, profit {own.pnl:.2f}; "
            f"{missed:.0f} recorded trades did not happen"
        )


if __name__ == "__main__":
    main()
