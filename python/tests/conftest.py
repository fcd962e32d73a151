"""Days for the tests, made by the program."""

from __future__ import annotations

import datetime as dt
import signal
import subprocess
from pathlib import Path

import pytest
from days import Expected

import damrak

pytest_plugins = ["pytester"]

# Whoever starts the tests in the background has them ignore it, and Python keeps that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def run(*arguments: str | Path) -> str:
    """What the program prints."""
    return subprocess.run(
        [damrak.program(), *map(str, arguments)], check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture(scope="session")
def itch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated day of three symbols."""
    path = tmp_path_factory.mktemp("day") / "day.itch"
    run("generate", path, "--messages", "30000", "--symbols", "3", "--live", "600", "--seed", "7")
    return path


@pytest.fixture(scope="session")
def day(itch: Path) -> damrak.Day:
    return damrak.open(itch, date="2026-11-02", tz="America/New_York")


@pytest.fixture(scope="session")
def lobster(itch: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The second symbol as a pair of two levels; the path of its message file."""
    folder = tmp_path_factory.mktemp("lobster")
    message = folder / "SIM2_2026-11-02_0_86400000_message_2.csv"
    book = folder / "SIM2_2026-11-02_0_86400000_orderbook_2.csv"
    run(
        "convert", itch, message, "--symbol", "SIM2", "--book", book, "--levels", "2",
        "--begin", "00:00", "--end", "24:00",
    )  # fmt: skip
    return message


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small") / "small.itch"
    run("generate", path, "--messages", "3000", "--symbols", "2", "--live", "60", "--seed", "3")
    return path


@pytest.fixture(scope="session")
def expected(small: Path) -> Expected:
    return Expected(small)


@pytest.fixture(scope="session")
def opened(small: Path) -> damrak.Day:
    return damrak.open(small, date=dt.date(2026, 11, 2), tz="America/New_York")
