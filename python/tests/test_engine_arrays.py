"""Orders in columns: which arrays and tables are taken, and what is refused unapplied."""

from __future__ import annotations

import _thread
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damrak
from damrak import Engine, Instrument, Limit, OrderError, order_dtype

Rows = np.ndarray[Any, np.dtype[np.void]]


@pytest.fixture
def engine() -> Engine:
    return Engine(["AAPL"])


def some(count: int = 4) -> Rows:
    rows = np.zeros(count, order_dtype("side", "quantity", "price"))
    rows["side"] = np.arange(count) % 2
    rows["quantity"] = 100
    rows["price"] = 585.33
    return rows


def test_a_row_is_an_order_and_events_are_rows(engine: Engine) -> None:
    table = engine.submit_many(some())
    assert isinstance(table, damrak.Table)
    words = [table.symbols[place] for place in table["event"]]
    assert words == ["accepted", "accepted", "executed", "executed"] * 2
    assert table["line"].tolist() == [0, 1, 1, 1, 2, 3, 3, 3]
    assert table["price"].tolist() == [585.33] * 8
    assert table["order"].tolist() == [1, 2, 1, 2, 3, 4, 3, 4]
    assert engine.submit(Limit("AAPL", "buy", 1, 1))[0].order == 5  # type: ignore[attr-defined]


def test_prices_may_be_exact(engine: Engine) -> None:
    columns = {"quantity": np.array([5]), "price": np.array([585_330_000_000])}
    table = engine.submit_many(columns, price_type="fixed")
    assert table["price"].tolist() == [585_330_000_000]
    with pytest.raises(OrderError, match=r"row 0: price .* decimals"):
        engine.submit_many({"quantity": np.array([5]), "price": np.array([585_330_000_001])})


def test_frames_and_arrow_tables_are_read_where_they_lie(engine: Engine) -> None:
    frame = pl.DataFrame(
        {
            "side": pl.Series([0, 1], dtype=pl.UInt8),
            "quantity": pl.Series([100, 100], dtype=pl.Int64),
            "price": [585.33, 585.33],
        }
    )
    arrow = pa.concat_tables([pa.table(frame), pa.table(frame).slice(1)])
    hashes = []
    for orders in (frame, pa.table(frame)):
        one = Engine(["AAPL"])
        assert len(one.submit_many(orders)) == 4
        hashes.append(one.state_hash)
    assert len(set(hashes)) == 1
    assert len(engine.submit_many(arrow)) == 5
    assert engine.submit_many(frame).to_polars()["event"].cast(pl.String)[0] == "accepted"
    assert engine.submit_many(frame).to_pandas().shape[1] == 17


