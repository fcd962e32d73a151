"""Tables of a day as Parquet files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ._arguments import as_day, as_list, as_path, as_text
from ._core import version
from ._day import Day
from ._rows import PriceType, TableName
from ._table import Table
from ._time import Interval


def write_parquet(
    day: Day,
    folder: str | os.PathLike[str],
    *,
    tables: Sequence[TableName] = ("bbo", "trades"),
    symbol: str | None = None,
    levels: int = 10,
    every: Interval | None = None,
    rows: int = 1_000_000,
    price_type: PriceType = "float",
    partial: bool = False,
) -> list[Path]:
    """Writes tables of a day to `folder/TABLE.parquet` in one pass, and returns the paths.

    Memory is bounded. A file appears when all are complete, by a rename; an earlier one stays until
    then. Its footer
    says where the rows come from: `damrak.source`, `damrak.date`, `damrak.zone`,
    `damrak.price_unit`, `damrak.version`, and `damrak.not_known` with what the day cannot tell.
    Needs `damrak[parquet]`.

    `every` is that of bbo and depth, whose rows are changes without it, and the length of candles,
    a minute without it.

    Raises
    ------
    IncompleteError
        Messages are missing and `partial` is False; no file is written.
    """
    tables = as_list("tables", tables, "names of tables")
    for name in tables:
        as_text("tables", name)
    folder = as_path("folder", folder)
    as_day(day)
    import pyarrow as pa
    import pyarrow.parquet as pq

    Path(folder).mkdir(parents=True, exist_ok=True)
    footer = {
        "damrak.source": day.path,
        "damrak.date": "" if day.date is None else day.date.isoformat(),
        "damrak.zone": day.tz or "",
        "damrak.price_unit": "1e-9" if price_type == "fixed" else "1",
        "damrak.version": version(),
        "damrak.not_known": "; ".join(day.not_known),
    }
    names = tuple(dict.fromkeys(tables))
    targets = [Path(folder) / f"{name}.parquet" for name in names]
    parts = [target.with_suffix(".parquet.part") for target in targets]
    writers: list[pq.ParquetWriter] = []

    def write(batch: Mapping[TableName, Table]) -> None:
        for i, name in enumerate(names):
            rows_of_it = pa.table(batch[name])
            if len(writers) == i:
                schema = rows_of_it.schema.with_metadata(footer)
                writers.append(pq.ParquetWriter(parts[i], schema, compression="zstd"))
            if len(rows_of_it) > 0:
                writers[i].write_table(rows_of_it)

    batches = day.batches(
        names,
        symbol,
        rows=rows,
        levels=levels,
        every=every,
        price_type=price_type,
        partial=partial,
    )
    try:
        for batch in batches:
            write(batch)
        if not writers:  # no rows, but columns
            write(day._rows.no_rows(names, levels, every, price_type))
        for writer in writers:
            writer.close()
        for part, target in zip(parts, targets, strict=True):
            part.replace(target)
    except BaseException:
        for writer in writers:
            writer.close()
        for part in parts:
            part.unlink(missing_ok=True)
        raise
    return targets
