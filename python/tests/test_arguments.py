"""Whatever stands for an argument is taken, or refused in words of this package."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import run

import damrak

Call = Callable[..., object]

_wrong = (
    *(-1, 2**31, 2**63, 2**64, 2**70, 1.5, float("nan"), float("inf"), True, None),
    *("x", "\0", b"x", [1], {"a": 1}, object()),
)
#: What cannot be told in words alone: what makes exchanges, threads or files of a wrong name.
_not_tried = {"progress", "keep", "executor", "address", "folder"}


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
    limit = {"symbol": "AAPL", "side": "buy", "quantity": 100, "price": 585.33, "participant": 1}
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
        "Limit": (lambda **given: engine.submit(damrak.Limit(**given)), limit),
        "Cancel": (lambda **given: engine.submit(damrak.Cancel(**given)), {}),
        "Replace": (lambda **given: engine.submit(damrak.Replace(**given)), {}),
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
        "sweep": (damrak.sweep, {"market": market, "grid": {}, "folder": folder / "sweep"}),
        "compare": (damrak.compare, {"a": market, "b": market}),
    }
    for table in ("bbo", "depth", "trades", "messages", "candles", "auctions", "halts"):
        found[f"day.{table}"] = getattr(day, table), {}
    return found


def _names_of(name: str, call: Call) -> list[str]:
    kind = getattr(damrak, name, None) if name in ("Limit", "Cancel", "Replace") else None
    return [
        one.name
        for one in inspect.signature(kind or call).parameters.values()
        if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD) and one.name not in _not_tried
    ]


def test_wrong_arguments_are_refused_in_our_words(
    calls: dict[str, tuple[Call, dict[str, Any]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a number as a path is one here
    foreign = []
    tried = 0
    for name, (call, usual) in calls.items():
        if name in ("sweep", "compare"):  # many runs; below
            continue
        for parameter in _names_of(name, call):
            for value in _wrong:
                tried += 1
                try:
                    _first(call(**{**usual, parameter: value}))
                except (TypeError, ValueError, damrak.DamrakError, damrak.OrderError) as error:
                    if "incompatible function arguments" not in str(error):
                        continue
                    foreign.append(f"{name}({parameter}={value!r}): {str(error).splitlines()[0]}")
                except Exception as error:
                    foreign.append(f"{name}({parameter}={value!r}): {type(error).__name__} {error}")
    assert not foreign, "\n".join(foreign)
    assert tried > 1_000


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
