"""A market whose orders come at the rates of a recorded day, and the day beside it.

python examples/python/a_market_like_a_day.py [DAY]
"""

from __future__ import annotations

import damrak

from recorded_day import recorded_day


def main() -> None:
    day = recorded_day()
    symbol = day.symbols[0]
    found = damrak.calibrate(day, "zero_intelligence", symbol=symbol, start="10:00", end="11:00")
    for estimate in found.models["zero-intelligence"].estimates:
        print(f"{estimate.name:<24} {estimate.value:>10.4g} ± {estimate.standard_error:.2g}")
    of_market = found.market().run("1min", seed=1).measures()
    of_day = day.measures(symbol)
    for measure in ("quoted_spread_ticks", "depth_1", "volatility_bp"):
        print(
            f"{measure}: {of_market.get(measure)} in the market, {of_day.get(measure)} in the day"
        )


if __name__ == "__main__":
    main()
