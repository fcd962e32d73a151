"""The engine: commands as objects, events as objects, books, venues, scripts, snapshots."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from decimal import Decimal
from pathlib import Path

import pytest

import damrak
from damrak import (
    Accepted,
    Cancel,
    Cancelled,
    EndDay,
    Engine,
    Executed,
    Halt,
    Instrument,
    Limit,
    MarketOrder,
    MassCancel,
    OrderError,
    Pegged,
    PhaseChanged,
    Query,
    Quote,
    Rejected,
    Replace,
    Replaced,
    Resume,
    SetPhase,
    SetPriceBand,
    Stop,
    Triggered,
    Uncross,
    Uncrossed,
)

SECOND = 1_000_000_000


@pytest.fixture
def engine() -> Engine:
    return Engine(["AAPL"])


def kinds(events: damrak.Events) -> list[str]:
    return [event.kind for event in events]


def test_an_order_that_rests_and_one_that_trades_with_it(engine: Engine) -> None:
    (rests,) = engine.submit(Limit("AAPL", "sell", 100, 585.33))
    assert isinstance(rests, Accepted)
    assert (rests.order, rests.price, rests.remaining, rests.on_book) == (1, 585.33, 100, True)

    accepted, resting, incoming = engine.submit(Limit("AAPL", "buy", 40, 585.34, participant=2))
    assert isinstance(accepted, Accepted)
    assert isinstance(resting, Executed) and isinstance(incoming, Executed)
    assert resting.trade == incoming.trade == 1
    assert (resting.order, resting.participant, resting.remaining) == (1, 1, 60)
    assert (incoming.price, incoming.quantity, incoming.aggressor) == (585.33, 40, True)

    book = engine.book("AAPL")
    assert book.asks == (damrak.Level(585.33, 60, 1),)
    assert book.bids == ()
    assert book.last_price == 585.33


def test_a_rejection_is_an_event_that_says_what_would_be_valid(engine: Engine) -> None:
    (event,) = engine.submit(Limit("AAPL", "buy", 0, 585.33))
    assert isinstance(event, Rejected)
    assert event.reason == "invalid_quantity"
    assert "quantity" in event.text.lower()


def test_orders_are_cancelled_replaced_and_queried_by_their_ids(engine: Engine) -> None:
    (bid,) = engine.submit(Limit("AAPL", "buy", 100, 10, client_id=7))
    assert isinstance(bid, Accepted) and bid.client_id == 7
    (replaced,) = engine.submit(Replace("AAPL", bid.order, 80, 10.01, new_id=9))
    assert isinstance(replaced, Replaced)
    assert (replaced.order, replaced.new_order, replaced.price) == (1, 9, 10.01)
    (status,) = engine.submit(Query("AAPL", 9))
    assert status.kind == "order_status"
    (gone,) = engine.submit(Cancel("AAPL", 9))
    assert isinstance(gone, Cancelled)
    assert (gone.reason, gone.remaining) == ("requested", 0)
    (unknown,) = engine.submit(Cancel("AAPL", 9))
    assert isinstance(unknown, Rejected) and unknown.reason == "unknown_order"


def test_a_prepared_order_is_submitted_any_number_of_times_with_new_ids(engine: Engine) -> None:
    order = engine.prepare(Limit("AAPL", "buy", 100, 10.5))
    assert [engine.submit(order)[0].order for _ in range(3)] == [1, 2, 3]  # type: ignore[attr-defined]
    with pytest.raises(OrderError, match="another engine"):
        Engine(["AAPL"]).submit(order)


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (Limit("APL", "buy", 1, 10), "no instrument 'APL'.*AAPL"),
        (Limit("AAPL", "buy", 1, 10.005), "price 10.005 of AAPL is off the tick.*10 or 10.01"),
        (Limit("AAPL", "buy", 1, 10.00001), "Limit: price .*4 decimals"),
        (Limit("AAPL", "buy", 1, math.nan), "price is nan"),
        (Limit("AAPL", "buy", 1, math.inf), "price is inf"),
        (Limit("AAPL", "buy", 1, Decimal("NaN")), "price is NaN"),
        (Limit("AAPL", "buy", 1, 1e300), "Limit: price"),
        (Limit("AAPL", "buy", 10**30, 10), "Limit: quantity"),
        (Limit("AAPL", "bid", 1, 10), "side.*buy.*sell"),  # type: ignore[arg-type]
        (Limit("AAPL", "buy", 1, 10, tif="never"), "tif.*day"),  # type: ignore[arg-type]
        (Limit("AAPL", "buy", 1, 10, participant=-1), "participant"),
        (Limit("AAPL", "buy", 1, 10, self_trade="x y"), "self_trade.*blanks"),  # type: ignore[arg-type]
        (Limit("AAPL", "buy", 1, 10, tif="gtd", expire="noon"), "noon"),
        (Stop("AAPL", "buy", 1, stop=10.005), "stop 10.005 of AAPL is off the tick"),
        (Quote("AAPL", 10.005, 1, 11, 1), "bid 10.005 of AAPL is off the tick"),
        (Quote("AAPL", 10, 1, 11.005, 1), "ask 11.005 of AAPL is off the tick"),
        (Replace("AAPL", 1, 5, 10.005), "price 10.005 of AAPL is off the tick"),
        (SetPhase("AAPL", "asleep"), "phase.*continuous"),  # type: ignore[arg-type]
    ],
)
def test_a_mistake_is_an_exception_that_says_what_and_changes_nothing(
    engine: Engine, order: damrak.Command, message: str
) -> None:
    before = engine.state_hash
    with pytest.raises((OrderError, ValueError), match=message):
        engine.submit(order)
    assert engine.state_hash == before


@pytest.mark.parametrize("quantity", [1.0, True, "1", None, math.nan])
def test_a_quantity_is_a_whole_number(engine: Engine, quantity: object) -> None:
    with pytest.raises((TypeError, OrderError), match=r"quantity|new needs"):
        engine.submit(Limit("AAPL", "buy", quantity, 10))  # type: ignore[arg-type]


def test_what_is_no_command_is_refused(engine: Engine) -> None:
    with pytest.raises(TypeError, match="such as Limit"):
        engine.submit("buy")  # type: ignore[arg-type]


@pytest.mark.parametrize("price", [585.32 + 0.01, Decimal("585.33"), Decimal("585.3300")])
def test_a_float_is_the_decimal_that_it_is_meant_to_be(engine: Engine, price: float) -> None:
    (event,) = engine.submit(Limit("AAPL", "buy", 1, price))
    assert event.price == 585.33  # type: ignore[attr-defined]


def test_time_is_an_input_that_stays_and_never_goes_back(engine: Engine) -> None:
    start = engine.time
    assert engine.submit(Limit("AAPL", "buy", 1, 10))[0].time == start
    assert engine.submit(Limit("AAPL", "buy", 1, 10), time=start + 5)[0].time == start + 5
    assert engine.time == start + 5
    with pytest.raises(OrderError, match="does not go back"):
        engine.submit(Limit("AAPL", "buy", 1, 10), time=start)
    with pytest.raises(OrderError, match="does not go back"):
        engine.submit(Limit("AAPL", "buy", 1, 10), time="10:59")
    with pytest.raises(OrderError, match="64 bits"):
        engine.submit(Limit("AAPL", "buy", 1, 10), time=1 << 70)
    with pytest.raises(TypeError, match="a time is nanoseconds"):
        engine.submit(Limit("AAPL", "buy", 1, 10), time=1.5)  # type: ignore[arg-type]
    engine.submit(Limit("AAPL", "buy", 1, 10), time="11:30")
    assert engine.time == start + 1_800 * SECOND
    assert engine.book("AAPL").bids[0].orders == 3


def test_orders_expire_at_their_time(engine: Engine) -> None:
    engine.submit(Limit("AAPL", "buy", 1, 10, tif="gtd", expire="11:05"))
    engine.submit(Limit("AAPL", "buy", 1, 10, tif="gtd", expire=engine.time + 10))
    assert [(e.kind, e.line) for e in engine.advance("11:04")] == [("expired", None)]
    assert [e.kind for e in engine.submit(MarketOrder("AAPL", "sell", 1), time="11:06")] == [
        "expired",
        "accepted",
        "cancelled",
    ]


def test_stops_and_pegs_follow_the_market(engine: Engine) -> None:
    engine.submit(Limit("AAPL", "buy", 10, 10))
    engine.submit(Limit("AAPL", "sell", 10, 10.10))
    (waits,) = engine.submit(Stop("AAPL", "buy", 5, stop=10.10, participant=2))
    assert isinstance(waits, Accepted)
    assert "waiting" in waits.flags and waits.stop == 10.10
    engine.submit(Pegged("AAPL", "buy", 3, "midpoint", participant=3))
    events = engine.submit(MarketOrder("AAPL", "buy", 1, participant=4))
    assert any(isinstance(event, Triggered) for event in events)


def test_a_call_ends_with_an_auction(engine: Engine) -> None:
    (call,) = engine.submit(SetPhase("AAPL", "call", call="opening"))
    assert isinstance(call, PhaseChanged) and call.phase == "call"
    engine.submit(Limit("AAPL", "buy", 100, 10.02))
    engine.submit(Limit("AAPL", "sell", 60, 9.98, participant=2))
    book = engine.book("AAPL")
    assert (book.phase, book.indicative_quantity, book.surplus_side) == ("call", 60, "buy")
    events = engine.submit(Uncross("AAPL"))
    uncrossed = next(event for event in events if isinstance(event, Uncrossed))
    assert (uncrossed.price, uncrossed.quantity, uncrossed.surplus) == (
        book.indicative_price,
        60,
        40,
    )
    assert sum(isinstance(event, Executed) for event in events) == 2
    assert engine.book("AAPL").phase == "continuous"


def test_a_halted_instrument_takes_no_orders(engine: Engine) -> None:
    assert kinds(engine.submit(Halt("AAPL"))) == ["trading_state_changed"]
    assert engine.book("AAPL").halted
    (event,) = engine.submit(Limit("AAPL", "buy", 1, 10))
    assert isinstance(event, Rejected) and event.reason == "instrument_halted"
    engine.submit(Resume("AAPL"))
    assert kinds(engine.submit(Limit("AAPL", "buy", 1, 10))) == ["accepted"]


def test_rules_tell_their_details(engine: Engine) -> None:
    (event,) = engine.submit(SetPriceBand("AAPL", lower=9, upper=11))
    assert isinstance(event, damrak.RuleSet)
    assert event.details == {"lower": 9.0, "upper": 11.0, "reference": None}
    assert engine.book("AAPL").upper == 11.0


def test_many_orders_end_at_once(engine: Engine) -> None:
    for price in (10, 11):
        engine.submit(Limit("AAPL", "buy", 1, price))
        engine.submit(Limit("AAPL", "buy", 1, price, participant=2))
    assert kinds(engine.submit(MassCancel(participant=2))) == [
        "cancelled",
        "cancelled",
        "mass_cancelled",
    ]
    assert kinds(engine.submit(EndDay())) == ["expired", "expired", "day_ended"]


def test_instruments_have_ticks_lots_and_decimals() -> None:
    engine = Engine(
        [
            Instrument("FINE", tick=0.001, lot=10, tick_bands=[(10, 0.05)]),
            Instrument("WHOLE", tick=1, decimals=0),
        ]
    )
    assert engine.symbols == ["FINE", "WHOLE"]
    engine.submit(Limit("FINE", "buy", 10, 9.999))
    engine.submit(Limit("FINE", "sell", 10, 10.05))
    with pytest.raises(OrderError, match=r"off the tick, which is 0.05 there"):
        engine.submit(Limit("FINE", "buy", 10, 10.01))
    (event,) = engine.submit(Limit("FINE", "buy", 5, 9))
    assert isinstance(event, Rejected) and event.reason == "quantity_off_lot"
    (event,) = engine.submit(Limit("WHOLE", "buy", 5, 9))
    assert event.symbol == "WHOLE"
    with pytest.raises(OrderError, match="Limit: price"):
        engine.submit(Limit("WHOLE", "buy", 5, 9.5))
    with pytest.raises(OrderError, match="tick"):
        Engine([Instrument("X", tick=0.00001)])
    with pytest.raises(TypeError, match=r"Engine\(\['AAPL'\]\)"):
        Engine("AAPL")


def test_a_venue_leads_its_instruments_through_the_day() -> None:
    assert "xetra-like" in damrak.venues()
    engine = Engine(["SAP"], venue="xetra-like", time="08:45")
    assert engine.book("SAP").phase == "pre_open" or engine.book("SAP").phase == "call"
    engine.submit(Limit("SAP", "buy", 100, 10.02), time="08:55")
    engine.submit(Limit("SAP", "sell", 60, 9.98, participant=2))
    events = engine.advance("09:01")
    assert {event.line for event in events} == {None}
    assert any(isinstance(event, Uncrossed) for event in events)
    assert engine.book("SAP").phase == "continuous"
    with pytest.raises(OrderError, match="xetra"):
        Engine(["SAP"], venue="xetra")


def test_a_venue_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "noon.toml"
    file.write_text(
        'name = "noon"\nabout = "Trades from noon on."\nzone = "Europe/Amsterdam"\n'
        '[[session]]\nname = "closed"\nat = "00:00"\nphase = "closed"\n'
        '[[session]]\nname = "trading"\nat = "12:00"\nphase = "continuous"\n'
    )
    engine = Engine(["A"], venue=file, time="11:59:59.5")
    assert engine.zone == "Europe/Amsterdam"
    assert engine.book("A").phase == "closed"
    engine.advance("12:00")
    assert engine.book("A").phase == "continuous"
    file.write_text('name = "noon"\nabout = "x"\nzone = 5')
    with pytest.raises(OrderError, match=r"noon.toml:\d+: .*zone"):
        Engine(["A"], venue=file)


def test_a_script_has_every_command_and_sees_what_is_there(engine: Engine) -> None:
    engine.submit(Limit("AAPL", "sell", 100, 10.05, participant=5))
    events = engine.run("new buy quantity=30 price=10.05 participant=2\n+1s cancel id=1")
    assert [(event.kind, event.line) for event in events] == [
        ("accepted", 1),
        ("executed", 1),
        ("executed", 1),
        ("cancelled", 2),
    ]
    assert engine.submit(Limit("AAPL", "buy", 1, 10))[0].order == 3  # type: ignore[attr-defined]


def test_a_script_with_a_mistake_changes_nothing(engine: Engine) -> None:
    before = engine.state_hash
    with pytest.raises(OrderError, match=r"bug.commands:2: .*nwe"):
        engine.run("new buy quantity=1 price=10\nnwe buy", name="bug.commands")
    assert engine.state_hash == before


def test_equal_commands_give_equal_states(engine: Engine) -> None:
    other = Engine(["AAPL"])
    for one in (engine, other):
        one.submit(Limit("AAPL", "buy", 10, 10))
        one.submit(MarketOrder("AAPL", "sell", 4))
    assert engine.state_hash == other.state_hash
    other.submit(Cancel("AAPL", 1))
    assert engine.state_hash != other.state_hash


def test_a_saved_engine_goes_on_as_if_nothing_had_happened(engine: Engine) -> None:
    engine.submit(Limit("AAPL", "buy", 10, 10, display=2, tif="gtd", expire="12:00"))
    engine.submit(Limit("AAPL", "sell", 10, 11))
    again = Engine.load(engine.save())
    assert (again.state_hash, again.time, again.symbols) == (
        engine.state_hash,
        engine.time,
        engine.symbols,
    )
    for order in (
        MarketOrder("AAPL", "buy", 3),
        MarketOrder("AAPL", "sell", 5),
        Limit("AAPL", "buy", 1, 9),
    ):
        assert list(again.submit(order)) == list(engine.submit(order))
    assert list(again.advance("12:01")) == list(engine.advance("12:01"))
    assert again.state_hash == engine.state_hash


def test_a_saved_engine_of_a_venue_goes_on_through_the_day() -> None:
    engine = Engine(["SAP"], venue="xetra-like", time="08:55")
    engine.submit(Limit("SAP", "buy", 100, 10.02))
    engine.submit(Limit("SAP", "sell", 60, 9.98, participant=2))
    again = Engine.load(engine.save(), venue="xetra-like")
    assert again.zone == engine.zone
    for time in ("09:01", "13:10", "17:40", "22:00"):
        assert list(again.advance(time)) == list(engine.advance(time))
    assert again.state_hash == engine.state_hash


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (lambda data: b"", "not the bytes"),
        (lambda data: b"x" * 100, "not the bytes"),
        (lambda data: data[:-1], "damaged"),
        (lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], "damaged"),
    ],
)
def test_damaged_snapshots_are_refused(engine: Engine, harm: object, message: str) -> None:
    data = engine.save()
    with pytest.raises(OrderError, match=message):
        Engine.load(harm(data))  # type: ignore[operator]


def test_an_engine_in_use_refuses_another_thread(engine: Engine) -> None:
    # Scripts release the interpreter's lock: one of the two threads comes too early at last.
    script = "\n".join("new buy quantity=1 price=10 tif=ioc" for _ in range(30_000))
    refused: list[BaseException] = []

    def run() -> None:
        try:
            engine.run(script)
        except damrak.InUseError as error:
            refused.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("one thread at a time" in str(error) for error in refused)
    assert kinds(engine.submit(Limit("AAPL", "buy", 1, 10))) == ["accepted"]


def test_events_that_somebody_has_are_never_written_again(engine: Engine) -> None:
    order = engine.prepare(Limit("AAPL", "buy", 1, 10))
    kept = [engine.submit(order) for _ in range(4)]
    engine.submit(order)
    assert [events[0].order for events in kept] == [1, 2, 3, 4]  # type: ignore[attr-defined]


def test_nothing_is_left_behind() -> None:
    code = (
        "import damrak as d; e = d.Engine(['AAPL']); x = e.submit(d.Limit('AAPL', 'buy', 1, 10));"
        "p = e.prepare(d.MarketOrder('AAPL', 'sell', 1)); e.submit(p); print(x[0].kind)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("accepted\n", "")


def test_events_are_a_sequence(engine: Engine) -> None:
    engine.submit(Limit("AAPL", "buy", 10, 10))
    events = engine.submit(MarketOrder("AAPL", "sell", 4))
    assert len(events) == 3
    assert events[-1] == events[2] == list(events)[2]
    assert events[1:] == list(events)[1:]
    with pytest.raises(IndexError):
        events[3]
    assert "Executed" in repr(events)


@pytest.mark.parametrize(
    "instruments",
    [[f"S{i}" for i in range(300)], [Instrument("X", tick=0.01, tick_bands=[(1, 0.003)])]],
    ids=["too many", "band off the tick"],
)
def test_instruments_that_the_engine_refuses_raise(instruments: list[str | Instrument]) -> None:
    with pytest.raises(OrderError, match="instruments: "):
        Engine(instruments)


def test_what_was_submitted_fixes_the_time() -> None:
    engine = Engine([])
    engine.submit(damrak.SetLimits(participant=1, position=5))
    with pytest.raises(OrderError):
        engine.run("09:00 instrument AAPL tick=0.01")


@pytest.mark.parametrize("time", [2**63 - 1, 2**63 - 2])
def test_a_time_beyond_all_days_is_refused(time: int) -> None:
    engine = Engine(["A"])
    with pytest.raises(OrderError, match="after the year 2255"):
        engine.advance(time)
    with pytest.raises(OrderError, match="after the year 2255"):
        engine.submit(Limit("A", "buy", 1, 1), time=time)
    with pytest.raises(ValueError, match="1970 to 2250"):
        Engine(["A"], date="9999-12-31")
