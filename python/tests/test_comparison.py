"""Comparisons: the numbers of `damrak sim compare`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from test_sweep import busy

import damrak
from damrak import DamrakError, Market


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """By the program: a noise and makers market with one maker, and with three."""
    folder = tmp_path_factory.mktemp("told")
    paths = []
    for count in (3, 1):
        market = Market("noise_and_makers").with_parameters({"makers.count": count})
        paths.append(folder / f"{count}.toml")
        paths[-1].write_text(market.text, encoding="utf-8")
    done = subprocess.run(
        [damrak.program(), "sim", "compare", *map(str, paths), "--seeds", "9", "--duration", "2s",
         "--results", "off", "--effect", "5%", "--primary", "quoted_spread_ticks", "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    answer: dict[str, object] = json.loads(done.stdout)["comparisons"][0]
    return answer


def test_the_numbers_are_those_of_the_program(told: dict[str, object], tmp_path: Path) -> None:
    market = Market("noise_and_makers")
    found = damrak.compare(
        market,
        market.with_parameters({"makers.count": 1}),
        seeds=range(1, 10),
        duration="2s",
        effect="5%",
        primary="quoted_spread_ticks",
        folder=tmp_path,
    )
    assert found.pairs == told["pairs"] == 9
    assert found.equal_hashes == told["equal_hashes"] == 0
    mine = {one.name: one for one in found}
    measures = told["measures"]
    assert isinstance(measures, list) and len(measures) == len(mine) > 20
    for theirs in measures:
        name = "/".join(filter(None, (theirs["instrument"], theirs["group"], theirs["measure"])))
        for field, value in theirs.items():
            assert getattr(mine[name], field) == value, f"{name} {field}"
    assert found["depth_1"].significant
    assert found["quoted_spread_ticks"].p == found["quoted_spread_ticks"].p_corrected
    lines = found.summary().splitlines()
    assert lines[0].startswith("A: noise_and_makers (") and lines[0][3:] != lines[1][3:]
    assert lines[2] == "9 pairs of runs, 0 with equal hashes"
    assert any(line.startswith("AAA/depth_1 ") and "*" in line for line in lines)
    table = found.table()
    assert len(table) == len(found)
    assert table["difference"].tolist() == [one.difference for one in found]


def test_participants_in_python_can_be_compared(tmp_path: Path) -> None:
    a, b = busy(), busy(skew=0.01)
    found = damrak.compare(a, b, seeds=[1, 2], duration="1s", measures=["profit"], folder=tmp_path)
    assert {one.name for one in found} == {f"AAA/{name}/profit" for name in a.groups}
    same = damrak.compare(a, busy(), seeds=[1, 2], duration="1s", folder=tmp_path)
    assert same.equal_hashes == 2 and all(one.difference == 0 for one in same)


def test_what_cannot_be_compared_is_told(tmp_path: Path) -> None:
    a = Market("noise_and_makers")
    with pytest.raises(ValueError, match="two seeds"):
        damrak.compare(a, a, seeds=[1], folder=tmp_path)
    with pytest.raises(DamrakError, match="no run has a measure 'profits'; there are AAA/"):
        damrak.compare(a, a, seeds=[1, 2], duration="1s", primary="profits", folder=tmp_path)
    with pytest.raises(ValueError, match="expected a number above zero"):
        damrak.compare(a, a, seeds=[1, 2], duration="1s", effect="much", folder=tmp_path)
    other = a.with_parameters({"AAA.symbol": "BBB"})
    with pytest.raises(DamrakError, match="no measure in common"):
        damrak.compare(a, other, seeds=[1, 2], duration="1s", folder=tmp_path)
    with pytest.raises(DamrakError, match="seed 1: ZeroDivisionError"):
        damrak.compare(a, busy(fault="raise"), seeds=[1, 2], duration="1s", folder=tmp_path)
    found = damrak.compare(a, a, seeds=[1, 2], duration="1s", folder=tmp_path)
    with pytest.raises(KeyError, match="no measure 'x'; there are AAA/"):
        found["x"]
