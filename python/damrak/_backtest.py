"""A recorded day as the market of own participants."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from . import _core
from ._arguments import as_day, as_number, as_whole
from ._core import DamrakError, IncompleteError
from ._market import Latency, _name_of, object_of, objects_by_group, table_of
from ._open import archive_of
from ._participant import Participant, callbacks_of
from ._progress import progress_of
from ._run import ParticipantResult, fills_of
from ._time import DAY, SECOND, TimeOfDay, time_ns
from ._toml import table_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._day import Day
    from .participants import Kind


class Backtest:
    """What a participant made of a recorded day, and how far it moved the day from its record."""

    def __init__(self, result: dict[str, Any], participants: dict[str, Participant]) -> None:
        self._result = result
        self._participants = participants
        #: Over all events and the state that they led to: equal backtests have equal ones.
        self.hash: str = f"{result['hash']:016x}"
        self.symbol: str = result["symbol"]
        #: When it began, in nanoseconds since 1970-01-01 of the recording's clock.
        self.begin: int = result["begin"]
        #: It reached the end, and no message was missing.
        self.complete: bool = result["complete"]
        self.faults: list[str] = result["faults"]
        #: Recorded messages that were played.
        self.message_count: int = result["messages"]
        #: How far the market is from its record: trades, missed_trades and missed_quantity (of the
        #: record), taken (quantity traded with the record), withdrawn, refused, differing_s and
        #: measured_s (seconds in which the best prices differed, of those that were compared).
        self.drift: dict[str, float] = result["drift"]

    def __repr__(self) -> str:
        return (
            f"<damrak.Backtest of {self.symbol}: {self.message_count:,} recorded messages, "
            f"hash {self.hash}>"
        )

    def participant(self, name: str) -> ParticipantResult:
        """What a participant made of the day. `messages` are those that it sent."""
        rows = {row["name"]: row for row in self._result["trading"]}
        if name not in rows:
            raise DamrakError(f"there are no participants {name!r}; there are {', '.join(rows)}")
        row = rows[name]
        fills = fills_of(self._result, [self.symbol], name)
        mid = self._result["mid"]
        position: int = row["position"]
        pnl = row["cash"] if position == 0 else mid and row["cash"] + position * mid
        return ParticipantResult(
            name,
            pnl,
            row["cash"],
            float(fills["fee"].sum()),
            {self.symbol: position},
            row["messages"],
            None,
            row["maker_volume"],
            row["volume"] - row["maker_volume"],
            fills,
            self._participants.get(name),
        )


def backtest(
    day: Day,
    participant: Participant | Callable[[], Participant] | Kind,
    *,
    symbol: str | None = None,
    start: TimeOfDay | None = None,
    end: TimeOfDay | None = None,
    tick: float = 0.01,
    latency: Latency | None = None,
    data_latency: Latency | None = None,
    order_latency: Latency | None = None,
    report_latency: Latency | None = None,
    reaction: Literal["none", "model"] = "none",
    seed: int = 1,
    partial: bool = False,
    progress: bool | None = None,
) -> Backtest:
    """Lets a participant trade in a recorded day.

    The orders of the record are in the same matching engine as those of the participant, so that
    each waits in its true place in the queue. docs/how-to/what-if.md has the rules, and what such a
    market cannot know.

    Parameters
    ----------
    day
        A day with orders, from `damrak.open`.
    participant
        As for `Market.add`; its name is that of its class.
    symbol
        The instrument; None: the day has only one.
    start, end
        Times of day; None: the whole day.
    tick
        Of the participant's prices, in the currency: a multiple of 0.0001.
    reaction
        "none": the others do what they did. "model": they answer to what the participant changes,
        as the program's `[reaction]` does with its defaults.

    partial
        Takes a market that ends where messages of the day are missing.

    Raises
    ------
    IncompleteError
        Messages of the day are missing, and `partial` is False.
    DayError
        The day cannot be a market, such as one of levels without orders.
    ValueError
        `tick` or `reaction` is none of those possible.
    """
    from .participants import Kind

    if reaction not in ("none", "model"):
        raise ValueError(f"reaction={reaction!r}: 'none' or 'model'")
    symbol = as_day(day)._symbol(symbol)
    tick = as_number("tick", tick)
    tick_e4 = round(tick * 10_000) if 0 < tick <= 10_000 else 0
    if tick_e4 == 0 or not math.isclose(tick_e4, tick * 10_000):
        raise ValueError(f"tick={tick!r}: a multiple of 0.0001 above zero, and at most 10,000")
    group = participant.kind if isinstance(participant, Kind) else _name_of(participant)
    core = _core.Market("[reaction]" if reaction == "model" else "", "backtest")
    delays = {
        "latency": latency,
        "data_latency": data_latency,
        "order_latency": order_latency,
        "report_latency": report_latency,
    }
    script, table = table_of(participant, group, delays)
    core.add(table_text("participants", table), script, False)
    made = {} if isinstance(participant, Kind) else {script: object_of(participant)}
    first = 0 if start is None else time_ns(start)
    last = DAY if end is None else time_ns(end)
    begin, finish = day.span
    total = max(min(last, finish) - max(first, begin), 0) // SECOND
    with (
        archive_of(day, progress) as archived,
        progress_of("backtest", progress, total, " s") as tell,
    ):
        result = core.backtest(
            day=archived,
            symbol=symbol,
            start=first,
            end=last,
            tick=tick_e4,
            seed=as_whole("seed", seed),
            scripts={kind: callbacks_of(one) for kind, one in made.items()},
            kept=[group],
            progress=None if tell is None else lambda done: tell(done // SECOND),
        )
    backtest = Backtest(result, objects_by_group(made))
    if not (backtest.complete or partial):
        why = backtest.faults[0] if backtest.faults else f"{day.path}: messages are missing"
        raise IncompleteError(
            f"{why}; partial=True takes the {backtest.message_count:,} messages before"
        )
    return backtest
