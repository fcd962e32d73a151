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
from slow_books import SlowBooks, Touch, messages_of

import damrak
from damrak._day import TableName

_midnight_ns = 1_793_595_600 * 10**9  # of 2026-11-02 in New York


class Expected:
    def __init__(self, path: Path) -> None:
        self.books = SlowBooks()
        self.touches: list[tuple[int, int, Touch]] = []
        last: dict[int, Touch] = {}
        self.count = 0
        for number, message in enumerate(messages_of(path), 1):
            self.count = number
            locate = self.books.apply(number, message)
            if locate is None:
                continue
            touch = self.books.touch(locate)
            if touch != last.get(locate, None if locate in last else Touch(0, 0, 0, 0, 0, 0)):
                last[locate] = touch
                self.touches.append((number, locate, touch))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small") / "small.itch"
    run("generate", path, "--messages", "3000", "--symbols", "2", "--live", "60", "--seed", "3")
    return path


@pytest.fixture(scope="module")
def expected(small: Path) -> Expected:
    return Expected(small)


@pytest.fixture(scope="module")
def opened(small: Path) -> damrak.Day:
    return damrak.open(small, date=dt.date(2026, 11, 2), tz="America/New_York")


def rows_of(table: damrak.Table) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = table.to_polars().to_dicts()
    return rows


def e4(price: object) -> int:
    return 0 if price is None else round(float(str(price)) * 10_000)


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


def test_the_last_book_is_that_of_the_messages(opened: damrak.Day, expected: Expected) -> None:
    for locate, symbol in expected.books.symbols.items():
        book = opened.book(symbol, "24:00")
        for side, levels in (("B", book.bids), ("S", book.asks)):
            assert [(e4(one.price), one.size, one.orders) for one in levels] == (
                expected.books.levels(locate, side)
            )
        if book.bids and book.asks:
            assert book.spread is not None and book.mid is not None
            assert math.isclose(book.mid * 2, book.bids[0].price + book.asks[0].price)


