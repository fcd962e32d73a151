"""The laboratory against theory, and models of order flow from recorded days.

Both run the program of the package: nothing of Python takes part in them, and the module is without
the rooms that they need.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._arguments import as_day, as_number, as_text, as_whole
from ._core import DayError
from ._market import Market
from ._open import archive_of
from ._program_answers import answer_of
from ._time import TimeOfDay, time_ns, time_text

if TYPE_CHECKING:
    from ._day import Day
    from ._table import Table


@dataclass(frozen=True, slots=True)
class Finding:
    """A number that theory knows, and what the laboratory made of it."""

    name: str
    tested: str  #: formula, kernel or engine
    theory_low: float | None  #: None: no bound
    theory_high: float | None
    estimate: float | None
    standard_error: float
    tolerance: float
    distance: float | None  #: from theory
    allowed: float  #: four standard errors or the tolerance, whichever is wider
    sample: int
    unit: str  #: of the sample
    passed: bool


@dataclass(frozen=True, slots=True)
class Check:
    """A published or analytical result, and its findings."""

    name: str
    source: str
    passed: bool
    findings: tuple[Finding, ...]
    error: str  #: why it could not be made; empty: it was


@dataclass(frozen=True, slots=True)
class StylisedFact:
    """A range of a measure that real markets have in common."""

    name: str
    low: float | None  #: None: no bound
    high: float | None
    market: float | None  #: None: not measured
    market_holds: bool
    day: float | None
    day_holds: bool | None  #: None: there is no day


@dataclass(frozen=True, slots=True)
class Validation:
    """What `damrak.validate` found."""

    passed: bool  #: all checks; stylised facts do not count
    checks: tuple[Check, ...]
    stylised_facts: tuple[StylisedFact, ...]

    def __getitem__(self, name: str) -> Check:
        """The check of this name."""
        for check in self.checks:
            if check.name == name:
                return check
        raise KeyError(f"no check {name!r}; there are {', '.join(one.name for one in self.checks)}")

    def table(self) -> Table:
        """A row for each finding: its check, and the fields of `Finding`."""
        rows = [
            {"check": check.name, **asdict(one)} for check in self.checks for one in check.findings
        ]
        return _table_of(rows, ("check", *Finding.__dataclass_fields__), "Finding")


def validate(
    only: str | None = None,
    *,
    market: str | os.PathLike[str] | None = None,
    day: Day | None = None,
    symbol: str | None = None,
    jobs: int | None = None,
    partial: bool = False,
) -> Validation:
    """Compares the laboratory with theory: `damrak sim validate` (docs/how-to/validate.md).

    All checks take half a minute, and give the same numbers on every machine.

    Parameters
    ----------
    only
        One check, or "stylised-facts"; None: all.
    market
        A market file for the stylised facts; None: the built-in one.
    day
        A recorded day to put beside the market.
    symbol
        The instrument of the day; None: it has only one.
    jobs
        Checks at a time; None: one for each core.
    partial
        Takes a day that lacks messages up to its first gap.

    Raises
    ------
    DamrakError
        There is no such check, or a file cannot be read.
    IncompleteError
        Messages of the day are missing.
    """
    arguments = ["sim", "validate"]
    for option, value in (("--only", only), ("--market", market), ("--jobs", jobs)):
        if value is not None:
            arguments += [option, str(value)]
    if day is None:
        answer = answer_of(arguments, partial=partial)
    else:
        named = as_day(day)._symbol(symbol)
        with archive_of(day, day._progress) as archived:
            arguments += ["--day", archived, "--symbol", named]
            answer = answer_of(arguments, partial=partial, about=day.path)
    return Validation(
        answer["passed"],
        tuple(_check_of(one) for one in answer["checks"]),
        tuple(
            StylisedFact(**{"day": None, "day_holds": None, **one})
            for one in answer.get("stylised_facts", [])
        ),
    )


@dataclass(frozen=True, slots=True)
class Estimate:
    """A parameter of a model."""

    name: str
    value: float
    standard_error: float  #: 0: there is none
    count: int  #: events that it rests on


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """A model of order flow, as a recorded day has it."""

    kind: str
    estimates: tuple[Estimate, ...]
    note: str  #: why no participant can have these parameters; empty: one can

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of this name."""
        for one in self.estimates:
            if one.name == name:
                return one
        names = ", ".join(one.name for one in self.estimates)
        raise KeyError(f"no estimate {name!r}; there are {names}")

    def table(self) -> Table:
        """A row for each estimate; the columns are the fields of `Estimate`."""
        rows = [asdict(one) for one in self.estimates]
        return _table_of(rows, tuple(Estimate.__dataclass_fields__), "Estimate")