def test_columns_may_lie_anywhere(engine: Engine) -> None:
    every_other = some(8)[::2]
    assert len(engine.submit_many(every_other)) == 4
    backwards = some(4)[::-1]
    assert len(engine.submit_many(backwards)) == 8
    assert len(engine.submit_many(some(0))) == 0


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("quantity", np.array([1.0, 2.0]), "'quantity' is .*'d'.* must be int64.* not converted"),
        ("quantity", np.array([1, 2], "i4"), "'quantity' is .* must be int64"),
        ("quantity", np.array([1, 2], ">i8"), "'quantity' is .* must be int64"),
        ("quantity", np.array([1, 2], "u8"), "'quantity' is .* must be int64"),
        ("quantity", np.array(["1", "2"]), "'quantity'"),
        ("quantity", [1, 2], "'quantity' is no array"),
        ("quantity", np.array([[1, 2]]), "2 dimensions"),
        ("quantity", np.array([1, 2, 3]), "3 rows"),
        ("price", np.array([1, 2], "f4"), "'price' is .* must be float64, or int64"),
        ("side", np.array([0, 1]), "'side' is .* must be uint8"),
        ("side", np.array([0, 7], "u1"), "row 1: side is 7"),
        ("type", np.array([4, 0], "u1"), "row 0: type is 4"),
        ("tif", np.array([0, 8], "u1"), "row 1: tif is 8"),
        ("self_trade", np.array([6, 0], "u1"), "row 0: self_trade is 6"),
        ("peg", np.array([4, 0], "u1"), "row 0: peg is 4"),
        ("link", np.array([0, 3], "u1"), "row 1: link is 3"),
        ("command", np.array([1, 4], "u1"), "row 1: command 4"),
        ("command", np.array([0, 1], "u1"), "row 0: command 0"),
        ("price", np.array([10, np.nan]), "row 1: price is nan"),
        ("price", np.array([np.inf, 1]), "row 0: price is inf"),
        ("price", np.array([1, 1e300]), "row 1: price is 1e\\+300"),
        ("price", np.array([1, 1.00001]), "row 1: price 1.00001 has more than the 4 decimals"),
        ("price", np.array([1, 1.005]), "row 1: price 1.005 of AAPL is off the tick.* 1 or 1.01"),
        ("stop", np.array([1, 1.005]), "row 1: stop 1.005"),
        ("instrument", np.array([1, 2], "u4"), "row 1: there is no instrument 2"),
        ("instrument", np.array([0, 1], "u4"), "row 0: there is no instrument 0"),
        ("time", np.array([2**62, 2**62 - 1]), "row 1: time does not go back"),
        ("time", np.array([5, 6]), "row 0: time does not go back"),
        ("time", np.array([5, 6], "M8[us]"), "'time' is datetime64.us.: it must be datetime64.ns."),
        ("prize", np.array([1.0, 2.0]), "no column 'prize'.*price"),
    ],
)
def test_a_mistake_is_refused_before_anything_is_applied(
    engine: Engine, name: str, values: object, message: str
) -> None:
    columns: dict[str, object] = {
        "side": np.array([0, 1], "u1"),
        "quantity": np.array([1, 1]),
        "price": np.array([10.0, 10.0]),
    }
    columns[name] = values
    before = engine.state_hash
    with pytest.raises(OrderError, match=message):
        engine.submit_many(columns)
    assert engine.state_hash == before


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"quantity": [1, None]}, "'quantity' has nulls"),
        ({"quantity": ["1", "2"]}, "'quantity' is of Arrow's format"),
        ({"quantity": [1, 2], "time": ["a", "b"]}, "'time' is of Arrow's format"),
    ],
)
def test_what_arrow_tables_may_not_have(
    engine: Engine, frame: dict[str, Any], message: str
) -> None:
    with pytest.raises(OrderError, match=message):
        engine.submit_many(pl.DataFrame(frame))


def test_what_is_no_table_is_refused(engine: Engine) -> None:
    with pytest.raises(TypeError, match="structured array"):
        engine.submit_many([1, 2, 3])
    with pytest.raises(OrderError, match="no column 'quantity'"):
        engine.submit_many({"price": np.array([1.0])})
    with pytest.raises(ValueError, match="price_type"):
        engine.submit_many(some(), price_type="exact")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no column 'prize'"):
        order_dtype("prize")


def test_several_instruments_are_numbered(engine: Engine) -> None:
    two = Engine(["AAPL", Instrument("BOND", tick=1, decimals=0)])
    with pytest.raises(OrderError, match="column 'instrument'"):
        two.submit_many(some())
    rows = np.zeros(2, order_dtype("instrument", "quantity", "price"))
    rows["instrument"] = [1, 2]
    rows["quantity"] = 10
    rows["price"] = [1.5, 2]
    table = two.submit_many(rows)
    assert [table.symbols[place] for place in table["symbol"]] == ["AAPL", "BOND"]
    assert table["price"].tolist() == [1.5, 2]


