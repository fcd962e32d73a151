"""A day gives the books, queues and orders that its messages say."""

from __future__ import annotations

import datetime as dt
import math
from pathlib import Path

import numpy as np
import pytest
from conftest import run
from days import Expected, e4, rows_of

import damrak


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


def test_an_order_is_followed_to_its_end(opened: damrak.Day) -> None:
    messages = rows_of(opened.messages())
    filled = next(row for row in messages if row["action"] == "F" and row["remaining"] == 0)
    life = opened.order(int(str(filled["order_id"])))
    assert life.steps[0].type in ("A", "F", "U")
    assert life.steps[-1].size == 0 and life.life() == life.steps
    assert life.side == ("buy" if filled["side"] == "B" else "sell")
    for a, b in zip(life.steps, life.steps[1:], strict=False):
        assert a.shares_ahead is not None and b.shares_ahead is not None
        if a.reference == b.reference:
            assert b.shares_ahead <= a.shares_ahead


def test_a_queue_is_the_orders_of_a_price_by_priority(opened: damrak.Day) -> None:
    at = opened.span[1]
    level = opened.book("SIM1", at).bids[0]
    queue = opened.queue("SIM1", side="buy", price=level.price, at=at)
    assert len(queue) == level.orders
    sizes = [one.size for one in queue if one.size is not None]
    assert len(sizes) == len(queue) and sum(sizes) == level.size
    assert queue[0].shares_ahead == 0
    assert queue[-1].shares_ahead == level.size - sizes[-1]


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


@pytest.fixture
def best_only(tmp_path: Path) -> damrak.Day:
    """Of one level. Order 1 comes last at the best bid; order 77 is known by what is executed of it
    alone."""
    rows = (  # type, order, size, and the bid after it
        (1, 1, 100, 400),
        (4, 77, 40, 360),
        (4, 77, 60, 300),
        (4, 1, 100, 200),
    )
    message = tmp_path / "XY_2012-06-21_34200000_57600000_message_1.csv"
    message.write_text(
        "".join(
            f"{34_200 + i}.5,{kind},{order},{size},5000000,1\n"
            for i, (kind, order, size, _) in enumerate(rows)
        )
    )
    message.with_name(message.name.replace("message", "orderbook")).write_text(
        "".join(f"5010000,50,5000000,{bid}\n" for _, _, _, bid in rows)
    )
    return damrak.open(message)


def test_of_an_order_known_in_part_what_remains_is_null(best_only: damrak.Day) -> None:
    fills = [row for row in rows_of(best_only.messages()) if row["action"] == "F"]
    assert [(row["order_id"], row["remaining"]) for row in fills] == [
        (77, None),
        (77, None),
        (1, 0),
    ]


def test_the_life_of_an_order_known_in_part_has_all_its_parts(best_only: damrak.Day) -> None:
    steps = best_only.order(77).steps
    assert [step.type for step in steps].count("E") == 2
    assert [step.made_by_view for step in steps if step.type == "A"] == [True, True]
    assert [step.made_by_view for step in best_only.order(1).steps if step.type == "E"] == [False]


def test_what_is_left_of_an_order_known_in_part_is_not_known(best_only: damrak.Day) -> None:
    assert {
        (one.size, one.orders_ahead, one.shares_ahead) for one in best_only.order(77).steps
    } == {(None, None, None)}
    whole = best_only.order(1).steps
    assert [one.size for one in whole] == [100] * (len(whole) - 1) + [0]
    # Anonymous quantity was there before it.
    assert {one.shares_ahead for one in whole[:-1]} == {None} and whole[-1].shares_ahead == 0


def test_a_queue_below_the_recorded_levels_is_not_known(best_only: damrak.Day) -> None:
    assert best_only.queue("XY", side="buy", price=500.0, at="09:30:00.6") != ()
    with pytest.raises(damrak.DayError, match=r"queue at 499\.99 is not known"):
        best_only.queue("XY", side="buy", price=499.99, at="09:30:00.6")
    assert best_only.queue("XY", side="buy", price=500.5, at="09:30:00.6") == ()


