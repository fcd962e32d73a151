"""How the spread depends on the tick: a sweep, whose rows stay in the folder damrak-results.

python examples/python/tick_sizes.py
"""

from __future__ import annotations

import statistics

import damrak


def main() -> None:
    result = damrak.sweep(
        "noise_and_makers",
        {"AAA.tick": [0.01, 0.02, 0.05]},
        seeds=range(1, 6),
        duration="10s",
    )
    spreads: dict[float, list[float]] = {}
    for row in result.rows():
        spread = row["measures"]["AAA/quoted_spread_bp"]
        spreads.setdefault(row["parameters"]["AAA.tick"], []).append(spread)
    for tick, values in spreads.items():
        print(f"tick {tick}: {statistics.mean(values):.2f} ± {statistics.stdev(values):.2f} bp")


if __name__ == "__main__":
    main()
