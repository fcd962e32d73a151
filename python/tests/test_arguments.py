"""Whatever stands for an argument is taken, or refused in words of this package."""

from __future__ import annotations

import datetime as dt
import inspect
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest
from conftest import run

import damrak
from damrak._commands import Command

Call = Callable[..., object]

_wrong = (
    *(-1, 2**31, 2**63, 2**64, 2**70, 1.5, float("nan"), float("inf"), True, None),
    *("x", "\0", "\ud800", "9" * 400, b"x", [1], {"a": 1}, object()),
)
#: What cannot be told in words alone: what makes exchanges, threads or files of a wrong name.
_not_tried = {"progress", "keep", "executor", "address", "folder"}


#: What Python says by itself, and nanobind.
_not_ours = (
    *("is not iterable", "must be real number", "not supported between"),
    *("unhashable", "codec can't", "has no attribute"),
    *("incompatible function arguments", "std::bad_cast"),
)


def _first(rows: Any) -> object:
    return next(iter(rows), None) if isinstance(rows, Iterator) else rows


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Call, dict[str, Any]]]:
    """A working call of each: a function and its arguments."""
    folder = tmp_path_factory.mktemp("arguments")
    itch = folder / "day.itch"
    run("generate", itch, "--messages", "2000")
    archived = folder / "day.dar"
    damrak.convert(itch, archived)
    day = damrak.open(archived)
    symbol = day.symbols[0]
    at = "10:00"
    engine = damrak.Engine(["AAPL"])
    market = damrak.Market("noise_and_makers")
    found: dict[str, tuple[Call, dict[str, Any]]] = {
        "open": (damrak.open, {"path": itch}),
        "convert": (damrak.convert, {"source": itch, "target": folder / "other.dar"}),
        "write_parquet": (damrak.write_parquet, {"day": day, "folder": folder / "parquet"}),
        "day.order": (day.order, {"reference": 1}),
        "day.book": (day.book, {"symbol": symbol, "at": at}),
        "day.books": (day.books, {"symbol": symbol, "at": [at]}),
        "day.queue": (day.queue, {"symbol": symbol, "side": "buy", "price": 100.0, "at": at}),
        "day.batches": (day.batches, {"tables": ("bbo",)}),
        "day.measures": (day.measures, {"symbol": symbol}),
        "Engine": (damrak.Engine, {"instruments": ["AAPL"]}),
        "Engine.run": (engine.run, {"script": ""}),
        "Engine.load": (damrak.Engine.load, {"data": engine.save()}),
        "Engine.book": (engine.book, {"symbol": "AAPL"}),
        "Engine.submit_many": (engine.submit_many, {"orders": {}}),
        "Engine.submit": (damrak.Engine.submit, {"self": engine}),
        "Engine.advance": (damrak.Engine.advance, {"self": engine}),
        "Instrument": (
            lambda **given: damrak.Engine([damrak.Instrument(**given)]),
            {"symbol": "A"},
        ),
        "Market": (damrak.Market, {"source": "noise_and_makers"}),
        "Market.run": (market.run, {"duration": "1ms"}),
        "backtest": (
            damrak.backtest,
            {"day": day, "participant": damrak.Participant(), "symbol": symbol},
        ),
        "calibrate": (
            damrak.calibrate,
            {"day": day, "model": "zero_intelligence", "symbol": symbol},
        ),
        "sweep": (damrak.sweep, {"market": market, "grid": {}, "seeds": [], "duration": "1ms"}),
        "compare": (damrak.compare, {"a": market, "b": market, "seeds": []}),
        "Market.add": (
            lambda **given: damrak.Market("noise_and_makers").add(**given),
            {"participant": damrak.Participant()},
        ),
        "Market.with_parameters": (market.with_parameters, {"parameters": {}}),
        # It does not start, whatever else is right.
        "serve": (damrak.serve, {"arguments": ["--nonsense"]}),
        "connect": (damrak.connect, {"address": "127.0.0.1:1", "timeout": 0.001}),
        "follow": (damrak.follow, {"port": 1, "timeout": 0.001}),
    }
    found["connect"][1]["instruments"] = {}  # of which nobody is asked
    for command in _commands():
        found[command.__name__] = _submitting(engine, command), _needed_by(command)
    with damrak.serve() as exchange, exchange.connect() as me, exchange.feed() as feed:
        pass  # closed: no call of them waits
    found |= {
        "me.submit": (me.submit, {"order": damrak.Limit("AAPL", "buy", 1, 1.0)}),
        "me.buy": (me.buy, {"symbol": "AAPL", "quantity": 1, "price": 1.0}),
        "me.cancel": (me.cancel, {"number": 1}),
        "me.replace": (me.replace, {"number": 1, "quantity": 1, "price": 1.0}),
        "me.next": (me.next, {}),
        "me.wait": (me.wait, {}),
        "feed.book": (feed.book, {"symbol": "AAPL"}),
        "feed.last_trade": (feed.last_trade, {"symbol": "AAPL"}),
        "feed.status": (feed.status, {"symbol": "AAPL"}),
        "feed.wait": (feed.wait, {}),
    }
    for table in ("bbo", "depth", "trades", "messages", "candles", "auctions", "halts"):
        found[f"day.{table}"] = getattr(day, table), {}
    return found


