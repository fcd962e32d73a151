"""Each block of Python in the documents runs, in order, as a reader would run it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from conftest import run

_tree = Path(__file__).resolve().parents[2]
_pages = ["docs/how-to/python.md", "docs/how-to/python-engine.md", "python/README.md", "README.md"]


@pytest.mark.parametrize("page", _pages)
def test_blocks_run(page: str, itch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(itch, "day.itch")
    for levels in (1, 10):
        stem = f"AAPL_2012-06-21_34200000_57600000_{{}}_{levels}.csv"
        run(
            "convert", "day.itch", stem.format("message"), "--symbol", "SIM1",
            "--book", stem.format("orderbook"), "--levels", str(levels),
        )  # fmt: skip
    blocks = re.findall(r"^```python\n(.*?)^```", (_tree / page).read_text(), re.S | re.M)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
