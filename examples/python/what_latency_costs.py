"""What makers lose with a slower connection: two markets over the same seeds.

python examples/python/what_latency_costs.py
"""

from __future__ import annotations

import damrak


def main() -> None:
    market = damrak.Market("noise_and_makers")
    slow = market.with_parameters({"name": "slow makers", "makers.latency": "20ms"})
    found = damrak.compare(market, slow, seeds=range(1, 9), duration="10s", measures=["profit"])
    print(found.summary())


if __name__ == "__main__":
    main()
