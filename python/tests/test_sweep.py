"""Sweeps: a row for each run, whoever is killed, and nothing is run twice."""

from __future__ import annotations

import importlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
import types
from pathlib import Path
from typing import Any

import pytest

import damrak
from damrak import DamrakError, Market, Participant

_grid = {"makers.count": [1, 3], "exchange.taker_bump": ["0s", "1ms"]}


class Maker(Participant):
    """Quotes around the mid price; does what it is told to in runs that it is told of."""

    def __init__(self, skew: float = 0.0, fault: str = "", marks: str = "") -> None:
        self.skew = skew
        self.fault = fault
        self.marks = marks

    def on_start(self, m: damrak.MarketAccess) -> None:
        m.every("100ms")
        tries = 0
        if self.marks:
            tries = len(os.listdir(self.marks))
            Path(self.marks, str(tries)).touch()
        if (self.fault == "once" and tries == 0) or self.fault == "always":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.fault == "raise":
            raise ZeroDivisionError("no reason")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        m.cancel_all()
        if m.mid is not None:
            middle = m.mid - self.skew * m.position
            m.quote(middle - 0.02, middle + 0.02, 100)


def busy(**attributes: Any) -> Market:
    market = Market("noise_and_makers")
    market.add(Maker(**attributes), latency="50us")
    return market


def swept(market: Market, grid: Any, folder: Path, **options: Any) -> damrak.Sweep:
    return damrak.sweep(
        market, grid, folder=folder, **{"duration": "1s", "seeds": [1, 2], "workers": 2, **options}
    )


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in folder.rglob("*.jsonl")}


def test_a_sweep_has_a_row_for_each_combination_and_seed(tmp_path: Path) -> None:
    result = swept(Market("noise_and_makers"), _grid, tmp_path)
    rows = result.rows()
    assert len(rows) == 8 and result.failed == []
    assert {
        (r["parameters"]["makers.count"], r["parameters"]["exchange.taker_bump"], r["seed"])
        for r in rows
    } == {(count, bump, seed) for count in (1, 3) for bump in ("0s", "1ms") for seed in (1, 2)}
    assert len({row["hash"] for row in rows}) == 8
    assert {row["version"] for row in rows} == {damrak.__version__}
    assert all(row["seconds"] > 0 and row["machine"] for row in rows)
    run = result.run(rows[0])
    assert run.hash == rows[0]["hash"] and len(run.bbo()) > 0
    assert rows[0]["measures"]["AAA/quoted_spread_ticks"] == run.measures()["quoted_spread_ticks"]
    profit = run.participant("makers").pnl
    assert rows[0]["measures"]["AAA/makers/profit"] == pytest.approx(profit)

    table = result.table()
    assert table["seed"].tolist() == [row["seed"] for row in rows]
    assert table["makers.count"].tolist() == [row["parameters"]["makers.count"] for row in rows]
    units = {column.name: column.unit for column in table.columns}
    assert units["AAA/quoted_spread_ticks"] == "ticks" and units["AAA/makers/profit"] == "currency"
    again = damrak.Sweep(tmp_path)
    assert sorted(again.rows(), key=lambda row: rows.index(row)) == rows
    with pytest.raises(DamrakError, match="the market of this row is not known"):
        again.run(rows[0])


def test_what_is_there_is_not_run_again(tmp_path: Path) -> None:
    market = Market("noise_and_makers")
    first = swept(market, {"makers.count": [1]}, tmp_path, seeds=[1, 2, 3])
    before = files_of(tmp_path)
    again = swept(Market("noise_and_makers"), {"makers.count": [1]}, tmp_path, seeds=[2, 3])
    assert files_of(tmp_path) == before
    assert again.rows() == first.rows()[1:]
    more = swept(market, {"makers.count": [1, 2]}, tmp_path, seeds=[3, 4])
    assert len(more.rows()) == 4
    assert sum(content.count(b"\n") for content in files_of(tmp_path).values()) == 6
    other = swept(market, {"makers.count": [1]}, tmp_path, seeds=[1], duration="2s")
    assert other.rows()[0]["hash"] != first.rows()[0]["hash"]


_own = """
import damrak
class Own(damrak.Participant):
    def on_start(self, m):
        m.limit("buy", {quantity}, 100.0)
"""


