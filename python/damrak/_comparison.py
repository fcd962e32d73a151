"""Two markets over the same seeds, measure by measure."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from . import _core
from ._arguments import as_list, as_number, as_text, as_whole
from ._core import DamrakError
from ._market import Market
from ._sweep import Executor, Source, cell_of, run_cells
from ._sweep_rows import Row
from ._time import Interval

if TYPE_CHECKING:
    from ._table import Table


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure in both markets: the mean of the paired differences, and what can be said of it."""

    instrument: str
    group: str  #: empty: the whole market
    measure: str
    unit: str
    pairs: int  #: seeds with which both markets have the measure
    mean_a: float
    mean_b: float
    difference: float  #: mean of b less a
    low: float  #: 95% interval of that mean: BCa bootstrap; Student's below 8 pairs
    high: float
    p: float  #: paired t test, two-sided
    p_corrected: float  #: by Holm over all measures except the primary one
    significant: bool  #: the corrected one is below 0.05
    deviation_a: float  #: from seed to seed
    deviation: float  #: of the difference, from seed to seed
    correlation: float | None  #: of both markets; None: one does not vary
    variance_ratio: float | None  #: of the paired difference, to that of unrelated runs
    detectable: float  #: the difference that this many pairs detect with a probability of 80%
    seeds_needed: int | None  #: that detect `effect` with a probability of 80%

    @property
    def name(self) -> str:
        """The whole name, such as `AAA/makers/profit`."""
        return "/".join(filter(None, (self.instrument, self.group, self.measure)))


class Comparison:
    """What `damrak.compare` found: a `Difference` for each measure.

    It is a sequence of these, and `comparison["makers/profit"]` is one of them.
    """

    def __init__(self, names: tuple[str, str], answer: dict[str, Any], primary: str) -> None:
        #: Of the markets.
        self.names = names
        self.primary = primary
        #: Seeds that both markets ran with.
        self.pairs: int = answer["pairs"]
        #: Of them, those for which both markets made the same events.
        self.equal_hashes: int = answer["equal_hashes"]
        self.differences = [Difference(**one) for one in answer["differences"]]
        #: Measures that fewer than two pairs have.
        self.left_out: list[str] = answer["left_out"]
        #: Measures in ticks, where the ticks of the markets differ: see them in basis points.
        self.in_other_ticks: list[str] = answer["in_other_ticks"]

    def __repr__(self) -> str:
        found = sum(one.significant for one in self.differences)
        return (
            f"<damrak.Comparison of {self.names[0]!r} and {self.names[1]!r}: {self.pairs:,} pairs, "
            f"{found} of {len(self.differences)} measures differ>"
        )

    def __len__(self) -> int:
        return len(self.differences)

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.differences)

    def __getitem__(self, name: str) -> Difference:
        """The first whose name is this, or ends with it."""
        for one in self.differences:
            if _answers_to(one.name, name):
                return one
        raise KeyError(f"no measure {name!r}; there are {', '.join(one.name for one in self)}")

    def summary(self) -> str:
        """A table as text, as `damrak sim compare` prints it."""
        lines = [
            f"A: {self.names[0]}",
            f"B: {self.names[1]}",
            f"{self.pairs} pairs of runs, {self.equal_hashes} with equal hashes",
            "",
            f"{'measure':<40} {'A':>11} {'B':>11} {'B - A':>11} {'95% interval':>24} {'p':>8}  "
            f"{'corr.':>6} {'seeds':>9}",
        ]
        for one in self:
            p = "<0.0001" if one.p_corrected < 0.0001 else f"{one.p_corrected:.4f}"
            correlation = "-" if one.correlation is None else f"{one.correlation:.2f}"
            seeds = "-" if one.seeds_needed is None else f"{one.seeds_needed:,}"
            lines.append(
                f"{one.name:<40} {one.mean_a:>11.5g} {one.mean_b:>11.5g} {one.difference:>11.4g} "
                f"[{one.low:>10.4g}, {one.high:>10.4g}] {p:>8}{' *'[one.significant]} "
                f"{correlation:>6} {seeds:>9}"
            )
        lines += [f"{name:<40} fewer than two pairs have it" for name in self.left_out]
        lines += [
            f"{name:<40} in ticks, which differ: see it in basis points"
            for name in self.in_other_ticks
        ]
        alone = f" except {self.primary}" if self.primary else ""
        lines += [
            "",
            f"p: paired t test, corrected by Holm over all measures{alone}; * below 0.05.",
        ]
        return "\n".join(lines)

    def table(self) -> Table:
        """A row for each difference; the columns are the fields of `Difference`."""
        from ._table import table_of_columns

        rows = [asdict(one) for one in self]
        return table_of_columns(
            [
                (name, "", "See damrak.Difference.", [row[name] for row in rows])
                for name in Difference.__dataclass_fields__
            ]
        )


