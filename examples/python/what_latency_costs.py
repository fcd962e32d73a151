"""What makers lose with a slower connection: two markets over the same seeds.

python examples/python/what_latency_costs.py
"""

from __future__ import annotations

import damrak


def main() -> None:
    market = damrak.Market("adverse_selection")
    slow = market.with_parameters({"name": "slow makers", "makers.latency": "500ms"})
    found = damrak.compare(market, slow, seeds=range(1, 9), duration="20s", measures=["profit"])
    print(found.summary())


if __name__ == "__main__":
    main()
