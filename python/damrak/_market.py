"""Markets in virtual time: made of a file or a dictionary, run with own participants in them."""

from __future__ import annotations

import contextlib
import copy
import os
import shutil
import tempfile
import tomllib
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _core
from ._arguments import as_list, as_path, as_table, as_text, as_whole
from ._core import DamrakError
from ._participant import Participant, callbacks_of
from ._progress import progress_of
from ._time import SECOND, Interval, interval_ns
from ._toml import document_text, table_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._run import Run
    from .participants import Kind

#: A delay as an interval ("50us", nanoseconds, a timedelta), or a table of a market file.
Latency: TypeAlias = Interval | Mapping[str, Any]

_explained = 1_000  # orders that a run follows


class Market:
    """A market in virtual time, with its participants.

    >>> from damrak import Market, Participant
    >>> class Buyer(Participant):
    ...     def on_start(self, m):
    ...         m.limit("buy", 100, 1_000.0)
    >>> market = Market("noise_and_makers")
    >>> market.add(Buyer(), latency="50us", data_latency="200us")
    'Buyer'
    >>> run = market.run("10s", seed=1)
    >>> run.participant("Buyer").fills["price"].dtype
    dtype('float64')

    The same market and seed give the same run on every machine. One run at a time.

    Parameters
    ----------
    source
        The name of a ready-made market (`damrak.markets()`), the path of a market file, or a
        dictionary of what such a file has (docs/reference/market-file.md):
        `{"instrument": [{"symbol": "SIM", "price": 100}]}`. A dictionary may leave all
        participants to `add`.

    Raises
    ------
    DamrakError
        The market cannot be understood.
    """

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any]) -> None:
        if isinstance(source, Mapping):
            name, where, text = str(source.get("name", "market")), "market", document_text(source)
        else:
            path = _path_of(source)
            where = os.fsencode(path).decode(errors="replace")
            try:
                name, text = path.stem, path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                raise DamrakError(f"{where}: no market file, which is a text (TOML)") from None
        self.name = name
        self._text, self._where = text, where
        self._core = _core.Market(text, where)
        self._tables: list[tuple[str, dict[str, Any]]] = []
        self._scripts: dict[str, Participant | Callable[[], Participant]] = {}
        if not isinstance(source, Mapping) or source.get("participants"):
            self._core.check()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_core"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._core = _core.Market(self._text, self._where)
        for script, table in self._tables:
            self._core.add(table_text("participants", table), script, False)

    @property
    def _added(self) -> list[str]:
        return [table["name"] for _, table in self._tables]

    def __repr__(self) -> str:
        added = f" with {', '.join(self._added)}" if self._tables else ""
        return f"<damrak.Market {self.name!r}{added}>"

    @property
    def symbols(self) -> list[str]:
        """The instruments."""
        return self._core.symbols

    @property
    def groups(self) -> list[str]:
        """The names of the groups of participants."""
        return self._core.groups

    @property
    def text(self) -> str:
        """The market as a market file, with all defaults. Own participants have kinds of theirs."""
        return self._core.text()

    def add(
        self,
        participant: Participant | Callable[[], Participant] | Kind,
        *,
        name: str | None = None,
        instrument: str | list[str] | None = None,
        latency: Latency | None = None,
        data_latency: Latency | None = None,
        order_latency: Latency | None = None,
        report_latency: Latency | None = None,
        think_time: Interval | None = None,
        maximum_orders: int | None = None,
    ) -> str:
        """Adds a participant, or a group of a kind of `damrak.participants`; returns its name.

        Parameters
        ----------
        participant
            An object of a class of `Participant`, which takes part in every run; or what makes one,
            such as the class, of which every run gets its own.
        name
            Of the group, by which the run knows it; None: the name of the class.
        instrument
            What it trades, a symbol or several; None: all.
        latency
            Of orders, of reports and of market data, unless one of the next three says otherwise.
            None: no delay.
        data_latency, order_latency, report_latency
            From the exchange, to the exchange, and back.
        think_time
            Computing for each message that is sent, one after the other.
        maximum_orders
            Open or in flight at a time; None: 10,000.
        """
        from .participants import Kind

        kind = participant.kind if isinstance(participant, Kind) else _name_of(participant)
        group = self._free_name(kind) if name is None else as_text("name", name)
        script, table = table_of(
            participant,
            group,
            {
                "latency": latency,
                "data_latency": data_latency,
                "order_latency": order_latency,
                "report_latency": report_latency,
                "think_time": think_time,
            },
            instrument,
            maximum_orders,
        )
        self._core.add(table_text("participants", table), script)
        if not isinstance(participant, Kind):
            self._scripts[script] = participant
        self._tables.append((script, table))
        return group

    def with_parameters(self, parameters: Mapping[str, Any]) -> Market:
        """Another market, in which these parameters have other values.

        >>> market = Market("noise_and_makers")
        >>> coarse = market.with_parameters({"makers.count": 5, "AAA.tick": 0.05})

        Parameters
        ----------
        parameters
            By key. `makers.count` is a key of the group `makers`, `AAA.tick` one of the instrument
            `AAA`; other keys are paths from the top of a market file, such as
            `exchange.taker_bump`, in which a number from 1 selects one of several tables
            (`timeline.1.at`). For a participant in Python it is an attribute of the object, or an
            argument of the class, unless it belongs to its connection (`Maker.latency`).

        Raises
        ------
        DamrakError
            There is no such parameter, or it cannot have this value.
        """
        from ._parameters import Assignment, plain

        document = tomllib.loads(self._text)
        of_file = document.setdefault("participants", [])
        added = copy.deepcopy([table for _, table in self._tables])
        document["participants"] = [*of_file, *added]
        scripts = dict(self._scripts)
        for key, value in as_table("parameters", parameters).items():
            place = Assignment(document, key)
            if place.script:
                scripts[place.script] = place.applied(scripts[place.script], value)
            else:
                place.write(plain(key, value))
        document["participants"] = of_file
        if not of_file:
            del document["participants"]
        names = [script for script, _ in self._tables]
        changed = object.__new__(Market)
        changed.__setstate__(
            {
                **self.__getstate__(),
                "name": str(parameters.get("name", self.name)),
                "_text": document_text(document),
                "_tables": list(zip(names, added, strict=True)),
                "_scripts": scripts,
            }
        )
        try:
            changed._core.check()
        except DamrakError as error:
            raise DamrakError(f"with {parameters}: {error}") from None
        return changed

    def _free_name(self, usual: str) -> str:
        taken: list[str] = []
        with contextlib.suppress(DamrakError):  # there are no participants yet
            taken = self._core.groups
        number = 2
        free = usual
        while free in taken:
            free, number = f"{usual} {number}", number + 1
        return free

    def run(
        self,
        duration: Interval | None = None,
        *,
        seed: int = 1,
        keep: str | os.PathLike[str] | None = None,
        explain: str | None = None,
        progress: bool | None = None,
    ) -> Run:
        """Runs the market in virtual time, from its beginning.

        Ctrl-C ends it. What a participant raises ends it too, and is raised here, with a note of
        the time in the market.

        Parameters
        ----------
        duration
            "10min", nanoseconds or a timedelta; None: that of the market file.
        seed
            Of all random numbers.
        keep
            Keeps the day in this archive (`run.dar`), or the whole run in this new folder. None: in
            a temporary archive, which goes with the `Run`.
        explain
            The name of a group whose first 1,000 orders `Run.explain` is asked about.
        progress
            None: a bar if tqdm is installed and standard error is a terminal.
        """
        from ._run import Run

        if explain is not None and as_text("explain", explain) not in self.groups:
            raise ValueError(f"explain={explain!r}: the market has no such group")
        made = {kind: object_of(one) for kind, one in self._scripts.items()}
        folder = tempfile.mkdtemp(prefix="damrak-") if keep is None else None
        path = os.path.join(folder, "run.dar") if folder else as_path("keep", keep)
        try:
            result = self._run(duration, seed, made, path, explain or "", progress)
        except BaseException:
            if folder:
                shutil.rmtree(folder, ignore_errors=True)
            raise
        run = Run(self.name, result, path, objects_by_group(made))
        if folder:
            weakref.finalize(run, shutil.rmtree, folder, ignore_errors=True)
        return run

    def measured(self, duration: Interval | None, seed: int) -> dict[str, Any]:
        """What a run leaves behind when its day is not kept."""
        made = {kind: object_of(one) for kind, one in self._scripts.items()}
        return self._run(duration, seed, made, "", "", False)

    def _run(
        self,
        duration: Interval | None,
        seed: int,
        made: Mapping[str, Participant],
        path: str,
        explain: str,
        progress: bool | None,
    ) -> dict[str, Any]:
        ns = 0 if duration is None else interval_ns(duration)
        total = (ns or self._core.duration) // SECOND
        with progress_of("market", progress, total, " s") as tell:
            return self._core.run(
                seed=as_whole("seed", seed),
                duration=ns,
                keep=path,
                scripts={kind: callbacks_of(one) for kind, one in made.items()},
                kept=self._added if path else [],
                explain=explain,
                explained=_explained,
                progress=None if tell is None else lambda done: tell(done // SECOND),
            )


def table_of(
    participant: Participant | Callable[[], Participant] | Kind,
    group: str,
    delays: Mapping[str, Latency | None],
    instrument: str | list[str] | None = None,
    maximum_orders: int | None = None,
) -> tuple[str, dict[str, Any]]:
    """The kind of its own that a participant in Python has, or "", and its table in a file."""
    from .participants import Kind

    script = ""
    table: dict[str, Any]
    if isinstance(participant, Kind):
        table = {"kind": participant.kind, "name": group, "count": participant.count}
        table |= participant.parameters
    else:
        script = f"python:{group}"
        table = {"kind": script, "name": group}
    if instrument is not None:
        symbols = [instrument] if isinstance(instrument, str) else instrument
        listed = as_list("instrument", symbols, "symbols")
        table["instruments"] = [as_text("instrument", one) for one in listed]
    table |= {key: _delay(one) for key, one in delays.items() if one is not None}
    if maximum_orders is not None:
        table["maximum_orders"] = as_whole("maximum_orders", maximum_orders, 1)
    return script, table


def objects_by_group(made: Mapping[str, Participant]) -> dict[str, Participant]:
    """Of participants by their kinds."""
    return {kind.removeprefix("python:"): one for kind, one in made.items()}


def markets() -> list[str]:
    """The names of the ready-made markets."""
    return sorted(path.stem for path in _folder().glob("*.toml"))


def _folder() -> Path:
    here = Path(__file__).parent
    packaged = here / "markets"
    return packaged if packaged.is_dir() else here.parents[1] / "examples" / "markets"


def _path_of(source: str | os.PathLike[str]) -> Path:
    path = Path(as_path("source", source))
    if path.exists():
        return path
    ready = _folder() / f"{source}.toml"
    if isinstance(source, str) and os.sep not in source and ready.exists():
        return ready
    raise DamrakError(
        f"{source}: there is neither such a file nor such a ready-made market; those are "
        f"{', '.join(markets())}"
    )


def _name_of(participant: Participant | Callable[[], Participant]) -> str:
    if isinstance(participant, Participant):
        return type(participant).__name__
    if not callable(participant):
        raise TypeError(
            "a participant is an object of a class of damrak.Participant, such a class, or a kind "
            f"of damrak.participants, not {participant!r}"
        )
    return getattr(participant, "__name__", "participant")


def object_of(participant: Participant | Callable[[], Participant]) -> Participant:
    made = participant if isinstance(participant, Participant) else participant()
    if not isinstance(made, Participant):
        raise TypeError(f"{participant!r} has made no damrak.Participant, but {made!r}")
    return made


def _delay(delay: Latency) -> Any:
    """As market files write it."""
    if isinstance(delay, str | Mapping):
        return delay
    if not isinstance(delay, int) or delay != 0:
        delay = interval_ns(delay)
    return f"{delay}ns"
