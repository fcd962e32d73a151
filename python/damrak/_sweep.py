"""Many runs of a market: over parameters and seeds, on the cores of one machine or of many."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import itertools
import os
import pickle
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from . import _core
from ._arguments import as_choice, as_list, as_path, as_table, as_whole
from ._core import DamrakError, version
from ._market import Market
from ._participant import Participant
from ._progress import progress_of
from ._sweep_rows import Row, Rows, Task
from ._time import Interval, interval_ns

if TYPE_CHECKING:
    from ._run import Run
    from ._table import Table

Source: TypeAlias = Market | str | os.PathLike[str] | Mapping[str, Any]
Executor: TypeAlias = Literal["local", "ray"]
#: Values by key, of which every combination is a cell; or the cells themselves.
Grid: TypeAlias = Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Cell:
    name: str
    parameters: dict[str, Any]
    market: Market
    pickled: bytes
    duration: int | None

    def task(self, seed: int) -> Task:
        return Task(self.name, self.parameters, seed, self.duration, self.pickled, version())


class Sweep:
    """The runs in the folder of a sweep, a row each.

    `Sweep(folder)` reads all that is there; that which `damrak.sweep` returns has its own runs
    alone. JSON lines are read as they are, also by others
    (`polars.read_ndjson("damrak-results/*/*.jsonl")`).

    Parameters
    ----------
    folder
        Of one sweep or of several. Sweeps may go on in it.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._rows = Rows(folder)
        self._cells: dict[str, Cell] | None = None
        self._seeds: set[int] | None = None

    def __repr__(self) -> str:
        rows = self.rows()
        failed = sum(bool(row["error"]) for row in rows)
        return f"<damrak.Sweep of {len(rows):,} runs, {failed:,} failed, in {self.folder}>"

    def rows(self) -> list[Row]:
        """A dictionary for each run, by cell and seed.

        cell (its folder), parameters (by key), seed, version (of the package), hash (empty: it
        failed), measures (by whole name, such as `AAA/makers/profit`; those without an observation
        are absent), seconds (of computing time), machine, and error (empty: it did not fail).
        """
        cells = self._rows.cells() if self._cells is None else self._cells
        return [
            row
            for cell in cells
            for seed, row in self._rows.of(cell).items()
            if self._seeds is None or seed in self._seeds
        ]

    def measures(self) -> dict[str, tuple[str, str, str, str]]:
        """Instrument, group ("": the whole market), measure and unit, by the whole name."""
        return self._rows.measures()

    @property
    def failed(self) -> list[Row]:
        """The rows of runs that failed. Another call of `damrak.sweep` makes these runs again."""
        return [row for row in self.rows() if row["error"]]

    def table(self) -> Table:
        """All rows, with a column for each parameter and each measure; nulls where there is none.

        Parameters that are neither numbers nor booleans are texts.
        """
        from ._table import table_of_columns

        rows = self.rows()
        keys = list(dict.fromkeys(key for row in rows for key in row["parameters"]))
        columns = [("cell", "", "The cell.", [row["cell"] for row in rows])]
        columns += [
            (key, "", "A parameter.", [row["parameters"].get(key) for row in rows]) for key in keys
        ]
        columns += [
            (name, unit, meaning, [row[name] for row in rows])
            for name, unit, meaning in (
                ("seed", "", "The seed of the run."),
                ("version", "", "The version of the package."),
                ("hash", "", "Over all events and the state that they led to; empty: it failed."),
                ("seconds", "s", "Computing time."),
                ("machine", "", "Where the run was made."),
                ("error", "", "Why the run failed; empty: it did not."),
            )
        ]
        for name, (_, _, measure, unit) in self.measures().items():
            values = [row["measures"].get(name) for row in rows]
            if any(value is not None for value in values):
                columns.append((name, unit, f"The measure {measure}.", values))
        return table_of_columns(columns)

    def to_parquet(self, path: str | os.PathLike[str]) -> Path:
        """Writes `table()` as a Parquet file and returns its path. Needs `damrak[parquet]`.

        The file appears when it is complete, by a rename. Its footer has `damrak.version` and
        `damrak.source`, the folder.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.table(self.table())
        footer = {"damrak.version": version(), "damrak.source": str(self.folder)}
        part = Path(f"{os.fspath(path)}.part")
        try:
            pq.write_table(table.replace_schema_metadata(footer), part, compression="zstd")
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return Path(path)

    def run(self, row: Row) -> Run:
        """Makes the run of a row again, here, with its day, which the sweep did not keep.

        An error of it is raised, with its traceback.

        Raises
        ------
        DamrakError
            It is of another sweep, or the market has become another one since.
        """
        if self._cells is None or row["cell"] not in self._cells:
            raise DamrakError(
                "the market of this row is not known: take a row of what damrak.sweep returns"
            )
        cell = self._cells[row["cell"]]
        market: Market = pickle.loads(cell.pickled)
        made = market.run(cell.duration, seed=row["seed"])
        if row["hash"] not in ("", made.hash):
            raise DamrakError(
                f"seed {row['seed']}: the run has the hash {made.hash} here, and had {row['hash']} "
                f"on {row['machine']}: does a participant use what is not of its seed?"
            )
        return made


def sweep(
    market: Source,
    grid: Grid,
    *,
    seeds: Iterable[int] = range(1, 21),
    duration: Interval | None = None,
    folder: str | os.PathLike[str] = "damrak-results",
    executor: Executor = "local",
    address: str | None = None,
    workers: int | None = None,
    retries: int = 2,
    progress: bool | None = None,
) -> Sweep:
    """Runs a market for each combination of parameters with each seed.

    >>> market = Market("noise_and_makers")
    >>> result = sweep(
    ...     market, {"makers.count": [1, 3]}, seeds=range(1, 3), duration="2s"
    ... )                                                               # doctest: +SKIP
    >>> result.table().to_pandas().groupby("makers.count").mean()       # doctest: +SKIP

    A run is a row, written when it has ended, so that whatever is killed loses no more than the
    runs in progress. What is in the folder is not run again, unless it failed: the same call
    continues where it was. A run is known by the market, the parameters, the seed, the build of the
    package, and for participants in Python by their attributes and the source of their class.

    Parameters
    ----------
    market
        A market, or what `Market` takes. Its participants in Python have to be such as `pickle`
        takes; each run has copies of its own.
    grid
        Values by key (`Market.with_parameters`), of which every combination is run; or a list of
        dictionaries, each a combination.
    seeds
        Each combination is run with each of these.
    duration
        Of a run; None: that of the market.
    folder
        Where the rows are, of this sweep and of any others.
    executor
        "local": processes of this machine. "ray": a Ray cluster; needs `damrak[ray]`.
    address
        Of the Ray cluster; None: the one that runs here, or a new one on this machine.
    workers
        Runs at a time; None: one for each core.
    retries
        How often a run is made again whose process or machine was lost. An exception in a run is
        not worth a retry: it would be the same.
    progress
        None: a bar if tqdm is installed and standard error is a terminal.

    Raises
    ------
    DamrakError
        A parameter is not one of the market, or participants cannot be sent to a worker.
    """
    cells = [
        cell_of(market if isinstance(market, Market) else Market(market), parameters, duration)
        for parameters in _combinations(grid)
    ]
    return run_cells(
        cells,
        [as_whole("seeds", seed) for seed in as_list("seeds", seeds, "seeds")],
        folder,
        executor=executor,
        address=address,
        workers=workers,
        retries=retries,
        progress=progress,
    )


def run_cells(
    cells: Sequence[Cell],
    seeds: list[int],
    folder: str | os.PathLike[str],
    *,
    executor: Executor,
    address: str | None,
    workers: int | None,
    retries: int,
    progress: bool | None,
) -> Sweep:
    """Makes those runs that are not there, seed by seed."""
    folder = as_path("folder", folder)
    as_choice("executor", executor, ("local", "ray"))
    if workers is not None:
        workers = as_whole("workers", workers, 1, 10_000)
    retries = as_whole("retries", retries)
    result = Sweep(folder)
    result._cells = {cell.name: cell for cell in cells}
    result._seeds = set(seeds)
    rows = result._rows
    for cell in result._cells.values():
        rows.begin(cell.name, cell.market.text)
    done = {name: rows.done(name) for name in result._cells}
    wanted = [(cell, seed) for seed in dict.fromkeys(seeds) for cell in result._cells.values()]
    tasks = [cell.task(seed) for cell, seed in wanted if seed not in done[cell.name]]
    with progress_of("sweep", progress, len(wanted), " runs") as tell:
        finished = len(wanted) - len(tasks)
        with contextlib.closing(_run(tasks, rows, executor, address, workers, retries)) as runs:
            for _ in runs:
                finished += 1
                if tell is not None:
                    tell(finished)
    return result


def _run(
    tasks: list[Task],
    rows: Rows,
    executor: Executor,
    address: str | None,
    workers: int | None,
    retries: int,
) -> Generator[None, None, None]:
    if executor == "ray":
        from ._sweep_ray import run_on_ray

        return run_on_ray(tasks, rows, address, workers, retries)
    from ._sweep_worker import run_here

    return run_here(tasks, rows, workers or len(os.sched_getaffinity(0)), retries)


def _combinations(grid: Grid) -> list[dict[str, Any]]:
    if not isinstance(grid, Mapping):
        return [as_table("grid", one) for one in as_list("grid", grid, "dictionaries")]
    lists = [as_list(f"grid[{key!r}]", values, "values") for key, values in grid.items()]
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*lists)]


def cell_of(market: Market, parameters: Mapping[str, Any], duration: Interval | None) -> Cell:
    from ._parameters import plain

    plainly = {key: plain(key, value) for key, value in parameters.items()}
    changed = market.with_parameters(plainly)
    ns = None if duration is None else interval_ns(duration)
    pickled = _pickled(changed)
    sources = [_source_of(one) for one in changed._scripts.values()]
    identity = repr((changed.text, ns, _build(), sources)).encode()
    scripts = pickle.dumps(changed._scripts)
    name = hashlib.blake2b(identity + scripts, digest_size=8).hexdigest()
    return Cell(name, plainly, changed, pickled, ns)


def _pickled(market: Market) -> bytes:
    for group, one in market._scripts.items():
        try:
            pickle.dumps(one)
        except Exception as error:
            name = group.removeprefix("python:")
            raise DamrakError(
                f"{name} cannot be sent to a worker: {error}. A class has to be defined at the top "
                "of a module, and its attributes have to be such as pickle takes"
            ) from error
    return pickle.dumps(market)


def _source_of(participant: object) -> str:
    """By which a class that was changed is another one, but not by what it calls elsewhere."""
    if isinstance(participant, functools.partial):
        participant = participant.func
    if isinstance(participant, Participant):
        participant = type(participant)
    try:
        return inspect.getsource(participant)  # type: ignore[arg-type]
    except (OSError, TypeError):
        return ""


@functools.cache
def _build() -> str:
    return hashlib.blake2b(Path(_core.__file__).read_bytes(), digest_size=8).hexdigest()
