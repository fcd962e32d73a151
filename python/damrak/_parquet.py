"""Tables of a day as Parquet files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ._core import version
from ._day import Day, PriceType, TableName
from ._table import Table
from ._time import DAY, Interval, interval_ns


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
    """Writes tables of a day to `folder/TABLE.parquet`, in bounded memory, and returns the paths.

    A file appears when it is complete, by a rename; an earlier one stays until then. Its footer
    says where the rows come from: `damrak.source`, `damrak.date`, `damrak.zone`,
    `damrak.price_unit`, `damrak.version`, and `damrak.not_known` with what the day cannot tell.
    Needs `damrak[parquet]`.

    `every` is that of bbo and depth, whose rows are changes without it, and the length of candles,
    a minute without it.

    Raises
    ------
    IncompleteError
        Messages are missing and `partial` is False; no file of that table is written.
    """
    if isinstance(tables, str):
        raise TypeError("tables= is a list of names")
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
    written = []
    for name in tables:
        target = Path(folder) / f"{name}.parquet"
        part = target.with_suffix(".parquet.part")
        writer: pq.ParquetWriter | None = None
        try:
            at = (
                every
                if name in ("bbo", "depth")
                else every or "1min"
                if name == "candles"
                else None
            )
            for batch in day.batches(
                name,
                symbol,
                rows=rows,
                levels=levels,
                every=at,
                price_type=price_type,
                partial=partial,
            ):
                table = pa.table(batch)
                if writer is None:
                    schema = table.schema.with_metadata(footer)
                    writer = pq.ParquetWriter(part, schema, compression="zstd")
                writer.write_table(table)
            if writer is None:  # no rows, but columns
                table = pa.table(_empty(day, name, levels, at, price_type))
                schema = table.schema.with_metadata(footer)
                writer = pq.ParquetWriter(part, schema, compression="zstd")
            writer.close()
            part.replace(target)
        except BaseException:
            if writer is not None:
                writer.close()
            part.unlink(missing_ok=True)
            raise
        written.append(target)
    return written


def _empty(
    day: Day, name: TableName, levels: int, every: Interval | None, price_type: PriceType
) -> Table:
    every_ns = 0 if every is None else interval_ns(every)
    reader = day._reader(name, None, DAY, DAY, levels, every_ns, [], 1, price_type)
    core = reader.read(all=True)
    assert core is not None
    return Table(core)
