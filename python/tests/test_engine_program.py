"""The engine in Python does what the program does with the same commands, event for event."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
import subprocess
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import damrak
from damrak import Cancel, Engine, Limit, MarketOrder, Replace, Stop

examples = Path(__file__).parents[2] / "examples" / "commands"


def of_program(path: Path, venue: str | None = None) -> list[dict[str, Any]]:
    options = [] if venue is None else ["--venue", venue]
    lines = subprocess.run(
        [damrak.program(), "replay", "--format", "commands", str(path), "--json", *options],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    events = [json.loads(line) for line in lines]
    return [event for event in events if "book" not in event]


def clock(engine: Engine, ns: int) -> str:
    seconds, rest = divmod(ns, 1_000_000_000)
    moment = dt.datetime.fromtimestamp(seconds, ZoneInfo(engine.zone))
    return f"{moment:%H:%M:%S}.{rest:09}"


def as_program(engine: Engine, event: damrak.Event) -> dict[str, Any]:
    """An event as a line of the program has it."""
    line: dict[str, Any] = {
        "line": event.line,
        "time": clock(engine, event.time),
        "command": event.command,
        "event": event.kind,
    }
    if event.symbol is not None:
        line["instrument"] = event.symbol
    reason = getattr(event, "reason", None)
    if reason is not None:
        line["reason"] = reason
    match event:
        case damrak.Rejected():
            if event.order:
                line["order"] = event.order
        case damrak.PhaseChanged():
            line["phase"] = event.phase
            if event.cause is not None:
                line["cause"] = event.cause
        case damrak.TradingStateChanged():
            line["state"] = event.state
            if event.cause is not None:
                line["cause"] = event.cause
        case damrak.ParticipantStateChanged():
            line |= {"participant": event.participant, "state": event.state}
        case damrak.Counted():
            line["orders"] = event.orders
        case damrak.Uncrossed():
            line |= {
                "price": event.price,
                "quantity": event.quantity,
                "surplus": event.surplus,
                "surplus_side": event.surplus_side,
            }
        case damrak.RuleSet():
            if event.kind == "limits_set":
                line["participant"] = event.participant
            line |= event.details
        case damrak.OrderEvent():
            line |= {"order": event.order, "participant": event.participant, "side": event.side}
            if isinstance(event, damrak.Accepted):
                line |= {"type": event.type, "tif": event.tif}
            if isinstance(event, damrak.Replaced):
                line["new_order"] = event.new_order
            if isinstance(event, damrak.Executed | damrak.TradeBusted | damrak.TradeCorrected):
                line["trade"] = event.trade
            if event.price is not None:
                line["price"] = event.price
            if event.quantity:
                line["quantity"] = event.quantity
            if isinstance(event, damrak.TradeCorrected):
                line["price_before"] = event.price_before
                line["quantity_before"] = event.quantity_before
            else:
                line |= {"remaining": event.remaining, "displayed": event.displayed}
            line["flags"] = list(event.flags)
            if event.stop is not None:
                line["stop"] = event.stop
    return line


@pytest.mark.parametrize("path", sorted(examples.glob("*.commands")), ids=lambda path: path.stem)
def test_a_script_gives_the_events_of_the_program(path: Path) -> None:
    script = path.read_text()
    named = re.search(r"--venue ([a-z-]+)", script)
    venue = named[1] if named else "nasdaq-like" if "nasdaq" in path.stem else None
    engine = Engine([], venue)
    events = [as_program(engine, event) for event in engine.run(script)]
    expected = of_program(path, venue)
    for ours, theirs in zip(events, expected, strict=True):
        assert ours | {"time": None} == theirs | {"time": None}
        assert ours["time"].startswith(theirs["time"].rstrip("0").rstrip("."))


ids = st.integers(1, 30)
prices = st.integers(995, 1005).map(lambda cents: cents / 100)
sides = st.sampled_from(["buy", "sell"])
participants = st.integers(1, 3)
quantities = st.integers(-1, 12)
tifs = st.sampled_from(["day", "gtc", "ioc", "fok"])
self_trades = st.sampled_from(
    ["none", "cancel_newest", "cancel_oldest", "cancel_both", "decrement_and_cancel", "skip_own"]
)
common: dict[str, Any] = {"participant": participants, "self_trade": self_trades}
orders = st.one_of(
    st.builds(
        Limit,
        st.just("TEST"),
        sides,
        quantities,
        prices,
        tif=tifs,
        display=st.sampled_from([0, 0, 2]),
        minimum=st.sampled_from([0, 0, 3]),
        **common,
    ),
    st.builds(
        Limit,
        st.just("TEST"),
        sides,
        quantities,
        prices,
        hidden=st.booleans(),
        post_only=st.booleans(),
        post_only_reprice=st.booleans(),
        client_id=st.integers(0, 2**63 - 1),
        **common,
    ),
    st.builds(MarketOrder, st.just("TEST"), sides, quantities, to_limit=st.booleans(), **common),
    st.builds(Stop, st.just("TEST"), sides, quantities, stop=prices, **common),
    st.builds(damrak.StopLimit, st.just("TEST"), sides, quantities, prices, stop=prices, **common),
    st.builds(
        damrak.Pegged,
        st.just("TEST"),
        sides,
        quantities,
        st.sampled_from(["primary", "market", "midpoint"]),
        offset=st.sampled_from([0, 0.01]),
        participant=participants,
    ),
    st.builds(Cancel, st.just("TEST"), ids, st.sampled_from([0, 0, 2]), participants),
    st.builds(
        Replace,
        st.just("TEST"),
        ids,
        quantities,
        prices,
        lose_priority=st.booleans(),
        total=st.booleans(),
        participant=participants,
    ),
    st.builds(damrak.Query, st.just("TEST"), ids, participants),
)

_types = {"Limit": 0, "MarketOrder": 1, "Stop": 2, "StopLimit": 3}


def rows_of(commands: list[damrak.Command]) -> np.ndarray[Any, np.dtype[np.void]]:
    rows = np.zeros(len(commands), damrak.order_dtype())
    names = {
        "side": ["buy", "sell"],
        "tif": ["day", "gtc", "gtd", "ioc", "fok"],
        "self_trade": self_trades.elements,  # type: ignore[attr-defined]
        "peg": ["none", "primary", "market", "midpoint"],
    }
    for row, command in zip(rows, commands, strict=True):
        row["instrument"] = 1
        row["time"] = 1_736_161_200_000_000_000
        row["command"] = {"Cancel": 2, "Replace": 3, "Query": 5}.get(type(command).__name__, 1)
        row["type"] = _types.get(type(command).__name__, 0)
        if isinstance(command, damrak.Pegged):
            row["type"] = 1
            row["flags"] |= damrak.OrderFlag.PEGGED
        for name in ("participant", "quantity", "client_id", "display", "minimum", "offset"):
            row[name] = getattr(command, name, 0)
        for name in ("price", "stop"):
            row[name] = getattr(command, name, None) or 0
        for name, words in names.items():
            row[name] = words.index(getattr(command, name, words[0]))
        row["order"] = getattr(command, "id", None) or 0
        if getattr(command, "peg", None) is not None and not hasattr(command, "hidden"):
            row["flags"] |= damrak.OrderFlag.HIDDEN
        for name, flag in {
            "hidden": damrak.OrderFlag.HIDDEN,
            "post_only": damrak.OrderFlag.POST_ONLY,
            "post_only_reprice": damrak.OrderFlag.POST_ONLY_REPRICE,
            "to_limit": damrak.OrderFlag.TO_LIMIT,
            "lose_priority": damrak.OrderFlag.LOSE_PRIORITY,
            "total": damrak.OrderFlag.QUANTITY_IS_TOTAL,
        }.items():
            if getattr(command, name, False):
                row["flags"] |= flag
    return rows


def of_table(table: damrak.Table) -> list[tuple[Any, ...]]:
    def words(name: str) -> list[str | None]:
        nulls = table.nulls(name)
        texts = [table.symbols[place] for place in table[name]]
        return [None if nulls is not None and nulls[i] else text for i, text in enumerate(texts)]

    prices = [None if math.isnan(price) else price for price in table["price"]]
    columns = ("line", "order", "participant", "quantity", "remaining", "displayed", "flags")
    return list(
        zip(
            *(words(name) for name in ("event", "command", "symbol", "side", "reason")),
            prices,
            *(table[name].tolist() for name in columns),
            strict=True,
        )
    )


def of_objects(events: list[tuple[int, damrak.Event]]) -> list[tuple[Any, ...]]:
    bits = ["on_book", "aggressor", "hidden", "repriced", "waiting", "held", "cross", "implied"]
    rows = []
    for line, event in events:
        assert isinstance(event, damrak.OrderEvent)
        rows.append(
            (
                *(event.kind, event.command, event.symbol, event.side),
                *(getattr(event, "reason", None), event.price, line, event.order),
                *(event.participant, event.quantity, event.remaining, event.displayed),
                sum(1 << bits.index(flag) for flag in event.flags),
            )
        )
    return rows


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(commands=st.lists(orders, min_size=1, max_size=25))
def test_objects_arrays_and_the_program_give_equal_events(
    commands: list[damrak.Command], tmp_path_factory: pytest.TempPathFactory
) -> None:
    from damrak._lines import line_of

    by_object = Engine(["TEST"])
    events = [(row, e) for row, one in enumerate(commands) for e in by_object.submit(one)]

    by_array = Engine(["TEST"])
    table = by_array.submit_many(rows_of(commands))
    assert by_array.state_hash == by_object.state_hash
    accepted = [(line, event) for line, event in events if event.kind != "rejected"]
    ours = [row for row in of_table(table) if row[0] != "rejected"]
    assert ours == of_objects(accepted)
    assert len(table) == len(events)

    by_script = Engine(["TEST"])
    script = "\n".join(line_of(command) for command in commands)
    events_of_script = by_script.run(script)
    assert by_script.state_hash == by_object.state_hash
    path = tmp_path_factory.mktemp("script") / "random.commands"
    path.write_text("instrument symbol=TEST\n" + script)
    expected = of_program(path)[1:]
    for (line, event), of_script, theirs in zip(events, events_of_script, expected, strict=True):
        assert of_script.line == line + 1
        mine = as_program(by_object, event) | {"line": line + 2, "time": None}
        assert mine == theirs | {"time": None}
        assert as_program(by_script, of_script) | {"line": line + 2, "time": None} == mine