def test_books_at_times_are_those_of_book(opened: damrak.Day) -> None:
    first, last = opened.span
    times = [0, *(first + (last - first) * i // 20 for i in range(21)), last, last + 10**9]
    table = opened.books("SIM1", times, levels=3)
    assert len(table) == len(times)
    for i, time in enumerate(times):
        book = opened.book("SIM1", time)
        for side, levels in (("bid", book.bids), ("ask", book.asks)):
            for level in range(3):
                price = float(table[f"{side}_px_{level:02}"][i])
                size = int(table[f"{side}_sz_{level:02}"][i])
                if level < len(levels):
                    assert (price, size) == (levels[level].price, levels[level].size)
                else:
                    assert math.isnan(price) and size == 0


def test_sampled_rows_show_the_book_of_their_time(opened: damrak.Day) -> None:
    table = opened.bbo("SIM2", every="10min")
    assert len(table) > 3
    for time, bid in zip(table["ts_event"].tolist(), table["bid_px_00"].tolist(), strict=True):
        since_midnight = time - _midnight_ns
        assert since_midnight % (600 * 10**9) == 0
        book = opened.book("SIM2", since_midnight)
        assert (book.bids[0].price if book.bids else None) == (None if math.isnan(bid) else bid)


def test_a_window_has_the_rows_of_its_times(opened: damrak.Day) -> None:
    first, last = opened.span
    start, end = first + (last - first) // 3, first + (last - first) // 2
    whole = opened.trades()
    times = whole["ts_event"] - _midnight_ns
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


_tables: tuple[TableName, ...] = (
    "bbo",
    "depth",
    "trades",
    "messages",
    "candles",
    "auctions",
    "halts",
)


def all_rows(day: damrak.Day, rows: int = 1_000_000) -> dict[str, dict[str, list[object]]]:
    """The cells of each table, by column."""
    cells: dict[str, dict[str, list[object]]] = {name: {} for name in _tables}
    for batch in day.batches(_tables, rows=rows, levels=3, every="1s", price_type="fixed"):
        for table, piece in batch.items():
            for column, values in piece.to_numpy().items():
                cells[table].setdefault(column, []).extend(values.tolist())
    return cells


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
    [whole] = day.batches("trades", rows=1 << 64)
    assert len(whole) == len(day.trades())


def test_an_itch_file_gives_what_its_archive_gives(
    day: damrak.Day, itch: Path, tmp_path: Path
) -> None:
    [archive] = damrak.convert(itch, tmp_path / "day.dar", date="2026-11-02")
    archived = damrak.open(archive, tz="America/New_York")
    assert (day.symbols, day.message_count, day.span) == (
        archived.symbols,
        archived.message_count,
        archived.span,
    )
    assert all_rows(day) == all_rows(archived)


def test_a_folder_with_one_day_is_that_day(itch: Path, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    with pytest.raises(damrak.DayError, match="the folder has no archived day"):
        damrak.open(tmp_path)
    [first] = damrak.convert(itch, folder / "1.dar")
    assert (
        damrak.open(tmp_path).bbo().to_numpy().keys() == damrak.open(first).bbo().to_numpy().keys()
    )
    assert damrak.open(tmp_path).path == str(tmp_path)
    damrak.convert(itch, folder / "2.dar")
    with pytest.raises(damrak.DayError, match="more than one archived day: give one"):
        damrak.open(tmp_path)


def test_a_day_outlives_the_name_of_its_file(itch: Path, tmp_path: Path) -> None:
    path = tmp_path / "moved.itch"
    path.write_bytes(itch.read_bytes())
    day = damrak.open(path)
    path.unlink()
    assert len(day.trades()) > 0
    assert day.book("SIM1", "12:00").bids == damrak.open(itch).book("SIM1", "12:00").bids


def test_a_cut_itch_file_says_so(itch: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.itch"
    path.write_bytes(itch.read_bytes()[:-70])
    cut = damrak.open(path)
    assert "cut" in cut.faults[0] or "ends" in cut.faults[0]
    assert cut.message_count < damrak.open(itch).message_count


def test_an_itch_file_that_becomes_shorter_says_so(itch: Path, tmp_path: Path) -> None:
    path = tmp_path / "shrinks.itch"
    path.write_bytes(itch.read_bytes())
    day = damrak.open(path)
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)
    with pytest.raises(damrak.IncompleteError, match="became shorter"):
        day.messages()
    assert 0 < len(day.messages(partial=True)) < day.message_count
    with pytest.raises(damrak.DayError, match=r"shrinks\.itch: the file changed"):
        day.book("SIM1", "12:00")


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
    narrow = damrak.open(lobster).measures()  # of two levels
    assert narrow["quoted_spread_bp"] > 0 and "depth_10" not in narrow
    with pytest.raises(damrak.DayError, match="has 3 symbols: give one"):
        day.measures()
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
    since_midnight = int(table["ts_event"][0]) - _midnight_ns
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


def test_an_order_is_followed_to_its_end(opened: damrak.Day) -> None:
    messages = rows_of(opened.messages())
    filled = next(row for row in messages if row["action"] == "F" and row["remaining"] == 0)
    life = opened.order(int(str(filled["order_id"])))
    assert life.steps[0].type in ("A", "F", "U")
    assert life.steps[-1].size == 0
    assert life.side == ("buy" if filled["side"] == "B" else "sell")
    for a, b in zip(life.steps, life.steps[1:], strict=False):
        if a.reference == b.reference:
            assert b.shares_ahead <= a.shares_ahead


def test_a_queue_is_the_orders_of_a_price_by_priority(opened: damrak.Day) -> None:
    at = opened.span[1]
    level = opened.book("SIM1", at).bids[0]
    queue = opened.queue("SIM1", side="buy", price=level.price, at=at)
    assert len(queue) == level.orders
    assert sum(one.size for one in queue) == level.size
    assert queue[0].shares_ahead == 0
    assert queue[-1].shares_ahead == level.size - queue[-1].size


def test_of_a_narrow_day_what_is_not_recorded_is_null(lobster: Path) -> None:
    narrow = damrak.open(lobster)
    assert narrow.levels == 2 and narrow.date == dt.date(2026, 11, 2)
    assert narrow.tz == "America/New_York"
    assert narrow.not_known == ["the book is not known below level 2"]
    depth = narrow.depth("SIM2", levels=3)
    for name in ("bid_px_02", "ask_px_02", "bid_sz_02", "ask_ct_02"):
        nulls = depth.nulls(name)
        assert nulls is not None and nulls.all(), name
    assert depth.nulls("bid_sz_01") is None


def test_the_rows_of_a_narrow_day_are_those_of_its_order_book_file(lobster: Path) -> None:
    book = lobster.with_name(lobster.name.replace("message", "orderbook"))
    recorded = np.loadtxt(book, delimiter=",", dtype=np.int64)
    depth = damrak.open(lobster).depth("SIM2", levels=2)
    shown = np.column_stack(
        [
            depth[f"{side}_{what}_{level:02}"]
            for level in (0, 1)
            for side in ("ask", "bid")
            for what in ("px", "sz")
        ]
    )
    rows = {tuple(row) for row in np.nan_to_num(np.rint(shown * ([10_000, 1] * 4))).astype(int)}
    full = recorded[(np.abs(recorded) < 9_999_999_999).all(axis=1)]
    known = [tuple(map(int, row)) for row in full]
    assert len(known) > 100
    assert sum(row in rows for row in known) / len(known) > 0.95  # others last no time


def test_an_archived_day_is_the_same(day: damrak.Day, itch: Path, tmp_path: Path) -> None:
    files = damrak.convert(itch, tmp_path / "day.dar", date="2026-11-02")
    assert files == [str(tmp_path / "day.dar")]
    archived = damrak.open(files[0], tz="America/New_York")
    assert archived.date == day.date
    for name in day.bbo():
        np.testing.assert_array_equal(archived.bbo()[name], day.bbo()[name])


def test_compressed_files_open_as_they_are(itch: Path, tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "day.itch.gz"
    path.write_bytes(gzip.compress(itch.read_bytes(), 1))
    assert damrak.open(path).symbols == ["SIM1", "SIM2", "SIM3"]


def test_a_damaged_day_raises_unless_a_part_is_wanted(itch: Path, tmp_path: Path) -> None:
    path = tmp_path / "day.dar"
    damrak.convert(itch, path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    cut = damrak.open(path)
    with pytest.raises(damrak.IncompleteError, match=r"partial=True takes what is before"):
        cut.trades()
    part = cut.trades(partial=True)
    assert part.missing and 0 < len(part) < len(damrak.open(itch).trades())
    with pytest.raises(damrak.IncompleteError):
        list(cut.batches("trades", rows=100))


Call = Callable[[damrak.Day], object]
_wrong: list[tuple[str, Call, type[Exception], str]] = [
    ("symbol", lambda day: day.bbo("XX"), damrak.DayError, r"no symbol 'XX'; there are SIM1"),
    ("time", lambda day: day.bbo(start="9.30"), ValueError, r"write it like 09:30"),
    ("bool time", lambda day: day.bbo(start=True), TypeError, r"a time of day is"),
    ("late time", lambda day: day.book("SIM1", "25:00"), ValueError, r"not within a day"),
    ("every", lambda day: day.bbo(every="1 parsec"), ValueError, r"a number and one of ns"),
    ("every 0", lambda day: day.bbo(every=0), ValueError, r"no interval within a day"),
    ("levels 0", lambda day: day.depth(levels=0), ValueError, r"a number from 1 to 100"),
    ("levels 101", lambda day: day.depth(levels=101), ValueError, r"a number from 1 to 100"),
    ("levels text", lambda day: day.depth(levels="5"), ValueError, r"from 1 to 100"),  # type: ignore[arg-type]
    ("price type", lambda day: day.bbo(price_type="x"), ValueError, r"'float' or 'fixed'"),  # type: ignore[arg-type]
    ("table", lambda day: next(day.batches("quotes")), damrak.DayError, r"no table 'quotes'"),  # type: ignore[arg-type]
    (
        "every of trades",
        lambda day: next(day.batches("trades", every="1s")),
        damrak.DayError,
        r"of bbo and depth, not of trades",
    ),
    ("rows 0", lambda day: next(day.batches("bbo", rows=0)), ValueError, r"at least one row"),
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


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (b"not a day at all\n" * 50, ""),
        (b"\x00" * 1000, ""),
        (bytes(range(256)) * 40, ""),
    ],
    ids=["empty", "text", "zeros", "bytes"],
)
def test_what_is_no_day_is_refused_or_reported(tmp_path: Path, content: bytes, text: str) -> None:
    path = tmp_path / "file.itch"
    path.write_bytes(content)
    try:
        day = damrak.open(path)
    except damrak.DayError as error:
        assert "file.itch" in str(error)
    else:
        assert day.faults or day.message_count == 0


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(damrak.DayError, match=r"none\.itch: there is no such file"):
        damrak.open(tmp_path / "none.itch")
    with pytest.raises(damrak.DayError, match=r"no time zone 'Mars'"):
        damrak.open(tmp_path / "none.itch", tz="Mars")
    with pytest.raises(ValueError, match=r"no date"):
        damrak.open(tmp_path / "none.itch", date="yesterday")


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


def test_a_figure_of_a_narrow_day_says_what_is_not_known(lobster: Path) -> None:
    pytest.importorskip("matplotlib")
    axes = damrak.open(lobster).plot("SIM2", "10:00", "11:00").axes[0]
    assert axes.get_title(loc="right") == "the book is not known below level 2"


def test_a_figure_of_the_book(day: damrak.Day) -> None:
    pytest.importorskip("matplotlib")
    figure = day.plot("SIM1", "10:00", "11:00")
    axes = figure.axes[0]
    assert axes.get_title(loc="left").startswith("SIM1, 2026-11-02")
    assert axes.get_title(loc="right") == ""
    with pytest.raises(damrak.DayError, match="nobody quotes"):
        day.plot("SIM1", "23:00", "23:30")
    with pytest.raises(ValueError, match="ends before it begins"):
        day.plot("SIM1", "11:00", "10:00")


def test_whole_numbers_of_numpy_are_taken(day: damrak.Day) -> None:
    at = np.int64(36_000 * 10**9)
    assert day.book("SIM1", at) == day.book("SIM1", "10:00")
    assert len(day.depth("SIM1", levels=np.int64(2))) > 0
    assert len(day.books("SIM1", np.array([at, at + 1]))) == 2
