"""Reads the rows of a day's tables."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Literal, SupportsIndex, TypeAlias

from . import _core
from ._arguments import as_text, as_whole
from ._core import DayError, IncompleteError
from ._progress import progress_of
from ._table import Table
from ._time import DAY, Interval, TimeOfDay, interval_ns, time_ns

PriceType: TypeAlias = Literal["float", "fixed"]
TableName: TypeAlias = Literal["bbo", "depth", "trades", "messages", "candles", "auctions", "halts"]
Path: TypeAlias = str | os.PathLike[str]
Wanted: TypeAlias = tuple[str, int, int, list[int]]  # a table: name, levels, interval, times

MOST_ROWS = 1 << 40  # more than a day has


class Rows:
    """Those of a day, whose file the library has open. Any number of threads may read them."""

    def __init__(
        self,
        core: _core.Day,
        path: str,
        zone: str,
        midnight_ns: int | None,
        progress: bool | None,
    ) -> None:
        self.core = core
        self.locates = dict(core.instruments)
        self.path = path
        self._zone = zone
        self._midnight_ns = midnight_ns
        self._progress = progress

    def locate(self, symbol: str) -> int:
        """The number of a symbol."""
        if as_text("symbol", symbol) not in self.locates:
            some = ", ".join(list(self.locates)[:20])
            raise DayError(
                f"{self.path}: there is no symbol {symbol!r}; there are {some}"
                + (", …" if len(self.locates) > 20 else "")
            )
        return self.locates[symbol]

    def reader(
        self,
        tables: list[Wanted],
        symbol: str | None,
        start: TimeOfDay | None,
        end: TimeOfDay | None,
        rows: int,
        price_type: str,
    ) -> _core.Reader:
        if price_type not in ("float", "fixed"):
            raise ValueError(f"price_type={price_type!r}: 'float' or 'fixed'")
        from_ns = 0 if start is None else time_ns(start)
        until_ns = DAY if end is None else time_ns(end)
        if until_ns < from_ns:
            raise ValueError("the window ends before it begins")
        return _core.Reader(
            self.core,
            tables,
            locate=None if symbol is None else self.locate(symbol),
            from_ns=from_ns,
            until_ns=until_ns,
            rows=rows,
            midnight_ns=self._midnight_ns,
            zone=self._zone,
            has_date=self._midnight_ns is not None,
            has_exact_prices=price_type == "fixed",
        )

    def table(
        self,
        name: TableName,
        symbol: str | None,
        start: TimeOfDay | None,
        end: TimeOfDay | None,
        price_type: PriceType,
        partial: bool,
        *,
        levels: SupportsIndex = 1,
        every: Interval | None = None,
    ) -> Table:
        """All rows of one table."""
        wanted = _wanted(name, levels, every)
        return self._all(self.reader([wanted], symbol, start, end, 1 << 16, price_type), partial)

    def books_at(
        self,
        symbol: str,
        times: list[int],
        levels: SupportsIndex,
        price_type: PriceType,
        partial: bool,
    ) -> Table:
        """A row for each of the times, which ascend."""
        wanted = ("depth", as_whole("levels", levels, 1, 100), 0, times)
        return self._all(self.reader([wanted], symbol, None, None, MOST_ROWS, price_type), partial)

    def batches(
        self,
        names: Sequence[TableName],
        symbol: str | None,
        start: TimeOfDay | None,
        end: TimeOfDay | None,
        rows: int,
        levels: SupportsIndex,
        every: Interval | None,
        price_type: PriceType,
        partial: bool,
    ) -> Iterator[list[Table]]:
        """Some rows of each table at a time; what is wrong with the arguments is said at once."""
        rows = min(as_whole("rows", rows, 1), MOST_ROWS)
        wanted = _all_wanted(names, levels, every)
        reader = self.reader(wanted, symbol, start, end, rows, price_type)
        return self._read_batches(reader, partial)

    def no_rows(
        self,
        names: Sequence[TableName],
        levels: SupportsIndex,
        every: Interval | None,
        price_type: PriceType,
    ) -> dict[TableName, Table]:
        """Tables with their columns alone."""
        wanted = _all_wanted(names, levels, every)
        tables = self.reader(wanted, None, DAY, DAY, 1, price_type).read(all=True)
        assert tables is not None
        return {name: Table(one) for name, one in zip(names, tables, strict=True)}

    def _all(self, reader: _core.Reader, partial: bool) -> Table:
        with progress_of("reading", self._progress, self.core.messages) as progress:
            tables = reader.read(all=True, progress=progress)
        assert tables is not None
        _look_at(reader.missing, partial)
        return Table(tables[0])

    def _read_batches(self, reader: _core.Reader, partial: bool) -> Iterator[list[Table]]:
        with progress_of("reading", self._progress, self.core.messages) as progress:
            while (tables := reader.read(progress=progress)) is not None:
                yield [Table(one) for one in tables]
        _look_at(reader.missing, partial)


_least_every = 1_000_000  # nanoseconds; a day has more rows than fit into memory otherwise


def _wanted(name: TableName, levels: SupportsIndex, every: Interval | None) -> Wanted:
    if name == "candles" and every is None:
        every = "1min"
    every_ns = 0 if every is None else interval_ns(every)
    if name != "candles" and 0 < every_ns < _least_every:  # candles have a trade each
        raise ValueError(
            f"every={every!r}: rows are at least 1 ms apart; None: one for each change"
        )
    return (name, as_whole("levels", levels, 1, 100), every_ns, [])


def _all_wanted(
    names: Sequence[TableName], levels: SupportsIndex, every: Interval | None
) -> list[Wanted]:
    """`every` is of those that have it, or refused where that is none."""
    have = [name for name in names if as_text("tables", name) in ("bbo", "depth", "candles")]
    return [_wanted(name, levels, every if name in have or not have else None) for name in names]


def _look_at(missing: list[str], partial: bool) -> None:
    if missing and not partial:
        raise IncompleteError(f"{missing[0]}; partial=True takes what is before")
