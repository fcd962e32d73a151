"""Tables: columns of plain memory that other libraries read without a copy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from numpy.typing import NDArray

    from . import _core

ColumnType: TypeAlias = Literal[
    "time",
    "uint64",
    "uint32",
    "number",
    "price",
    "exact_price",
    "letter",
    "code",
    "boolean",
    "symbol",
]


class Column(NamedTuple):
    """What a column is: `unit` is empty where it has none, `meaning` is a sentence."""

    name: str
    type: ColumnType
    can_be_null: bool
    unit: str
    meaning: str


class Table:
    """Rows in columns, read-only.

    It offers the Arrow stream interface, so that `polars.DataFrame(table)`,
    `pyarrow.table(table)` and DuckDB take it without copying numbers or times. `table["bid_px_00"]`
    is a NumPy view; nulls are NaN in numbers and prices, the largest number in exact prices, and
    otherwise 0 where `table.nulls(name)` is True.
    """

    __slots__ = ("_core", "_of_name", "columns")

    columns: tuple[Column, ...]

    def __init__(self, core: _core.Table | _core.EventRows) -> None:
        self._core = core
        self.columns = tuple(Column._make(one) for one in core.columns)
        self._of_name = {column.name: column for column in self.columns}

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        names = ", ".join(column.name for column in self.columns[:8])
        more = ", …" if len(self.columns) > 8 else ""
        return f"<damrak.Table of {len(self):,} rows: {names}{more}>"

    def __iter__(self) -> Iterator[str]:
        """The names of the columns."""
        return iter(self._of_name)

    def __contains__(self, name: object) -> bool:
        return name in self._of_name

    @property
    def symbols(self) -> list[str]:
        """The texts that the numbers of the column `symbol` stand for."""
        return self._core.symbols

    @property
    def zone(self) -> str | None:
        """The zone of times, a name of the tz database; None: not known, times are local."""
        return self._core.zone or None

    @property
    def missing(self) -> list[str]:
        """What is missing before or after the rows, a sentence each; empty: nothing."""
        return self._core.missing

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A read-only NumPy view of a column.

        int64 nanoseconds for times, uint64, uint32, float64 for numbers and prices, int64 for exact
        prices,
        S1 for letters, S4 for codes, bool, uint32 places in `symbols` for symbols.

        Raises
        ------
        KeyError
            There is no such column; the message names those that there are.
        """
        if name not in self._of_name:
            raise KeyError(f"no column {name!r}; there are {', '.join(self._of_name)}")
        values = self._core.values(name)
        kind = self._of_name[name].type
        if kind in ("letter", "code"):
            return values.view("S1" if kind == "letter" else "S4")  # type: ignore[no-any-return]
        if kind == "boolean":
            return values.view("bool")  # type: ignore[no-any-return]
        return values  # type: ignore[no-any-return]

    def nulls(self, name: str) -> NDArray[np.bool_] | None:
        """True for each row where the column is null; None: it is nowhere."""
        if name not in self._of_name:
            raise KeyError(f"no column {name!r}; there are {', '.join(self._of_name)}")
        nulls = self._core.nulls(name)
        return None if nulls is None else nulls.view("bool")

    def __arrow_c_schema__(self) -> object:
        return self._core.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._core.__arrow_c_stream__(requested_schema)

    def to_polars(self) -> pl.DataFrame:
        """A Polars frame over the same memory. Needs `damrak[polars]`."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> pa.Table:
        """An Arrow table over the same memory. Needs `damrak[parquet]`."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> pd.DataFrame:
        """A pandas frame over the same memory: its columns are read-only.

        Needs `damrak[pandas]`, not pyarrow. Times with a zone and columns with nulls are copied;
        references stay 64-bit integers (`UInt64` where some are null).
        """
        from ._pandas import frame_of

        return frame_of(self)

    def to_numpy(self) -> dict[str, NDArray[Any]]:
        """All columns as NumPy views, by name."""
        return {name: self[name] for name in self}


def table_of_columns(columns: Sequence[tuple[str, str, str, list[Any]]]) -> Table:
    """Of Python values, of which None is null: a name, a unit, a meaning and the values of each.

    Booleans, whole numbers from zero on and other numbers have columns of their own type; all else
    is text.
    """
    from . import _core

    made: list[tuple[str, str, str, str, list[Any]]] = []
    for name, unit, meaning, values in columns:
        kind = _kind_of(values)
        if kind == "symbol":
            values = [None if one is None else _text_of(one) for one in values]
        made.append((name, kind, unit, meaning, values))
    return Table(_core.table_of(made))


def _text_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _kind_of(values: list[Any]) -> ColumnType:
    there = [one for one in values if one is not None]
    if not all(isinstance(one, bool | int | float) for one in there) or not there:
        return "symbol"
    if any(isinstance(one, bool) for one in there):
        return "boolean" if all(isinstance(one, bool) for one in there) else "symbol"
    whole = all(isinstance(one, int) and 0 <= one < 1 << 64 for one in there)
    return "uint64" if whole else "number"
