"""Markets in virtual time with participants in Python: the quick part."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

import pytest

import damrak
from damrak import DamrakError, Market, Participant, participants

_ms = 1_000_000
quiet = {"instrument": [{"symbol": "SIM", "price": 100}]}


class Maker(Participant):
    """Quotes two ticks from the mid price, every 100 ms."""

    def on_start(self, m: damrak.MarketAccess) -> None:
        m.every("100ms")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        m.cancel_all()
        if m.mid is not None:
            m.quote(m.mid - 0.02, m.mid + 0.02, 100)


def busy() -> Market:
    market = Market("noise_and_makers")
    market.add(Maker(), latency="50us", data_latency="200us")
    return market


def test_a_maker_trades_and_its_run_has_tables_measures_and_account() -> None:
    market = busy()
    run = market.run("20s", seed=3)
    assert run.complete and run.faults == [] and run.symbols == ["AAA"]
    assert len(run.trades()) == run.trade_count > 10
    assert len(run.bbo("AAA")) > 10 and len(run.messages()) > 100
    assert run.measures()["quoted_spread_ticks"] > 0
    own = run.participant("Maker")
    assert own.messages > 200 and own.position.keys() == {"AAA"}
    assert isinstance(own.participant, Maker)
    fills = own.fills
    signed = [q if s == "B" else -q for s, q in zip(fills["side"], fills["quantity"], strict=True)]
    assert sum(signed) == own.position["AAA"]
    paid = sum(q * p for q, p in zip(signed, fills["price"], strict=True))
    assert math.isclose(own.cash, -paid - fills["fee"].sum(), abs_tol=1e-6)
    assert math.isclose(own.fees, fills["fee"].sum(), abs_tol=1e-6)


def test_the_seed_decides_everything() -> None:
    market = busy()
    first = market.run("5s", seed=1)
    assert market.run("5s", seed=1).hash == first.hash == busy().run("5s", seed=1).hash
    assert market.run("5s", seed=2).hash != first.hash


def test_the_program_gives_the_same_hash_without_python(tmp_path: Path) -> None:
    import json

    run = Market("noise_and_makers").run("5s", seed=4)
    told = subprocess.run(
        [damrak.program(), "sim", "run", *_file_of(tmp_path), "--seed", "4", "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(told.stdout)["hash"] == run.hash


def _file_of(folder: Path) -> list[str]:
    path = folder / "market.toml"
    source = Path(damrak._market._path_of("noise_and_makers")).read_text(encoding="utf-8")
    path.write_text(source.replace('duration = "10min"', 'duration = "5s"'), encoding="utf-8")
    return [str(path)]


class Momentum(Participant):
    """`momentum` of the program."""

    def on_start(self, m: damrak.MarketAccess) -> None:
        self.fast = self.slow = 0.0
        self.samples = 0
        m.every("200ms", first="0s")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        mid = m.mid
        if mid is None:
            return
        if self.samples == 0:
            self.fast = self.slow = mid
        self.samples += 1
        self.fast += (1 - math.exp(-1 / 10)) * (mid - self.fast)
        self.slow += (1 - math.exp(-1 / 25)) * (mid - self.slow)
        if self.samples <= 25:
            return
        rise = (self.fast - self.slow) / m.tick
        if abs(rise) <= 0.3:
            return
        if rise > 0:
            quantity = min(100, max(1000 - m.position, 0))
            if quantity and m.ask is not None:
                m.limit("buy", quantity, m.ask, tif="ioc")
        else:
            quantity = min(100, max(1000 + m.position, 0))
            if quantity and m.bid is not None:
                m.limit("sell", quantity, m.bid, tif="ioc")


def test_the_same_strategy_in_python_and_in_the_program_gives_the_same_run() -> None:
    native, own = Market("noise_and_makers"), Market("noise_and_makers")
    connection: dict[str, Any] = {
        "name": "trend",
        "latency": {"kind": "lognormal", "median": "3ms", "sigma": 0.4},
    }
    native.add(
        participants.Momentum(fast="2s", slow="5s", interval="200ms", threshold_ticks=0.3),
        **connection,
    )
    own.add(Momentum(), **connection)
    for seed in (1, 2):
        one, other = native.run("90s", seed=seed), own.run("90s", seed=seed)
        assert one.participant("trend").messages > 5
        assert one.hash == other.hash


class Once(Participant):
    """Sells at 2 s; remembers when it hears what."""

    def on_start(self, m: damrak.MarketAccess) -> None:
        self.heard: list[tuple[str, int]] = []
        m.at("2s")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        m.limit("sell", 100, 101.0)

    def on_ack(self, m: damrak.MarketAccess, order: damrak.SentOrder) -> None:
        self.heard.append(("ack", m.elapsed))

    def on_fill(self, m: damrak.MarketAccess, fill: damrak.Fill) -> None:
        assert m.time - fill.time == 10 * _ms
        self.heard.append(("fill", m.elapsed))

    def on_bbo(self, m: damrak.MarketAccess) -> None:
        self.heard.append(("bbo", m.elapsed))

    def on_trade(self, m: damrak.MarketAccess, trades: damrak.MarketTrades) -> None:
        assert (trades.price, trades.side, trades.quantity, trades.trades) == (101.0, "buy", 60, 1)
        self.heard.append(("trade", m.elapsed))


def test_a_constant_latency_allows_no_effect_earlier() -> None:
    market = Market(quiet)
    seller = Once()
    market.add(seller, latency="10ms")
    market.add(participants.Scripted(orders=["3s buy 60 market"]), name="buyer")
    run = market.run("4s")
    assert seller.heard == [
        ("ack", 2_020 * _ms),  # 10 ms there, 10 ms back
        ("bbo", 2_020 * _ms),
        ("fill", 3_010 * _ms),
        ("trade", 3_010 * _ms),
        ("bbo", 3_010 * _ms),
    ]
    assert len(run.trades()) == 1
    assert run.participant("Once").fills["ts_event"].tolist() == [run.begin + 3_000 * _ms]


class Peek(Participant):
    """Reads the best bid every millisecond."""

    def __init__(self) -> None:
        self.first_seen: int | None = None

    def on_start(self, m: damrak.MarketAccess) -> None:
        self.first_seen = None
        m.every("1ms")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        if self.first_seen is None and m.bid is not None:
            self.first_seen = m.elapsed


def test_reading_shows_nothing_before_it_can_have_arrived() -> None:
    market = Market(quiet)
    peek = Peek()
    market.add(peek, data_latency="10ms")
    market.add(participants.Scripted(orders=["1s buy 60 limit 99"]), name="buyer")
    market.run("2s")
    assert peek.first_seen == 1_010 * _ms


def test_every_fill_has_a_trade_on_the_tape() -> None:
    run = busy().run("30s", seed=5)
    fills = run.participant("Maker").fills
    tape = run.trades()
    trades = set(
        zip(
            tape["ts_event"].tolist(),
            tape["price"].tolist(),
            tape["size"].tolist(),
            strict=True,
        )
    )
    assert len(fills["price"]) > 10
    for row in zip(
        fills["ts_event"].tolist(), fills["price"].tolist(), fills["quantity"].tolist(), strict=True
    ):
        assert row in trades


class Racer(Participant):
    """Never lets what rests, is under way and was bought exceed 300, whatever races there are."""

    worst = 0

    def on_start(self, m: damrak.MarketAccess) -> None:
        m.every("1ms")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        for order in m.orders:
            m.cancel(order)
        room = 300 - m.position - sum(o.open for o in m.orders if o.side == "buy")
        if room >= 100 and m.ask is not None:
            m.limit("buy", 100, m.ask)

    def on_fill(self, m: damrak.MarketAccess, fill: damrak.Fill) -> None:
        self.worst = max(self.worst, m.position)


def test_a_position_limit_holds_in_races_of_cancel_and_new() -> None:
    market = Market("noise_and_makers")
    racer = Racer()
    market.add(racer, latency="3ms")
    run = market.run("10s")
    assert 0 < racer.worst <= 300
    bought = run.participant("Racer").fills["quantity"].cumsum()
    assert bought.max() <= 300


class Broken(Participant):
    def on_start(self, m: damrak.MarketAccess) -> None:
        m.at("1500ms")

    def on_timer(self, m: damrak.MarketAccess) -> None:
        raise KeyError("lost")


def test_an_exception_ends_the_run_with_its_traceback_and_the_time() -> None:
    market = busy()
    market.add(Broken())
    with pytest.raises(KeyError, match="lost") as caught:
        market.run("10s")
    text = "".join(traceback.format_exception(caught.value))
    assert 'raise KeyError("lost")' in text
    assert 'on_timer of the participant "Broken", 1500ms after the market began' in text
    with pytest.raises(KeyError):  # and the next one, too
        market.run("10s")


def test_only_what_is_overridden_is_called_and_only_then_may_the_market_be_used() -> None:
    kept: list[damrak.MarketAccess] = []

    class Keeps(Participant):
        def on_start(self, m: damrak.MarketAccess) -> None:
            kept.append(m)

    market = Market("noise_and_makers")
    market.add(Keeps())
    market.run("1s")
    with pytest.raises(RuntimeError, match="only in the callbacks"):
        kept[0].limit("buy", 1, 99.0)
    assert kept[0].symbol == "AAA"


def test_explain_tells_what_became_of_an_order() -> None:
    market = busy()
    run = market.run("5s", explain="Maker")
    assert "Maker" in run.explain(1) or "sent" in run.explain(1)
    with pytest.raises(DamrakError, match="no order"):
        run.explain(10_000_000)
    with pytest.raises(DamrakError, match="explain="):
        market.run("1s").explain(1)


@pytest.mark.parametrize("slow", [True, False])
def test_ctrl_c_ends_a_run_within_a_fifth_of_a_second(slow: bool) -> None:
    class Timers(Participant):
        def on_start(self, m: damrak.MarketAccess) -> None:
            m.every("10us")

    market = Market(quiet) if slow else Market("noise_and_makers")
    market.add(Timers() if slow else Maker())
    sent = 0.0

    def interrupt() -> None:
        nonlocal sent
        time.sleep(0.3)
        sent = time.monotonic()
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        market.run("20h")
    took = time.monotonic() - sent
    thread.join()
    assert took < 1.0  # 0.2 s on a machine that does nothing else


def test_a_finished_run_leaves_nothing_behind() -> None:
    code = (
        "import damrak, gc, os\n"
        "class P(damrak.Participant):\n"
        "    def on_start(self, m): self.m = m; self.o = m.limit('buy', 1, 99.0)\n"
        "    def on_fill(self, m, fill): self.f = fill\n"
        "m = damrak.Market('noise_and_makers'); m.add(P()); m.add(P)\n"
        "r = m.run('2s'); path = r._path; r.day; del r; gc.collect()\n"
        "print(os.path.exists(path))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False" and done.stderr == ""