def test_a_class_whose_source_has_changed_is_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    hashes = []
    for quantity in (100, 2_000, 100):
        (tmp_path / "own_of_test.py").write_text(_own.format(quantity=quantity))
        sys.modules.pop("own_of_test", None)
        market = Market("noise_and_makers")
        market.add(importlib.import_module("own_of_test").Own())
        (row,) = swept(market, {}, tmp_path / "rows", seeds=[1]).rows()
        hashes.append(row["hash"])
    assert hashes[0] == hashes[2] != hashes[1]
    assert len(files_of(tmp_path / "rows")) == 2


def test_a_torn_line_is_no_row(tmp_path: Path) -> None:
    market = Market("noise_and_makers")
    whole = swept(market, {}, tmp_path, workers=1).rows()
    (path,) = tmp_path.rglob("*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1][:-20])
    assert damrak.Sweep(tmp_path).rows() == whole[:1]
    rerun = swept(market, {}, tmp_path).rows()
    assert [row["hash"] for row in rerun] == [row["hash"] for row in whole]
    path.write_bytes(b"nonsense\n")
    with pytest.raises(DamrakError, match=r"jsonl:1: no row"):
        damrak.Sweep(tmp_path).rows()


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    market = busy(fault="once", marks=str(marks))
    result = swept(market, {}, tmp_path / "rows", seeds=[1, 2, 3, 4], workers=1)
    assert [row["seed"] for row in result.rows()] == [1, 2, 3, 4] and result.failed == []
    assert len(list(marks.iterdir())) == 5, "one run was made twice"
    assert len(files_of(tmp_path / "rows")) == 1, "the first worker had no row"
    expected = [busy().run("1s", seed=seed).hash for seed in (1, 2, 3, 4)]
    assert [row["hash"] for row in result.rows()] == expected


def test_a_run_that_always_kills_its_worker_is_a_row(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    market = busy(marks=str(marks))
    grid = {"Maker.fault": ["", "always"]}
    result = swept(market, grid, tmp_path / "rows", seeds=[1], retries=1)
    by_fault = {row["parameters"]["Maker.fault"]: row for row in result.rows()}
    assert by_fault[""]["error"] == ""
    assert by_fault["always"]["error"] == "the process of the run was ended by SIGKILL"
    assert by_fault["always"]["hash"] == "" and by_fault["always"]["measures"] == {}
    assert len(list(marks.iterdir())) == 3, "once, and twice with the retry"


def test_an_exception_is_a_row_and_is_made_again_by_the_next_call(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    market = busy(fault="raise", marks=str(marks))
    result = swept(market, {}, tmp_path / "rows", seeds=[1])
    assert len(list(marks.iterdir())) == 1, "no retry"
    (row,) = result.failed
    assert row["error"].startswith("ZeroDivisionError: no reason") and "on_start" in row["error"]
    with pytest.raises(ZeroDivisionError):
        result.run(row)
    assert len(swept(market, {}, tmp_path / "rows", seeds=[1]).rows()) == 1
    assert len(list(marks.iterdir())) == 3
    table = result.table()
    assert table.symbols[table["error"][0]] == row["error"]


_driver = """
import sys
sys.path.insert(0, sys.argv[1])
import damrak
damrak.sweep("noise_and_makers", {}, folder=sys.argv[2], seeds=range(1, 2_000), duration="2s",
             workers=2)
"""


def test_a_killed_sweep_continues_and_its_workers_end(tmp_path: Path) -> None:
    driver = subprocess.Popen([sys.executable, "-c", _driver, "", str(tmp_path)])
    try:
        while len(damrak.Sweep(tmp_path).rows()) < 4:
            assert driver.poll() is None
            time.sleep(0.005)
    finally:
        driver.kill()
        driver.wait()
    names = {path.stem for path in tmp_path.rglob("*.jsonl")}
    for worker in [int(name.rsplit("-", 2)[1]) for name in names]:
        while Path(f"/proc/{worker}").exists():
            time.sleep(0.005)
    kept = {row["seed"]: row for row in damrak.Sweep(tmp_path).rows()}
    seeds = range(1, max(kept) + 3)
    result = damrak.sweep("noise_and_makers", {}, folder=tmp_path, seeds=seeds, duration="2s")
    rows = {row["seed"]: row for row in result.rows()}
    assert set(rows) == set(seeds)
    assert all(rows[seed] == row for seed, row in kept.items())


def test_parameters_of_participants_in_python_are_attributes_or_arguments(tmp_path: Path) -> None:
    made = busy().with_parameters({"Maker.skew": 0.5, "Maker.latency": "7us"})
    maker = made._scripts["python:Maker"]
    assert isinstance(maker, Maker) and maker.skew == 0.5
    assert '"7us"' in made.text
    of_class = Market("noise_and_makers")
    of_class.add(Maker, latency="7us")
    again = of_class.with_parameters({"Maker.skew": 0.5})
    assert again.run("1s").hash == made.run("1s").hash != of_class.run("1s").hash
    rows = swept(of_class, {"Maker.skew": [0.5]}, tmp_path, seeds=[1]).rows()
    assert rows[0]["hash"] == made.run("1s").hash
    for market in (busy(), of_class):
        with pytest.raises(DamrakError, match=r"Maker\.skw: "):
            market.with_parameters({"Maker.skw": 1})


def test_a_key_is_a_place_in_the_market_file() -> None:
    halt = Market("halt")
    assert "at = " in halt.text
    changed = halt.with_parameters({"timeline.1.at": "61s", "duration": "20min", "seed": 7})
    assert changed._core.duration == 1_200_000_000_000 and 'at = "61s"' in changed.text
    wide = Market("noise_and_makers").with_parameters({"AAA.tick": 0.05})
    assert wide.run("1s").measures()["tick_size"] == 0.05
    for parameters, message in (
        ({"makers.cuont": 3}, "cuont"),
        ({"nobody.count": 3}, "nobody"),
        ({"timeline.9.at": "1s"}, r"timeline\.9\.at: 9 is no number from 1 to"),
        ({"duration.x": "1s"}, r"duration\.x: there is no table that has x"),
        ({"makers.count": "many"}, r"makers\.count.*many"),
    ):
        with pytest.raises(DamrakError, match=message):
            halt.with_parameters(parameters)
    for value in (object(), float("inf")):
        with pytest.raises(TypeError, match=r"makers\.count=.*: a parameter is a finite number"):
            halt.with_parameters({"makers.count": value})


def test_what_cannot_be_swept_is_told_before_any_run(tmp_path: Path) -> None:
    class Local(Participant):
        pass

    market = Market("noise_and_makers")
    market.add(Local())
    with pytest.raises(DamrakError, match=r"Local cannot be sent to a worker: .*top of a module"):
        swept(market, {}, tmp_path)
    with pytest.raises(DamrakError, match="makers"):
        swept(Market("noise_and_makers"), {"makers.cuont": [1]}, tmp_path)
    with pytest.raises(TypeError, match=r"makers\.count'\]=3: a list of values"):
        swept(Market("noise_and_makers"), {"makers.count": 3}, tmp_path)
    with pytest.raises(ValueError, match="workers=0"):
        swept(Market("noise_and_makers"), {}, tmp_path, workers=0)
    with pytest.raises(ValueError, match="executor='slurm'"):
        swept(Market("noise_and_makers"), {}, tmp_path, executor="slurm")
    assert files_of(tmp_path) == {}


def test_spawned_processes_import_the_participants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spawned = multiprocessing.get_context("spawn")
    monkeypatch.setattr(multiprocessing, "get_context", lambda: spawned)
    (row,) = swept(busy(), {}, tmp_path, seeds=[1]).rows()
    assert row["hash"] == busy().run("1s", seed=1).hash
    made = types.ModuleType("made_here")
    exec("import damrak\nclass Own(damrak.Participant): pass", vars(made))
    monkeypatch.setitem(sys.modules, "made_here", made)
    market = Market("noise_and_makers")
    market.add(made.Own())
    with pytest.raises(DamrakError, match=r"a worker cannot load the participants: .*made_here"):
        swept(market, {}, tmp_path)


def test_others_read_the_rows_as_they_are(tmp_path: Path) -> None:
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    parquet = pytest.importorskip("pyarrow.parquet")
    market = busy()
    result = swept(market, {"Maker.fault": ["raise", ""]}, tmp_path / "rows")
    lines = f"{tmp_path}/rows/*/*.jsonl"
    for query, count in (
        ("error <> ''", 2),
        ('measures."AAA/quoted_spread_ticks" > 0', 2),
    ):
        counted = duckdb.sql(f"select count(*) from '{lines}' where {query}")
        assert counted.fetchall() == [(count,)]
    frame = polars.read_ndjson(lines)
    assert frame.filter(error="")["hash"].n_unique() == frame.height - 2 == 2
    written = parquet.read_table(result.to_parquet(tmp_path / "runs.parquet"))
    assert written.num_rows == 4
    assert written["AAA/quoted_spread_ticks"].null_count == 2
    assert written["error"].to_pylist() == [row["error"] for row in result.rows()]
    assert json.loads(json.dumps(result.rows())) == result.rows()
    assert result.table().to_polars()["seed"].to_list() == [row["seed"] for row in result.rows()]