def test_times_and_expiries_are_those_of_the_rows(engine: Engine) -> None:
    rows = np.zeros(3, order_dtype("time", "quantity", "price", "tif", "expire"))
    rows["time"] = engine.time + np.array([0, 5, 20])
    rows["quantity"] = 1
    rows["price"] = 10
    rows["tif"] = [2, 0, 0]
    rows["expire"] = [engine.time + 10, 0, 0]
    start = engine.time
    table = engine.submit_many(rows)
    assert [table.symbols[place] for place in table["event"]] == [
        "accepted",
        "accepted",
        "expired",
        "accepted",
    ]
    nulls = table.nulls("line")
    assert nulls is not None and nulls.tolist() == [False, False, True, False]
    assert (table["ts_event"] - start).tolist() == [0, 5, 10, 20]
    assert engine.time == start + 20


def test_a_venue_acts_between_the_rows() -> None:
    engine = Engine(["SAP"], venue="xetra-like", time="08:55")
    rows = np.zeros(2, order_dtype("time", "side", "quantity", "price"))
    rows["time"] = [engine.time, engine.time + 600_000_000_000]
    rows["side"] = [0, 1]
    rows["quantity"] = 10
    rows["price"] = 10
    table = engine.submit_many(rows)
    words = [table.symbols[place] for place in table["event"]]
    assert words[0] == "accepted" and "phase_changed" in words and words[-1] == "executed"


def test_ctrl_c_ends_a_long_call(engine: Engine) -> None:
    rows = some(4_000_000)
    timer = threading.Timer(0.05, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        engine.submit_many(rows)
    timer.join()
    accepted = engine.submit(Limit("AAPL", "buy", 1, 1))[0]
    assert isinstance(accepted, damrak.Accepted)
    assert accepted.order < len(rows)  # it did not get to the end


def test_another_thread_is_refused_during_a_call(engine: Engine) -> None:
    rows = some(500_000)
    refused = threading.Event()
    done = threading.Event()

    def knock() -> None:
        while not done.is_set() and not refused.is_set():
            try:
                engine.submit(Limit("AAPL", "buy", 1, 1))
            except damrak.InUseError:
                refused.set()

    other = threading.Thread(target=knock)
    other.start()
    for _ in range(50):
        try:
            engine.submit_many(rows)
        except damrak.InUseError:
            continue
        if refused.is_set():
            break
    done.set()
    other.join()
    assert refused.is_set()


def texts(table: damrak.Table) -> list[tuple[Any, ...]]:
    frame: pl.DataFrame = table.to_polars().cast({pl.Categorical: pl.String}).drop("line")
    return frame.rows()


@settings(deadline=None, max_examples=30)
@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(1, 400),
    names=st.sets(
        st.sampled_from(
            [
                *("time", "command", "instrument", "participant", "side", "type", "tif"),
                *("self_trade", "flags", "order", "new_order", "client_id", "stop"),
                *("display", "minimum", "offset", "peg"),
            ]
        )
    ),
    is_exact=st.booleans(),
)
def test_rows_together_are_rows_one_by_one(
    seed: int, count: int, names: set[str], is_exact: bool
) -> None:
    random = np.random.default_rng(seed)
    several: list[str | Instrument] = [
        "A",
        Instrument("B", tick=0.5, decimals=2, tick_bands=[(20, 1)]),
    ]
    symbols = several if "instrument" in names else several[1:]
    together, one_by_one, in_columns = Engine(symbols), Engine(symbols), Engine(symbols)
    columns = {
        "quantity": random.integers(-1, 500, count),
        "price": random.choice([0, 9, 10, 10.5, 11, 20, 21, 30], count),
        "time": together.time + np.cumsum(random.integers(0, 2, count)),
        "command": random.choice(np.array([1, 1, 1, 1, 2, 3, 5], "u1"), count),
        "instrument": random.integers(1, 3, count, "u4"),
        "participant": random.integers(0, 4, count, "u4"),
        "side": random.integers(0, 2, count, "u1"),
        "type": random.choice(np.array([0, 0, 0, 1, 2, 3], "u1"), count),
        "tif": random.choice(np.array([0, 1, 3, 4], "u1"), count),
        "self_trade": random.integers(0, 6, count, "u1"),
        "flags": random.choice(np.array([0, 0, 0, 1, 2, 4, 32], "u2"), count),
        "order": random.choice([0, *range(1, 40)], count).astype("u8"),
        "new_order": random.choice([0, *range(1, 40)], count).astype("u8"),
        "client_id": random.integers(0, 9, count, "u8"),
        "stop": random.choice([0.0, 10, 11], count),
        "display": random.choice([0, 0, 100], count),
        "minimum": random.choice([0, 0, 50], count),
        "offset": random.choice([0.0, 0.5], count),
        "peg": random.integers(0, 4, count, "u1"),
    }
    columns = {
        name: values for name, values in columns.items() if name in names | {"quantity", "price"}
    }
    if is_exact:
        columns["price"] = (columns["price"] * 1e9).astype("i8")
    rows = np.zeros(count, [(name, values.dtype) for name, values in columns.items()])
    for name, values in columns.items():
        rows[name] = values
    events = texts(together.submit_many(rows))
    assert events == texts(in_columns.submit_many(columns))
    assert events == [
        event
        for row in range(count)
        for event in texts(one_by_one.submit_many(rows[row : row + 1]))
    ]
    assert len({one.state_hash for one in (together, one_by_one, in_columns)}) == 1


