"""A day gives the tables, books and orders that its messages say, and nothing else."""

from __future__ import annotations

import datetime as dt
import json
import math
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import run
from days import MIDNIGHT_NS, Expected, all_rows, e4, rows_of
from slow_books import Touch

import damrak


def test_bbo_has_a_row_for_each_change(opened: damrak.Day, expected: Expected) -> None:
    rows = rows_of(opened.bbo())
    symbols = expected.books.symbols
    assert [(row["sequence"], row["symbol"]) for row in rows] == [
        (number, symbols[locate]) for number, locate, _ in expected.touches
    ]
    for row, (_, _, touch) in zip(rows, expected.touches, strict=True):
        shown = Touch(
            e4(row["bid_px_00"]), int(str(row["bid_sz_00"])), int(str(row["bid_ct_00"])),
            e4(row["ask_px_00"]), int(str(row["ask_sz_00"])), int(str(row["ask_ct_00"])),
        )  # fmt: skip
        assert shown == touch


def test_trades_are_the_executions_with_the_side_of_the_aggressor(
    opened: damrak.Day, expected: Expected
) -> None:
    rows = [row for row in rows_of(opened.trades()) if row["type"] in ("E", "C")]
    assert [
        (row["sequence"], row["side"], e4(row["price"]), row["size"], row["order_id"])
        for row in rows
    ] == [
        (trade.number, trade.side, trade.price_e4, trade.shares, trade.reference)
        for trade in expected.books.trades
    ]
    assert len(rows) > 100


def test_messages_are_all_there(opened: damrak.Day, expected: Expected) -> None:
    table = opened.messages()
    assert len(table) == opened.message_count == expected.count
    assert table["sequence"].tolist() == list(range(1, expected.count + 1))


def test_sampled_rows_show_the_book_of_their_time(opened: damrak.Day) -> None:
    table = opened.bbo("SIM2", every="10min")
    assert len(table) > 3
    for time, bid in zip(table["ts_event"].tolist(), table["bid_px_00"].tolist(), strict=True):
        since_midnight = time - MIDNIGHT_NS
        assert since_midnight % (600 * 10**9) == 0
        book = opened.book("SIM2", since_midnight)
        assert (book.bids[0].price if book.bids else None) == (None if math.isnan(bid) else bid)


def test_a_window_has_the_rows_of_its_times(opened: damrak.Day) -> None:
    first, last = opened.span
    start, end = first + (last - first) // 3, first + (last - first) // 2
    whole = opened.trades()
    times = whole["ts_event"] - MIDNIGHT_NS
    wanted = (times >= start) & (times <= end)
    assert wanted.any()
    window = opened.trades(start=start, end=end)
    assert window["sequence"].tolist() == whole["sequence"][wanted].tolist()


@pytest.mark.parametrize("table", ["bbo", "depth", "trades", "messages"])
def test_batches_are_the_table_in_pieces(day: damrak.Day, table: str) -> None:
    whole = getattr(day, table)()
    pieces = list(day.batches(table, rows=400))  # type: ignore[arg-type]
    assert len(pieces) > 3
    for name in whole:
        joined = np.concatenate([piece[name] for piece in pieces])
        np.testing.assert_array_equal(joined, whole[name])


def test_several_tables_come_in_one_pass(day: damrak.Day) -> None:
    cells = all_rows(day, rows=500)
    for name in ("trades", "messages", "auctions", "halts"):
        alone = getattr(day, name)(price_type="fixed").to_numpy()
        assert cells[name] == {column: values.tolist() for column, values in alone.items()}
    for name in ("bbo", "depth"):
        levels = {"levels": 3} if name == "depth" else {}
        alone = getattr(day, name)(every="1s", price_type="fixed", **levels).to_numpy()
        assert cells[name] == {column: values.tolist() for column, values in alone.items()}


def test_a_batch_of_more_rows_than_there_are_is_all(day: damrak.Day) -> None:
    [whole] = day.batches("trades", rows=1 << 62)
    assert len(whole) == len(day.trades())


def test_halts_have_their_codes(day: damrak.Day) -> None:
    halts = day.halts()
    assert halts.to_polars()["state"].to_list() == ["T"] * 3
    assert halts["reason"].dtype == np.dtype("S4")
    assert halts.nulls("reference_px") is not None


def test_measures_are_those_of_the_program(
    day: damrak.Day, itch: Path, lobster: Path, tmp_path: Path
) -> None:
    [archive] = damrak.convert(itch, tmp_path / "day.dar")
    said = json.loads(run("sim", "measure", archive, "--symbol", "SIM2", "--json"))["measures"]
    assert day.measures("SIM2") == said == damrak.open(archive).measures("SIM2")
    assert said["trades"] > 0
    every = day.measures()
    assert set(every) == {"SIM1", "SIM2", "SIM3"} and every["SIM2"] == said
    narrow = damrak.open(lobster).measures("SIM2")  # of two levels
    assert narrow["quoted_spread_bp"] > 0 and "depth_10" not in narrow
    with pytest.raises(damrak.DayError, match="no symbol 'XX'"):
        day.measures("XX")


def test_candles_are_those_of_the_trades(day: damrak.Day) -> None:
    trades = [row for row in rows_of(day.trades()) if row["printable"] and not row["broken"]]
    expected: dict[tuple[object, object], list[float]] = {}
    for row in trades:
        time = row["ts_event"]
        assert isinstance(time, dt.datetime)
        prices = expected.setdefault((time.replace(second=0, microsecond=0), row["symbol"]), [])
        prices.append(float(str(row["price"])))
    candles = rows_of(day.candles("1min"))
    assert {(row["ts_event"], row["symbol"]) for row in candles} == set(expected)
    for row in candles:
        prices = expected[row["ts_event"], row["symbol"]]
        assert (row["open"], row["close"]) == (prices[0], prices[-1])
        assert (row["low"], row["high"], row["trades"]) == (min(prices), max(prices), len(prices))


