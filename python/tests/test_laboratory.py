"""Validation and calibration: the answers of the program as objects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import run

import damrak
from damrak import DamrakError, DayError


def test_a_check_has_its_findings() -> None:
    done = damrak.validate("glosten-milgrom")
    assert done.passed and [one.name for one in done.checks] == ["glosten-milgrom"]
    check = done["glosten-milgrom"]
    assert check.passed and check.source and check.error == ""
    for finding in check.findings:
        assert finding.distance is not None and finding.distance <= finding.allowed
        assert finding.tested in ("formula", "kernel", "engine")
    table = done.table()
    assert len(table) == len(check.findings)
    assert table["estimate"].tolist() == [one.estimate for one in check.findings]
    with pytest.raises(KeyError, match="no check 'kyle'"):
        done["kyle"]
    with pytest.raises(DamrakError, match="glosten-milgrom"):
        damrak.validate("glosten-milgram")


def test_facts_of_a_market_and_a_day(day: damrak.Day, tmp_path: Path) -> None:
    market = tmp_path / "market.toml"
    quick = damrak.Market("noise_and_makers").with_parameters({"duration": "30s"})
    market.write_text(quick.text, encoding="utf-8")
    done = damrak.validate("stylised-facts", market=market, day=day, symbol="SIM1")
    assert done.checks == () and done.passed
    fact = done.stylised_facts[0]
    assert fact.name and fact.market is not None and fact.day_holds is not None


def test_a_model_is_estimated_and_is_a_market(day: damrak.Day, tmp_path: Path) -> None:
    found = damrak.calibrate(day, "zero_intelligence", symbol="SIM2", start="10:00", end="11:00")
    archived = tmp_path / "day.dar"
    damrak.convert(day.path, archived, date="2026-11-02")
    told = json.loads(
        run("sim", "calibrate", archived, "--model", "zero-intelligence", "--symbol", "SIM2",
            "--from", "10:00", "--until", "11:00", "--json")
    )  # fmt: skip
    assert found.symbol == "SIM2" and found.events == told["events"] > 100
    model = found.models["zero-intelligence"]
    assert [(one.name, one.value) for one in model.estimates] == [
        (one["name"], one["value"]) for one in told["models"][0]["estimates"]
    ]
    first = model.estimates[0]
    assert model[first.name] == first and first.count > 0
    assert model.table()["value"].tolist() == [one.value for one in model.estimates]
    assert found.market().run("2s").trade_count >= 0
    with pytest.raises(KeyError, match="no estimate 'x'"):
        model["x"]


def test_what_cannot_be_estimated_is_told(day: damrak.Day) -> None:
    with pytest.raises(DayError, match="3 symbols"):
        damrak.calibrate(day)
    with pytest.raises(DayError, match="queue-reactive"):
        damrak.calibrate(day, "queue_reactiv", symbol="SIM1")
    with pytest.raises(DayError, match="SIM9"):
        damrak.calibrate(day, symbol="SIM9")