@dataclass(frozen=True, slots=True)
class Calibration:
    """What `damrak.calibrate` estimated."""

    symbol: str
    seconds: float  #: of the day
    events: int
    anomalies: int  #: messages that do not fit the book
    not_known: tuple[str, ...]  #: what the day cannot tell, a sentence each
    models: dict[str, ModelEstimate]  #: by kind, such as "queue-reactive"
    text: str  #: a market file with an instrument for each model; empty: none can be one

    def market(self) -> Market:
        """The models as a market, with an instrument for each.

        Raises
        ------
        DayError
            No participant can have these parameters.
        """
        import tomllib

        if not self.text:
            raise DayError(next(model.note for model in self.models.values()))
        return Market(tomllib.loads(self.text))


def calibrate(
    day: Day,
    model: str | None = None,
    *,
    symbol: str | None = None,
    start: TimeOfDay | None = None,
    end: TimeOfDay | None = None,
    tick: float = 0.01,
    ticks: int = 50,
    queues: int = 3,
    partial: bool = False,
) -> Calibration:
    """Estimates models of order flow from a day: `damrak sim calibrate` (docs/how-to/calibrate.md).

    Parameters
    ----------
    model
        "zero_intelligence", "cont_stoikov_talreja", "queue_reactive" or "hawkes"; None: all.
    symbol
        The instrument; None: the day has only one.
    start, end
        Times of day; None: the whole day. The models assume rates that do not change.
    tick
        In the currency.
    ticks
        Only orders up to this many ticks from the opposite best price count.
    queues
        Of each side, for queue_reactive.
    partial
        Takes a day that lacks messages up to its first gap.

    Raises
    ------
    DayError
        The day has too little to estimate from, or there is no such model.
    IncompleteError
        Messages of the day are missing.
    """
    arguments = ["--symbol", as_day(day)._symbol(symbol), "--tick", repr(as_number("tick", tick))]
    arguments += ["--ticks", str(as_whole("ticks", ticks, 1))]
    arguments += ["--queues", str(as_whole("queues", queues, 1))]
    for option, time in (("--from", start), ("--until", end)):
        if time is not None:
            arguments += [option, time_text(time_ns(time))]
    if model is not None:
        arguments += ["--model", as_text("model", model).replace("_", "-")]
    with (
        archive_of(day, day._progress) as archived,
        tempfile.TemporaryDirectory(prefix="damrak-") as folder,
    ):
        file = Path(folder) / "market.toml"
        answer = answer_of(
            ["sim", "calibrate", archived, *arguments, "--write", str(file)],
            partial=partial,
            about=day.path,
        )
        text = file.read_text(encoding="utf-8") if file.exists() else ""
    return Calibration(
        answer["symbol"],
        answer["seconds"],
        answer["events"],
        answer["anomalies"],
        tuple(answer["not_known"]),
        {one["kind"]: _model_of(one) for one in answer["models"]},
        text,
    )


def _check_of(answer: dict[str, Any]) -> Check:
    findings = tuple(Finding(**one) for one in answer["findings"])
    return Check(
        answer["name"], answer["source"], answer["passed"], findings, answer.get("error", "")
    )


def _model_of(answer: dict[str, Any]) -> ModelEstimate:
    estimates = tuple(Estimate(**one) for one in answer["estimates"])
    return ModelEstimate(answer["kind"], estimates, answer.get("note", ""))


def _table_of(rows: list[dict[str, Any]], names: tuple[str, ...], of: str) -> Table:
    from ._table import table_of_columns

    return table_of_columns(
        [(name, "", f"See damrak.{of}.", [row[name] for row in rows]) for name in names]
    )