def _commands() -> list[type[Any]]:
    """All that an engine understands."""
    kinds = [getattr(damrak, name) for name in damrak.__all__]
    return [one for one in kinds if isinstance(one, type) and issubclass(one, Command)]


def _needed_by(command: type[Any]) -> dict[str, Any]:
    """Values of the fields without a default."""
    usual = {"symbol": "AAPL", "side": "buy", "peg": "primary", "phase": "call", "state": "active"}
    needed = [one.name for one in fields(command) if one.default is MISSING]
    return {name: [("AAPL", 1)] if name == "legs" else usual.get(name, 1) for name in needed}


def _submitting(engine: damrak.Engine, command: type[Any]) -> Call:
    return lambda **given: engine.submit(command(**given))


def _names_of(name: str, call: Call) -> list[str]:
    if name in ("Engine.submit", "Engine.advance"):
        return ["order", "time"] if name == "Engine.submit" else ["time"]
    kind = getattr(damrak, name, call)
    if name == "Market.add":
        kind = damrak.Market.add
    return [
        one.name
        for one in inspect.signature(kind).parameters.values()
        if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        and one.name not in (*_not_tried, "self")
        and not (name in ("connect", "follow") and one.name == "timeout")  # it waits that long
    ]


def _foreign(call: Call, given: dict[str, Any]) -> str | None:
    """What the call says if its words are not ours."""
    try:
        _first(call(**given))
    except (TypeError, ValueError, damrak.DamrakError, damrak.OrderError) as error:
        text = str(error).splitlines()[0]
        return text if any(words in text for words in _not_ours) else None
    except TimeoutError:
        return None
    except Exception as error:
        return f"{type(error).__name__} {error}"
    return None


