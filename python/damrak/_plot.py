"""Pictures of a day, by Matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import DayError, IncompleteError
from ._time import SECOND, TimeOfDay, time_ns

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._day import Day

_hour = 3_600 * SECOND


def _clock(hours: float, _: object = None) -> str:
    seconds = round(hours * 3_600)
    text = f"{seconds // 3_600:02}:{seconds // 60 % 60:02}"
    return text if seconds % 60 == 0 else f"{text}:{seconds % 60:02}"


def _tick(hours: float) -> float:
    """A round step that gives at most nine ticks."""
    steps = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200)
    return next((one for one in steps if hours * 3_600 / one <= 8), 14_400) / 3_600


def figure_of(
    day: Day, symbol: str, start: TimeOfDay | None, end: TimeOfDay | None, partial: bool
) -> Figure:
    from matplotlib import pyplot
    from matplotlib.ticker import MultipleLocator

    first, last = day.span
    begin = first if start is None else time_ns(start)
    finish = last if end is None else time_ns(end)
    if finish <= begin:
        raise ValueError("the window ends before it begins")
    # Both axes of this grid are those of the program's own picture.
    grid: dict[str, Any] = day._core.heatmap(day._rows.locate(symbol), begin, finish)
    damage: list[str] = grid["damage"]
    if damage and not partial:
        raise IncompleteError(f"{damage[0]}; partial=True draws what is known")
    if not (np.isfinite(grid["bid"]).any() or np.isfinite(grid["ask"]).any()):
        raise DayError(f"{symbol}: nobody quotes in this window")
    shares = (grid["bids"] + grid["asks"]).T
    rows, columns = shares.shape
    hours = (grid["begin_ns"] + grid["column_ns"] * np.arange(columns + 1)) / _hour
    prices = grid["low"] + grid["step"] * np.arange(rows + 1)
    ends = hours[1:]

    figure, (axes, volume) = pyplot.subplots(
        2, figsize=(11, 6.5), sharex=True, height_ratios=(5, 1), layout="constrained"
    )
    picture = axes.pcolormesh(
        hours, prices, np.log10(1 + shares), cmap="magma", shading="flat", rasterized=True
    )
    figure.colorbar(picture, ax=axes, label="displayed shares, log10(1 + n)", pad=0.01)
    axes.plot(ends, grid["bid"], color="#4cc9f0", linewidth=0.9, label="best bid")
    axes.plot(ends, grid["ask"], color="#f9c74f", linewidth=0.9, label="best ask")
    axes.set_ylim(prices[0], prices[-1])
    axes.set_xlim(hours[0], hours[-1])
    axes.set_ylabel("price")
    date = "" if day.date is None else f", {day.date.isoformat()}"
    axes.set_title(f"{symbol}{date}: displayed quantity by price", loc="left")
    # What is black may be unknown.
    axes.set_title("; ".join([*damage, *day.not_known]), loc="right", fontsize="small")
    axes.legend(loc="upper right", framealpha=0.85)

    width = grid["column_ns"] / _hour
    volume.bar(ends, grid["bought"], width=width, color="#4cc9f0", label="bought")
    volume.bar(ends, -grid["sold"].astype(float), width=width, color="#f9c74f", label="sold")
    volume.axhline(0, color="#888888", linewidth=0.6)
    volume.set_ylabel("traded")
    volume.xaxis.set_major_locator(MultipleLocator(_tick(hours[-1] - hours[0])))
    volume.xaxis.set_major_formatter(_clock)
    volume.set_xlabel("time of day" + (f" ({day.tz})" if day.tz else ""))
    volume.legend(loc="upper right", framealpha=0.85, ncols=2, fontsize="small")
    return figure
