"""The notebooks are kept without outputs, and have types; `scripts/python notebooks` runs them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_python = Path(__file__).resolve().parents[1]
_notebooks = sorted((_python / "notebooks").glob("*.ipynb"))


def _cells(path: Path) -> list[dict[str, Any]]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    cells: list[dict[str, Any]] = notebook["cells"]
    return cells


def test_there_are_notebooks() -> None:
    assert len(_notebooks) == 4


@pytest.mark.parametrize("path", _notebooks, ids=lambda path: path.stem)
def test_no_output_is_kept(path: Path) -> None:
    code = [cell for cell in _cells(path) if cell["cell_type"] == "code"]
    assert code
    for cell in code:
        assert cell["outputs"] == [] and cell["execution_count"] is None
    assert path.stat().st_size < 20_000


@pytest.mark.parametrize("path", _notebooks, ids=lambda path: path.stem)
def test_links_lead_somewhere(path: Path) -> None:
    for cell in _cells(path):
        if cell["cell_type"] == "markdown":
            for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", "".join(cell["source"])):
                assert target.startswith("https://") or (path.parent / target).exists(), target


def test_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    for number, path in enumerate(_notebooks, 1):
        code = ["".join(cell["source"]) for cell in _cells(path) if cell["cell_type"] == "code"]
        (tmp_path / f"notebook_{number}.py").write_text("\n\n".join(code), encoding="utf-8")
    options = ["--config-file", str(_python / "pyproject.toml"), "--allow-untyped-calls"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *sorted(tmp_path.glob("*.py"))],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
