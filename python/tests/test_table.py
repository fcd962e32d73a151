"""Tables leave without a copy, keep their memory alive, and are the same in every library."""

from __future__ import annotations

import gc
import struct
from pathlib import Path

import numpy as np
import pytest
from conftest import run

import damrak


def test_arrow_readers_see_the_same_rows(day: damrak.Day) -> None:
    duckdb = pytest.importorskip("duckdb")
    table = trades = day.trades()
    polars, arrow = table.to_polars(), table.to_arrow()
    assert polars["size"].to_list() == arrow["size"].to_pylist() == table["size"].tolist()
    assert polars["side"].cast(str).to_list() == arrow["side"].to_pylist()
    assert arrow["side"].to_pylist() == [one.decode() for one in table["side"].tolist()]
    assert arrow["broken"].to_pylist() == table["broken"].tolist()
    nulls = table.nulls("cross_type")
    assert nulls is not None and arrow["cross_type"].null_count == int(nulls.sum())
    for _ in range(2):  # the stream can be taken again
        total = duckdb.sql("select sum(size) from trades").fetchall()[0][0]
        assert total == int(trades["size"].sum())


def test_numbers_and_times_are_not_copied(day: damrak.Day) -> None:
    table = day.bbo()
    arrow = table.to_arrow()
    for name in ("ts_event", "sequence", "bid_px_00", "bid_sz_00"):
        buffer = arrow[name].chunk(0).buffers()[1]
        assert buffer.address == table[name].ctypes.data, name
        assert table[name].ctypes.data == table[name].ctypes.data, name
    frame = table.to_pandas()
    assert np.shares_memory(frame["bid_px_00"].to_numpy(), table["bid_px_00"])


def test_views_are_read_only_and_outlive_their_table(itch: Path) -> None:
    values = damrak.open(itch).bbo()["bid_px_00"]
    arrow = damrak.open(itch).bbo().to_arrow()
    gc.collect()
    assert values[np.isfinite(values)].min() > 0
    assert arrow.num_rows == len(values)
    with pytest.raises(ValueError, match="read-only"):
        values[0] = 1


def test_the_schema_is_offered_and_no_array(day: damrak.Day) -> None:
    table = day.bbo()
    assert "arrow_schema" in repr(table.__arrow_c_schema__())
    assert not hasattr(table, "__arrow_c_array__")
    keys = table.to_arrow().schema.field("symbol").type
    assert str(keys.index_type) == "uint32"


def test_streams_that_nobody_reads_are_released(day: damrak.Day) -> None:
    table = day.bbo("SIM1")
    for _ in range(1_000):
        table.__arrow_c_stream__()
        table.__arrow_c_schema__()
    assert table.to_arrow().num_rows == len(table)


def test_an_empty_table_has_its_columns(day: damrak.Day) -> None:
    table = day.trades(start=0, end=1)
    assert len(table) == 0
    assert table.to_polars().columns == table.to_arrow().column_names == list(table)
    assert list(table.to_pandas().columns) == list(table)


def test_columns_say_what_they_are(day: damrak.Day) -> None:
    of_name = {column.name: column for column in day.bbo().columns}
    assert of_name["bid_px_00"].unit == "currency" and of_name["bid_px_00"].can_be_null
    assert all(column.meaning.endswith(".") for column in of_name.values())
    assert "bid_px_00" in day.bbo() and "bid" not in day.bbo()
    assert repr(day.bbo()).startswith("<damrak.Table of ")


def test_pandas_keeps_references_exact(day: damrak.Day) -> None:
    frame = day.messages().to_pandas()
    references = frame["order_id"].dropna()
    assert str(references.dtype) == "UInt64"
    assert frame["ts_event"].dt.tz is not None
    assert set(frame["side"].unique()) <= {"A", "B", "N"}


def test_parquet_files_say_where_they_come_from(day: damrak.Day, tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    paths = damrak.write_parquet(day, tmp_path / "out", tables=("bbo", "trades"), rows=1_000)
    assert [path.name for path in paths] == ["bbo.parquet", "trades.parquet"]
    for path, table in zip(paths, (day.bbo(), day.trades()), strict=True):
        read = pq.read_table(path)
        assert read.num_rows == len(table)
        assert read["sequence"].to_pylist() == table["sequence"].tolist()
        footer = read.schema.metadata
        assert footer[b"damrak.date"] == b"2026-11-02"
        assert footer[b"damrak.version"].decode() == damrak.__version__
    assert not list((tmp_path / "out").glob("*.part"))


def test_a_parquet_file_that_cannot_be_finished_leaves_the_earlier_one(
    itch: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    archived = tmp_path / "day.dar"
    damrak.convert(itch, archived)
    damrak.write_parquet(damrak.open(archived), tmp_path, tables=("trades",))
    before = (tmp_path / "trades.parquet").read_bytes()
    archived.write_bytes(archived.read_bytes()[:-40_000])
    with pytest.raises(damrak.IncompleteError):
        damrak.write_parquet(damrak.open(archived), tmp_path, tables=("trades",), rows=100)
    assert (tmp_path / "trades.parquet").read_bytes() == before
    assert not list(tmp_path.glob("*.part"))


def test_a_parquet_file_without_rows_has_its_columns(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path_factory.mktemp("quiet") / "day.itch"
    run("generate", path, "--messages", "0", "--symbols", "2", "--live", "2")
    quiet = damrak.open(path)
    assert len(quiet.trades()) == len(quiet.candles()) == 0
    for file in damrak.write_parquet(quiet, tmp_path, tables=("trades", "candles")):
        assert pq.read_table(file).num_rows == 0
        assert "symbol" in pq.read_schema(file).names


def test_auctions_have_indicative_prices_and_crosses(tmp_path: Path) -> None:
    def head(letter: str, time_ns: int) -> bytes:
        return letter.encode() + struct.pack(">HH", 1, 0) + time_ns.to_bytes(6, "big")

    stock = b"ACME    "
    messages = [
        head("R", 1) + stock + b"QN" + struct.pack(">I", 100) + b"NCZ PNN1N" + bytes(4) + b"N",
        head("I", 2)
        + struct.pack(">QQc8sIIIcc", 700, 30, b"B", stock, 0, 101_000, 100_500, b"O", b" "),
        head("Q", 3) + struct.pack(">Q8sIQc", 700, stock, 101_000, 9, b"O"),
        head("Q", 4) + struct.pack(">Q8sIQc", 0, stock, 0, 10, b"C"),
    ]
    file = tmp_path / "auctions.itch"
    file.write_bytes(b"".join(struct.pack(">H", len(one)) + one for one in messages))
    rows = damrak.open(file).auctions("ACME").to_polars().drop("ts_event", "sequence", "symbol")
    assert rows.rows() == [
        ("I", "O", 10.05, 700, 30, "B", None, 10.1, None, None),
        ("Q", "O", 10.1, 700, None, None, None, None, 9, False),
        ("Q", "C", None, 0, None, None, None, None, 10, False),
    ]
