"""Why the orders of a participant were filled, or were not.

python examples/python/why_not_filled.py
"""

from __future__ import annotations

import damrak


class Patient(damrak.Participant):
    """Joins the best bid once a second."""

    def on_start(self, m: damrak.MarketAccess) -> None:
        m.every("1s")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        m.cancel_all()
        if m.bid is not None:
            m.limit("buy", 100, m.bid, post_only=True)


def main() -> None:
    market = damrak.Market("noise_and_makers")
    market.add(Patient(), latency="1ms")
    run = market.run("10s", seed=1, explain="Patient")
    for number in (1, 2, 3):
        print(run.explain(number), end="\n\n")


if __name__ == "__main__":
    main()