def test_who_stands_ahead_within_anonymous_quantity_is_not_known(best_only: damrak.Day) -> None:
    queue = best_only.queue("XY", side="buy", price=500.0, at="09:30:00.6")
    assert [(one.reference, one.size, one.shares_ahead) for one in queue] == [
        (None, 300, None),
        (1, 100, None),
    ]
    alone = best_only.queue("XY", side="buy", price=500.0, at="09:30:02.6")
    assert [(one.reference, one.shares_ahead) for one in alone] == [(None, None), (1, None)]


def test_before_its_first_row_the_book_of_a_narrow_day_is_not_known(best_only: damrak.Day) -> None:
    unknown = "not known before the first message"
    for at in ("09:30:00.499999999", "09:30:00", "00:00"):
        with pytest.raises(damrak.DayError, match=unknown):
            best_only.book("XY", at=at)
        with pytest.raises(damrak.DayError, match=unknown):
            best_only.queue("XY", side="buy", price=500.0, at=at)
    books = best_only.books("XY", at=["09:30:00.499999999", "09:30:00.5"], levels=1)
    first, second = rows_of(books)
    assert first["bid_px_00"] is None and first["bid_sz_00"] is None and first["bid_ct_00"] is None
    assert (second["bid_px_00"], second["bid_sz_00"]) == (500.0, 400)
    assert best_only.book("XY", at="09:30:00.5").bids[0].size == 400


def test_what_follows_damage_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "day.dar"
    run("generate", tmp_path / "day.itch", "--messages", "100000")
    damrak.convert(tmp_path / "day.itch", path)
    late = rows_of(damrak.open(path).messages("SIM1"))[-1]["order_id"]
    assert isinstance(late, int)
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xaa" * 64)
    day = damrak.open(path)
    with pytest.raises(damrak.IncompleteError):
        day.plot("SIM1")
    day.plot("SIM1", partial=True)
    with pytest.raises(damrak.IncompleteError):
        damrak.backtest(day, damrak.Participant, symbol="SIM1")
    assert not damrak.backtest(day, damrak.Participant, symbol="SIM1", partial=True).complete
    with pytest.raises(damrak.IncompleteError):
        day.order(late)


@pytest.fixture
def returned(tmp_path: Path) -> damrak.Day:
    """Of one level: order 5 goes out of view behind order 6, and comes back when it is named."""
    rows = (  # type, order, size, price, and the best bid after it
        (1, 5, 100, 5_000_000, (5_000_000, 100)),
        (1, 6, 50, 5_000_100, (5_000_100, 50)),
        (3, 6, 50, 5_000_100, (5_000_000, 130)),
        (4, 5, 40, 5_000_000, (5_000_000, 90)),
        (1, 7, 10, 5_000_000, (5_000_000, 100)),
    )
    message = tmp_path / "XY_2012-06-21_34200000_57600000_message_1.csv"
    message.write_text(
        "".join(
            f"{34_200 + i}.5,{kind},{order},{size},{price},1\n"
            for i, (kind, order, size, price, _) in enumerate(rows)
        )
    )
    message.with_name(message.name.replace("message", "orderbook")).write_text(
        "".join(f"5010000,50,{bid},{size}\n" for *_, (bid, size) in rows)
    )
    return damrak.open(message)


def test_what_an_order_has_that_came_back_is_not_known(returned: damrak.Day) -> None:
    queue = returned.queue("XY", side="buy", price=500.0, at="09:30:04.5")
    assert [(one.reference, one.size, one.shares_ahead) for one in queue] == [
        (None, 30, None),
        (5, None, None),
        (7, 10, None),
    ]
    before = returned.queue("XY", side="buy", price=500.0, at="09:30:00.5")
    assert [(one.reference, one.size, one.shares_ahead) for one in before] == [(5, 100, 0)]
    [level] = returned.book("XY", at="09:30:04.5").bids
    assert (level.size, level.orders) == (100, None)
    assert [(row["bid_sz_00"], row["bid_ct_00"]) for row in rows_of(returned.bbo())][-1] == (
        100,
        None,
    )