@pytest.mark.parametrize("row", [0, 1_023, 1_024, 2_999])
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("side", 2, "side is 2"),
        ("price", 1.005, "off the tick"),
        ("price", np.nan, "price is nan"),
        ("order", 2**63, "order is above"),
        ("time", 5, "time does not go back"),
        ("command", 4, "command 4"),
        ("instrument", 2, "no instrument 2"),
    ],
)
def test_a_mistake_has_its_row(
    engine: Engine, row: int, name: str, value: float, message: str
) -> None:
    rows = np.zeros(
        3_000, order_dtype("time", "command", "instrument", "side", "quantity", "price", "order")
    )
    rows["time"], rows["command"], rows["instrument"] = engine.time, 1, 1
    rows["quantity"], rows["price"] = 1, 585.33
    rows[name][row] = value
    before = engine.state_hash
    columns = {one: rows[one].copy() for one in rows.dtype.names or ()}
    for orders in (rows, columns, pl.DataFrame(columns)):
        with pytest.raises(OrderError, match=f"^row {row}: .*{message}"):
            engine.submit_many(orders)
    assert engine.state_hash == before


def test_what_the_engine_refuses_is_an_event(engine: Engine) -> None:
    columns = {"quantity": np.array([1, 1, -5]), "price": np.array([1e9, -1.005, 10.0])}
    table = engine.submit_many(columns)
    assert [table.symbols[place] for place in table["event"]] == ["rejected"] * 3


def test_events_are_those_of_their_call_whenever_they_are_read(engine: Engine) -> None:
    tables = [engine.submit_many(some(100_000)) for _ in range(3)]
    del engine
    assert [len(table) for table in tables] == [200_000] * 3
    assert [int(table["order"][0]) for table in tables] == [1, 100_001, 200_001]
    again = tables[0]["order"]
    assert np.shares_memory(again, tables[0]["order"])
    assert tables[1].to_polars()["order"].max() == 200_000


def test_several_threads_may_read_the_events_at_once(engine: Engine) -> None:
    table = engine.submit_many(some(400_000))
    with ThreadPoolExecutor(4) as pool:
        sums = list(pool.map(lambda name: int(table[name].sum()), ["order"] * 8))
    assert len(set(sums)) == 1 and table.to_arrow().num_rows == len(table)


def test_ctrl_c_ends_the_reading_which_may_be_done_again(engine: Engine) -> None:
    table = engine.submit_many(some(2_000_000))
    timer = threading.Timer(0.02, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        table["order"]
        timer.join()
    timer.join()
    assert len(table["order"]) == len(table) == 4_000_000
    assert table["order"][-1] == 2_000_000
