"""The mean spread of each hour of a recorded day, weighted by the time it lasted.

python examples/python/spread_by_hour.py [DAY]
"""

from __future__ import annotations

import numpy as np

from recorded_day import recorded_day

HOUR = 3_600_000_000_000


def main() -> None:
    day = recorded_day()
    bbo = day.bbo(day.symbols[0])
    spread = (bbo["ask_px_00"] - bbo["bid_px_00"])[:-1]
    lasted = np.diff(bbo["ts_event"]).astype(float)
    hours = bbo["ts_event"][:-1] // HOUR
    for hour in np.unique(hours):
        its = (hours == hour) & np.isfinite(spread)
        if lasted[its].sum() > 0:
            mean = np.average(spread[its], weights=lasted[its])
            print(f"{hour % 24:02d} h UTC: {mean:.4f}")


if __name__ == "__main__":
    main()