def test_wrong_arguments_are_refused_in_our_words(
    calls: dict[str, tuple[Call, dict[str, Any]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a number as a path is one here
    foreign = []
    tried = 0
    for name, (call, usual) in calls.items():
        for parameter in _names_of(name, call):
            for value in _wrong:
                tried += 1
                said = _foreign(call, {**usual, parameter: value})
                if said is not None:
                    foreign.append(f"{name}({parameter}={value!r}): {said}")
    assert not foreign, "\n".join(foreign)
    assert tried > 2_000


#: The methods of the market that a participant sees, each with arguments that are right.
_of_market: dict[str, dict[str, Any]] = {
    "limit": {
        **{"side": "buy", "quantity": 1, "price": 1.0, "tif": "day"},
        **{"post_only": False, "hidden": False, "display": 0},
    },
    "market": {"side": "buy", "quantity": 1},
    "quote": {"bid": 1.0, "ask": None, "quantity": 1, "post_only": True},
    "submit": {"order": damrak.Limit("AAA", "buy", 1, 1.0)},
    "cancel": {"order": None, "quantity": 0},
    "replace": {"order": None, "price": 1.0, "quantity": 1},
    "every": {"interval": "1s", "key": 0, "first": None},
    "at": {"time": "1s", "key": 0},
    "after": {"interval": "1s", "key": 0},
    "book": {"levels": 1},
    "of": {"symbol": "AAA"},
    "random": {"purpose": ""},
}


def test_a_participant_is_refused_in_our_words() -> None:
    foreign = []

    class Wrong(damrak.Participant):
        def on_start(self, m: damrak.MarketAccess) -> None:
            for name, usual in _of_market.items():
                call = getattr(m, name)
                for parameter in usual:
                    for value in (*_wrong, "\ud800", dt.timedelta.max, 10**400):
                        said = _foreign(call, {**usual, parameter: value})
                        if said is not None:
                            foreign.append(f"m.{name}({parameter}={value!r}): {said}")

    market = damrak.Market("noise_and_makers")
    market.add(Wrong())
    market.run("1us")
    assert not foreign, "\n".join(foreign)


def test_a_participant_is_told_which_argument_is_wrong() -> None:
    told = []

    class Wrong(damrak.Participant):
        def on_start(self, m: damrak.MarketAccess) -> None:
            calls: list[Callable[[], object]] = [
                lambda: m.limit("buy", 1, m.bid),  # type: ignore[arg-type]
                lambda: m.limit("buy", 0, 1.0),
                lambda: m.every(2**63),
            ]
            for call in calls:
                with pytest.raises((TypeError, ValueError)) as error:
                    call()
                told.append(str(error.value).partition("=")[0])

    market = damrak.Market("noise_and_makers")
    market.add(Wrong())
    market.run("1us")
    assert told == ["price", "quantity", "interval"]


def test_a_file_has_the_name_that_the_file_system_gives_it(small: Path, tmp_path: Path) -> None:
    source = tmp_path / os.fsdecode(b"caf\xe9.itch")
    shutil.copy(small, source)
    archived = tmp_path / os.fsdecode(b"caf\xe9.dar")
    assert damrak.convert(source, archived) == [str(archived)]
    assert damrak.open(archived).message_count == damrak.open(source).message_count > 0
    with pytest.raises(damrak.DayError) as error:
        damrak.open(tmp_path / os.fsdecode(b"no\xe9.dar"))
    assert os.fsdecode(b"no\xe9.dar: there is no such file") in str(error.value)
    with pytest.raises(damrak.DamrakError, match="no market file"):
        damrak.Market(archived)


@pytest.mark.parametrize("date", ["1677-09-21", "2262-04-11", "0001-01-01", "9999-12-31"])
def test_a_day_whose_times_do_not_fit_is_refused_at_once(small: Path, date: str) -> None:
    with pytest.raises(ValueError, match="from 1677-09-22 to 2262-04-10"):
        damrak.open(small, date=date, tz="America/New_York")


@pytest.mark.parametrize("tz", ["America", "A" * 400, "localtime", "../etc/passwd"])
def test_no_zone_but_those_of_the_database_is_taken(small: Path, tz: str) -> None:
    with pytest.raises(damrak.DayError, match="there is no time zone"):
        damrak.open(small, date="2012-06-21", tz=tz)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", None, True])
@pytest.mark.parametrize(
    "name", ["Market.run", "Engine", "Engine.load", "backtest", "sweep", "compare"]
)
def test_a_seed_is_a_whole_number_of_64_bits(
    calls: dict[str, tuple[Call, dict[str, Any]]], name: str, seed: Any
) -> None:
    call, usual = calls[name]
    given = {"seeds": [1, seed]} if name in ("sweep", "compare") else {"seed": seed}
    with pytest.raises((TypeError, ValueError), match=r"seeds?=.*: a whole number from 0 to 18,4"):
        call(**{**usual, **given})
