"""Recorded days as the market of participants in Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import run
from test_market import Momentum

import damrak
from damrak import DayError, Participant, participants

_day_ns = 86_400_000_000_000
_file = """
[[participants]]
kind = "momentum"
name = "Momentum"
fast = "2s"
slow = "5s"
interval = "200ms"
threshold_ticks = 0.3
latency = "1ms"
"""


@pytest.fixture(scope="module")
def archived(itch: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archived") / "day.dar"
    damrak.convert(itch, path, date="2026-11-02")
    return path


def test_python_and_the_program_make_the_same_of_a_day(archived: Path, tmp_path: Path) -> None:
    (tmp_path / "momentum.toml").write_text(_file, encoding="utf-8")
    told = json.loads(
        run("sim", "whatif", archived, "--with", tmp_path / "momentum.toml",
            "--symbol", "SIM2", "--json")
    )  # fmt: skip
    day = damrak.open(archived)
    done = damrak.backtest(day, Momentum(), symbol="SIM2", latency="1ms")
    assert done.complete and done.faults == []
    assert done.hash == told["hash"]
    own = done.participant("Momentum")
    assert own.messages == told["groups"][0]["messages"] > 10
    assert own.cash == pytest.approx(told["groups"][0]["cash"])
    assert done.drift["missed_trades"] == told["drift"]["missed_trades"]


class Joins(Participant):
    """Joins the best bid at 11:00, and stays."""

    def on_start(self, m: damrak.MarketAccess) -> None:
        self.price, self.filled_at, self.placed = 0.0, 0, 0
        m.after("1ms")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        assert m.bid is not None
        self.price = m.bid
        self.placed = m.time
        m.limit("buy", 1, m.bid, post_only=True)

    def on_fill(self, m: damrak.MarketAccess, fill: damrak.Fill) -> None:
        assert fill.is_maker and fill.price == self.price
        self.filled_at = fill.time


def test_an_order_waits_for_all_that_stood_ahead_of_it(archived: Path) -> None:
    day = damrak.open(archived)
    joins = Joins()
    filled = 0
    for symbol in day.symbols:
        for start in ("10:30", "11:00", "11:30", "12:00"):
            damrak.backtest(day, joins, symbol=symbol, start=start)
            if not joins.filled_at:
                continue
            filled += 1
            placed = joins.placed % _day_ns
            ahead = day.queue(symbol, side="buy", price=joins.price, at=placed)
            assert ahead
            for order in ahead:
                assert order.reference is not None
                later = [s for s in day.order(order.reference).steps if s.time_ns > placed]
                gone = next(s.time_ns for s in later if s.size == 0 or s.type == "U")
                assert gone <= joins.filled_at % _day_ns
    assert filled > 2


def test_a_plain_file_is_a_market_too_and_a_reaction_makes_another_one(day: damrak.Day) -> None:
    kind = participants.Twap(side="sell", quantity=3000)
    alone = damrak.backtest(day, kind, symbol="SIM1", start="10:00", end="11:00")
    answered = damrak.backtest(
        day, kind, symbol="SIM1", start="10:00", end="11:00", reaction="model"
    )
    assert alone.participant("twap").position["SIM1"] < 0
    assert alone.hash != answered.hash


def test_what_cannot_be_a_market_is_told(lobster: Path, day: damrak.Day) -> None:
    with pytest.raises(DayError, match="3 symbols"):
        damrak.backtest(day, Joins())
    with pytest.raises(DayError, match="SIM9") as caught:
        damrak.backtest(day, Joins(), symbol="SIM9")
    assert str(caught.value).startswith(f"{day.path}: "), "not the archive that was made of it"
    for tick in (0, -0.01, 0.00001, float("nan"), float("inf")):
        with pytest.raises(ValueError, match=r"tick=.*: a multiple of 0\.0001 above zero"):
            damrak.backtest(day, Joins(), symbol="SIM1", tick=tick)
    with pytest.raises(ValueError, match="reaction"):
        damrak.backtest(day, Joins(), symbol="SIM1", reaction="yes")  # type: ignore[arg-type]

    class Broken(Participant):
        def on_bbo(self, m: damrak.MarketAccess) -> None:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        damrak.backtest(day, Broken, symbol="SIM1")