def compare(
    a: Source,
    b: Source,
    *,
    seeds: Iterable[int] = range(1, 21),
    duration: Interval | None = None,
    measures: Sequence[str] = (),
    primary: str = "",
    effect: str | float = "",
    folder: str | os.PathLike[str] = "damrak-results",
    executor: Executor = "local",
    address: str | None = None,
    workers: int | None = None,
    retries: int = 2,
    progress: bool | None = None,
) -> Comparison:
    """Runs two markets with the same seeds and tests each measure for differences.

    The statistics are those of `damrak sim compare` (docs/how-to/compare-markets.md). Runs are kept
    and found again in `folder`, as those of `damrak.sweep` are.

    Parameters
    ----------
    a, b
        Markets, or what `Market` takes; `a` is the baseline.
    measures
        Only these, by their names or the ends of them (`profit`); empty: all, but those in currency
        only where there are none in ticks.
    primary
        The measure that answers the question: its p-value is not corrected.
    effect
        A difference in the unit of the primary measure, or a share of the baseline such as "5%":
        `seeds_needed` is how many seeds detect it.
    duration, folder, executor, address, workers, retries, progress
        As for `damrak.sweep`.

    Raises
    ------
    DamrakError
        A run failed, or the markets have no such measure.
    ValueError
        There are fewer than two seeds.
    """
    given = list(
        dict.fromkeys(as_whole("seeds", seed) for seed in as_list("seeds", seeds, "seeds"))
    )
    measures = [as_text("measures", one) for one in as_list("measures", measures, "names")]
    as_text("primary", primary)
    effect = as_text("effect", effect) if isinstance(effect, str) else as_number("effect", effect)
    markets = [one if isinstance(one, Market) else Market(one) for one in (a, b)]
    cells = [cell_of(market, {}, duration) for market in markets]
    if len(given) < 2:
        raise ValueError("a comparison needs two seeds at least")
    done = run_cells(
        cells,
        given,
        folder,
        executor=executor,
        address=address,
        workers=workers,
        retries=retries,
        progress=progress,
    )
    failed = done.failed
    if failed:
        raise DamrakError(f"seed {failed[0]['seed']}: {failed[0]['error']}")
    of_cell = {cell.name: [r for r in done.rows() if r["cell"] == cell.name] for cell in cells}
    of_a, of_b = (of_cell[cell.name] for cell in cells)
    known = done.measures()
    names = list({name: None for row in [*of_a, *of_b] for name in row["measures"]})
    for wanted in [*measures, *([primary] if primary else [])]:
        if not any(_answers_to(name, wanted) for name in names):
            raise DamrakError(f"no run has a measure {wanted!r}; there are {', '.join(names)}")
    answer = _core.compare(
        [known[name] for name in names],
        [_values_of(row, names) for row in of_a],
        [_values_of(row, names) for row in of_b],
        measures,
        primary,
        str(effect),
    )
    if not answer["differences"]:
        raise DamrakError("the markets have no measure in common: are the symbols the same?")
    a_name, b_name = (market.name for market in markets)
    if a_name == b_name:
        a_name, b_name = (f"{a_name} ({cell.name})" for cell in cells)  # their folders
    return Comparison((a_name, b_name), answer, primary)


def _values_of(row: Row, names: list[str]) -> tuple[int, list[float]]:
    return int(row["hash"], 16), [row["measures"].get(name, math.nan) for name in names]


def _answers_to(name: str, wanted: str) -> bool:
    return name == wanted or name.endswith(f"/{wanted}")