def test_exact_prices_are_the_same_in_billionths(day: damrak.Day) -> None:
    exact, price = day.bbo(price_type="fixed"), day.bbo()
    known = ~np.isnan(price["bid_px_00"])
    assert exact["bid_px_00"].dtype == np.int64
    np.testing.assert_array_equal(
        exact["bid_px_00"][known] // 100_000, np.rint(price["bid_px_00"][known] * 10_000)
    )
    assert (exact["bid_px_00"][~known] == np.iinfo(np.int64).max).all()


def test_times_are_utc_and_the_zone_is_known(day: damrak.Day) -> None:
    table = day.bbo()
    since_midnight = int(table["ts_event"][0]) - MIDNIGHT_NS
    assert 0 < since_midnight < 86_400 * 10**9
    schema = table.to_polars().schema
    assert str(schema["ts_event"]) == "Datetime(time_unit='ns', time_zone='America/New_York')"


def test_without_date_times_are_since_midnight(itch: Path) -> None:
    undated = damrak.open(itch)
    assert undated.date is None
    table = undated.trades()
    assert 0 <= int(table["ts_event"][0]) < 86_400 * 10**9
    assert str(table.to_polars().schema["ts_event"]) == "Time"
    assert str(table.to_pandas()["ts_event"].dtype) == "timedelta64[ns]"


Call = Callable[[damrak.Day], object]


_wrong: list[tuple[str, Call, type[Exception], str]] = [
    ("symbol", lambda day: day.bbo("XX"), damrak.DayError, r"no symbol 'XX'; there are SIM1"),
    ("time", lambda day: day.bbo(start="9.30"), ValueError, r"write it like 09:30"),
    ("bool time", lambda day: day.bbo(start=True), TypeError, r"a time of day is"),
    ("late time", lambda day: day.book("SIM1", "25:00"), ValueError, r"not within a day"),
    ("every", lambda day: day.bbo(every="1 parsec"), ValueError, r"a number and one of ns"),
    ("every 0", lambda day: day.bbo(every=0), ValueError, r"no interval within a day"),
    ("levels 0", lambda day: day.depth(levels=0), ValueError, r"a whole number from 1 to 100"),
    ("levels 101", lambda day: day.depth(levels=101), ValueError, r"a whole number from 1 to 100"),
    ("levels text", lambda day: day.depth(levels="5"), TypeError, r"from 1 to 100"),  # type: ignore[arg-type]
    ("price type", lambda day: day.bbo(price_type="x"), ValueError, r"'float' or 'fixed'"),  # type: ignore[arg-type]
    ("table", lambda day: next(day.batches("quotes")), damrak.DayError, r"no table 'quotes'"),  # type: ignore[arg-type]
    (
        "every of trades",
        lambda day: next(day.batches("trades", every="1s")),
        damrak.DayError,
        r"of bbo and depth, not of trades",
    ),
    (
        "rows 0",
        lambda day: next(day.batches("bbo", rows=0)),
        ValueError,
        r"rows=0: a whole number from 1",
    ),
    ("tick 0", lambda day: day.measures("SIM1", tick=0), ValueError, r"from 0.0001 to 1000"),
    ("two of one", lambda day: next(day.batches(["bbo", "bbo"])), damrak.DayError, r"wanted twice"),
    ("no table", lambda day: next(day.batches([])), damrak.DayError, r"no table is wanted"),
    ("no times", lambda day: day.books("SIM1", []), ValueError, r"no time is given"),
    ("descending", lambda day: day.books("SIM1", ["10:00", "09:00"]), ValueError, r"ascend"),
    ("backwards", lambda day: day.bbo(start="11:00", end="10:00"), ValueError, r"before it begins"),
    ("times as a text", lambda day: day.books("SIM1", "10:00"), TypeError, r"a list of times"),
    ("zone", lambda day: day.book("SIM1", dt.time(10, tzinfo=dt.UTC)), ValueError, r"has a zone"),
    ("side", lambda day: day.queue("SIM1", side="up", price=1, at=0), ValueError, r"'buy' or"),  # type: ignore[arg-type]
    ("order", lambda day: day.order(1 << 60), damrak.DayError, r"there is no order"),
    ("column", lambda day: day.bbo()["bid"], KeyError, r"no column 'bid'; there are ts_event"),
]


@pytest.mark.parametrize(
    ("call", "error", "text"), [one[1:] for one in _wrong], ids=[one[0] for one in _wrong]
)
def test_what_is_wrong_is_said(
    day: damrak.Day, call: Call, error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        call(day)


def test_threads_read_one_day(day: damrak.Day) -> None:
    whole = day.bbo()["sequence"]
    found: list[bool] = []

    def read() -> None:
        found.append(bool((day.bbo()["sequence"] == whole).all()))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 4


def test_whole_numbers_of_numpy_are_taken(day: damrak.Day) -> None:
    at = np.int64(36_000 * 10**9)
    assert day.book("SIM1", at) == day.book("SIM1", "10:00")
    assert len(day.depth("SIM1", levels=np.int64(2))) > 0
    assert len(day.books("SIM1", np.array([at, at + 1]))) == 2
