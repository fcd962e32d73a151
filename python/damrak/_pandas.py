"""A table as a pandas frame over the same memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from ._table import Column, Table


def _times(table: Table, values: Any) -> Any:
    if not table._core.has_date:
        return values.view("timedelta64[ns]")
    times = pd.DatetimeIndex(values.view("datetime64[ns]"), copy=False)
    zone = table.zone
    return times if zone is None else times.tz_localize("UTC").tz_convert(zone)


def _column(table: Table, column: Column) -> Any:
    values = table[column.name]
    nulls = table.nulls(column.name)
    match column.type:
        case "time":
            return _times(table, values)
        case "symbol" | "letter" | "code":
            codes = values
            names: list[str] = table.symbols
            if column.type != "symbol":
                import numpy as np

                found, codes = np.unique(values, return_inverse=True)
                names = [one.decode("ascii") for one in found]
            codes = codes.astype("int32")
            if nulls is not None:
                codes[nulls] = -1
            return pd.Categorical.from_codes(codes, categories=pd.Index(names, dtype=object))
        case "number" | "price":
            return values
        case "boolean" if nulls is not None:
            return pd.arrays.BooleanArray(values, nulls)
        case _ if nulls is not None:
            return pd.arrays.IntegerArray(values, nulls)
    return values


def frame_of(table: Table) -> pd.DataFrame:
    return pd.DataFrame(
        {column.name: _column(table, column) for column in table.columns}, copy=False
    )
