"""The rows of a sweep: a folder for each cell, in which each writer has a file of JSON lines.

    FOLDER/measures.json                 of each measure: instrument, group, measure, unit
    FOLDER/CELL/market.toml              the market of the cell, with all defaults
    FOLDER/CELL/MACHINE-PROCESS-….jsonl  its runs, a line each

A row is written by one call when its run has ended, so that whoever is killed leaves at most one
torn line, the last of its file, which is ignored. Any number of processes may write at a time.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ._core import DamrakError, version

#: cell, parameters, seed, version, hash, measures, seconds, machine, error
Row: TypeAlias = dict[str, Any]
#: Of each measure by its whole name: instrument, group ("": the whole market), measure, unit.
Measures: TypeAlias = Mapping[str, tuple[str, str, str, str]]


class Task(NamedTuple):
    """A run of a sweep, as it goes to a worker."""

    cell: str
    parameters: dict[str, Any]
    seed: int
    duration: int | None  # nanoseconds
    market: bytes  # pickled
    version: str  # of the package


def row_of(
    task: Task,
    *,
    hash: str = "",
    measures: Mapping[str, float] | None = None,
    seconds: float = 0.0,
    error: str = "",
) -> Row:
    """Each field has a value of its own type in every row, by which others know the columns."""
    return {
        "cell": task.cell,
        "parameters": task.parameters,
        "seed": task.seed,
        "version": version(),
        "hash": hash,
        "measures": dict(measures or {}),
        "seconds": seconds,
        "machine": socket.gethostname(),
        "error": error,
    }


class Rows:
    """Those in a folder. Each process that writes has an object of its own."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._file = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}.jsonl"
        self._known: set[str] = set()

    def begin(self, cell: str, market: str) -> None:
        """Makes the folder of a cell unless it is there."""
        path = self.folder / cell / "market.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _replace(path, market)

    def append(self, row: Row, measures: Measures | None = None) -> None:
        if measures and not self._known.issuperset(measures):
            self._note(measures)
        line = (json.dumps(row, allow_nan=False) + "\n").encode()
        path = self.folder / row["cell"] / self._file
        with open(path, "ab", buffering=0) as file:
            if file.write(line) != len(line):
                raise OSError(f"{path}: the disk is full")

    def _note(self, measures: Measures) -> None:
        """Adds what is new, whoever else does so."""
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            known = self.measures()
            if not known.keys() >= measures.keys():
                text = json.dumps({**known, **measures}, indent=1)
                _replace(self.folder / "measures.json", text + "\n")
        finally:
            os.close(folder)
        self._known |= set(measures)

    def measures(self) -> dict[str, tuple[str, str, str, str]]:
        try:
            text = (self.folder / "measures.json").read_text(encoding="utf-8")
        except FileNotFoundError:
            return {}
        return {name: tuple(one) for name, one in json.loads(text).items()}

    def cells(self) -> list[str]:
        """The cells that have a folder, by name."""
        if not self.folder.is_dir():
            return []
        return sorted(one.name for one in self.folder.iterdir() if one.is_dir())

    def of(self, cell: str) -> dict[int, Row]:
        """By seed, in the order of seeds: a run that succeeded rather than one that failed."""
        rows: dict[int, Row] = {}
        for path in sorted((self.folder / cell).glob("*.jsonl")):
            for row in _read(path):
                if row["seed"] not in rows or not row["error"]:
                    rows[row["seed"]] = row
        return dict(sorted(rows.items()))

    def done(self, cell: str) -> set[int]:
        """The seeds that need not be run again."""
        return {seed for seed, row in self.of(cell).items() if not row["error"]}


def _read(path: Path) -> Iterator[Row]:
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith("\n"):
                return  # torn
            try:
                yield json.loads(line)
            except ValueError as error:
                raise DamrakError(f"{path}:{number}: no row of a sweep: {error}") from None


def _replace(path: Path, text: str) -> None:
    """Whole or not at all, also if several do so."""
    part = path.with_name(f".{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
