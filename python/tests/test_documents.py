"""Each block of Python in the documents runs, in order, as a reader would run it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from conftest import run

_tree = Path(__file__).resolve().parents[2]
_block = re.compile(r"^```python\n(.*?)^```", re.S | re.M)
_pages = sorted(
    str(page.relative_to(_tree))
    for page in [_tree / "README.md", _tree / "python/README.md", *(_tree / "docs").rglob("*.md")]
    if _block.search(page.read_text(encoding="utf-8"))
)


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
    names: dict[str, object] = {}
    for block in _block.findall((_tree / page).read_text(encoding="utf-8")):
        exec(compile(block, page, "exec"), names)
