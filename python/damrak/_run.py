"""What a market in virtual time has become of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._arguments import as_text
from ._core import DamrakError
from ._open import open as open_day

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure

    from ._core import SentOrder
    from ._day import Day
    from ._participant import Participant
    from ._table import Table


@dataclass(frozen=True, slots=True)
class ParticipantResult:
    """What a group of participants earned, held and did, by the trades themselves."""

    name: str
    pnl: float | None  #: cash and positions at the last mid; None: there was none
    cash: float  #: received less paid, fees included
    fees: float  #: paid
    position: dict[str, int]  #: by symbol
    messages: int  #: that it sent
    rejected: int | None  #: of them; None: not known
    maker_volume: int
    taker_volume: int
    #: Columns of its trades, if the group was added by `Market.add`: ts_event (nanoseconds since
    #: 1970-01-01 UTC), symbol, order_id, side (B, A), price, quantity, fee, is_maker, member.
    fills: dict[str, np.ndarray[Any, Any]] = field(repr=False)
    #: The object that took part; None: it is not in Python.
    participant: Participant | None


class Run:
    """A run of a `Market`: its day, its measures, and what its participants made of it.

    `bbo`, `depth`, `trades`, `messages`, `candles` and `plot` are those of the recorded `day`.
    """

    def __init__(
        self,
        name: str,
        result: dict[str, Any],
        path: str,
        participants: dict[str, Participant],
    ) -> None:
        self._result = result
        self._path = path
        self._participants = participants
        self._day: Day | None = None
        self.name = name
        self.seed: int = result["seed"]
        #: Over all events and the state that they led to: equal runs have equal ones.
        self.hash: str = f"{result['hash']:016x}"
        #: When the market began, in nanoseconds since 1970-01-01 UTC.
        self.begin: int = result["begin"]
        #: Virtual nanoseconds that it ran.
        self.duration: int = result["duration"]
        #: It ran to its end.
        self.complete: bool = result["complete"]
        #: What went wrong, such as participants that failed.
        self.faults: list[str] = result["faults"]
        self.symbols: list[str] = [one["symbol"] for one in result["instruments"]]
        self.message_count: int = result["messages"]
        self.trade_count: int = result["trades"]
        self.reject_count: int = result["rejects"]

    def __repr__(self) -> str:
        faults = f", {'; '.join(self.faults)}" if self.faults else ""
        return (
            f"<damrak.Run of {self.name!r}, seed {self.seed}: {self.message_count:,} messages, "
            f"{self.trade_count:,} trades, hash {self.hash}{faults}>"
        )

    @property
    def day(self) -> Day:
        """What the feed of the market showed, as a recorded day; its clock is UTC."""
        if self._day is None:
            self._day = open_day(self._path, tz="UTC")
        return self._day

    def bbo(self, symbol: str | None = None, *args: Any, **options: Any) -> Table:
        """Best bid and offer; see `Day.bbo`."""
        return self.day.bbo(symbol, *args, **options)

    def depth(self, symbol: str | None = None, *args: Any, **options: Any) -> Table:
        """The best levels; see `Day.depth`."""
        return self.day.depth(symbol, *args, **options)

    def trades(self, symbol: str | None = None, *args: Any, **options: Any) -> Table:
        """A row for each trade; see `Day.trades`."""
        return self.day.trades(symbol, *args, **options)

    def messages(self, symbol: str | None = None, *args: Any, **options: Any) -> Table:
        """A row for each message of the feed; see `Day.messages`."""
        return self.day.messages(symbol, *args, **options)

    def candles(self, *args: Any, **options: Any) -> Table:
        """Open, high, low, close and volume of intervals; see `Day.candles`."""
        return self.day.candles(*args, **options)

    def plot(self, symbol: str | None = None, *args: Any, **options: Any) -> Figure:
        """A picture of the day; see `Day.plot`."""
        return self.day.plot(self._symbol(symbol), *args, **options)

    def measures(self, symbol: str | None = None) -> dict[str, float]:
        """Measures of market quality by name (docs/reference/measures.md)."""
        wanted = self._symbol(symbol)
        measures: dict[str, float] = next(
            one["measures"] for one in self._result["instruments"] if one["symbol"] == wanted
        )
        return dict(measures)

    def _symbol(self, symbol: str | None) -> str:
        if symbol is None:
            if len(self.symbols) != 1:
                raise DamrakError(f"{self.name}: has {len(self.symbols)} symbols: give one")
            return self.symbols[0]
        if symbol not in self.symbols:
            raise DamrakError(f"{self.name}: there is no symbol {symbol!r}")
        return symbol

    @property
    def groups(self) -> list[str]:
        """The names of the groups of participants."""
        return list(self._result["groups"])

    def participant(self, name: str) -> ParticipantResult:
        """What a group of participants, over all of its members, made of the run."""
        if as_text("name", name) not in self._result["groups"]:
            raise DamrakError(
                f"there are no participants {name!r}; there are {', '.join(self.groups)}"
            )
        rows = {
            one["symbol"]: next(group for group in one["groups"] if group["name"] == name)
            for one in self._result["instruments"]
        }
        profits = [row["profit"] for row in rows.values()]

        def total(what: str) -> Any:
            return sum(row[what] for row in rows.values())

        return ParticipantResult(
            name,
            None if None in profits else sum(profits),
            total("cash"),
            total("fees"),
            {symbol: row["position"] for symbol, row in rows.items()},
            total("messages"),
            total("rejected"),
            total("maker_volume"),
            total("taker_volume"),
            fills_of(self._result, self.symbols, name),
            self._participants.get(name),
        )

    def explain(self, order: SentOrder | int) -> str:
        """What became of an order, and why, if the run was asked to `explain` its group.

        Parameters
        ----------
        order
            An order of a participant, or the number of one in the order of sending, from 1.
        """
        stories = self._result["stories"]
        if stories is None:
            raise DamrakError("the run followed no orders: run(..., explain='Maker') does")
        number = order if isinstance(order, int) else order.number
        if number not in stories:
            raise DamrakError(f"there is no order {number} among those that the run followed")
        return "\n".join(stories[number])


def fills_of(
    result: dict[str, Any], symbols: list[str], group: str
) -> dict[str, np.ndarray[Any, Any]]:
    """The columns of the trades of a group."""
    import numpy as np

    first, count = result["groups"][group]
    columns = result["fills"]
    owner = columns["participant"]
    its = (owner >= first) & (owner < first + count)
    fills = {column: values[its] for column, values in columns.items()}
    quantity = fills["quantity"]
    return {
        "ts_event": fills["ts_event"],
        "symbol": np.array(symbols)[fills["instrument"]],
        "order_id": fills["order_id"],
        "side": np.where(quantity > 0, "B", "A"),
        "price": fills["price"],
        "quantity": np.abs(quantity),
        "fee": fills["fee"],
        "is_maker": fills["is_maker"].astype(bool),
        "member": fills["participant"] - first + 1,
    }
