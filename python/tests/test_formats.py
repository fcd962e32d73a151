"""Every kind of recorded day opens, as it is or compressed, with the same tables; what is cut,
empty, of others or a folder is named, and what to do is said."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import run
from days import all_rows, e4

import damrak

pyarrow = pytest.importorskip("pyarrow")

_message = "SIM1_2026-11-02_0_86400000_message_5.csv"


def _as_it_is(content: bytes) -> bytes:
    return content


def _zstd(content: bytes) -> bytes:
    packed: bytes = pyarrow.compress(content, codec="zstd", asbytes=True)
    return packed


_packings: dict[str, Callable[[bytes], bytes]] = {
    "": _as_it_is,
    ".gz": gzip.compress,
    ".zst": _zstd,
}
_spoilings: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda content: content[: len(content) * 6 // 10],
    "empty": lambda content: b"",
}
_foreign = {
    "text": b"not a day at all\n" * 50,
    "bytes": bytes(range(256)) * 40,
    "table": b"exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n",
}


class Format(NamedTuple):
    file: str  #: in the folder of days
    packings: tuple[str, ...] = ("", ".gz", ".zst")


_formats = {
    "itch": Format("day.itch"),
    "lobster": Format(_message),
    "dbn": Format("day.dbn"),
    "archive": Format("day.dar", packings=("",)),
}
_packed = [(name, packing) for name, one in _formats.items() for packing in one.packings]

# What each sentence about a file that cannot be read ends with, or has: what to do.
_remedies = (
    "take the original file",
    "take the whole file",
    "get the whole file",
    "a recorded day is an ITCH 5.0 file",
    "damrak.convert makes one",
    "partial=True takes what is before",
    "restore",
)


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated day of one symbol, in all formats."""
    folder = tmp_path_factory.mktemp("formats")
    itch = folder / "day.itch"
    run("generate", itch, "--messages", "4000", "--symbols", "1", "--live", "100", "--seed", "5")
    run("archive", "import", itch, "--out", folder)
    run("archive", "export", folder / "day.dar", "--to", "dbn", "--schema", "mbo",
        "--out", folder / "day.dbn")  # fmt: skip
    run("convert", itch, folder / _message, "--symbol", "SIM1", "--levels", "5", "--book",
        folder / _message.replace("message", "orderbook"), "--begin", "00:00", "--end", "24:00",
    )  # fmt: skip
    return folder


def copy_of(days: Path, name: str, packing: str, to: Path) -> Path:
    """The file, and the order book file beside it if there is one, compressed."""
    for file in {name, name.replace("message", "orderbook")}:
        (to / (file + packing)).write_bytes(_packings[packing]((days / file).read_bytes()))
    return to / (name + packing)


@pytest.mark.parametrize(("name", "packing"), _packed)
def test_a_whole_day_opens(days: Path, tmp_path: Path, name: str, packing: str) -> None:
    file = _formats[name].file
    day = damrak.open(copy_of(days, file, packing, tmp_path))
    assert day.faults == [] and day.message_count > 1_000
    assert all_rows(day) == all_rows(damrak.open(days / file))
    # It is the day that was generated, at the levels that this one knows.
    source = damrak.open(days / "day.itch")
    for at in ("10:00", "11:30", "15:00"):
        ours, theirs = day.book("SIM1", at), source.book("SIM1", at)
        for one, other in ((ours.bids, theirs.bids), (ours.asks, theirs.asks)):
            levels = min(len(one), 5)
            assert levels > 0
            assert [(e4(level.price), level.size) for level in one[:levels]] == [
                (e4(level.price), level.size) for level in other[:levels]
            ]


@pytest.mark.parametrize("how", _spoilings)
@pytest.mark.parametrize(("name", "packing"), _packed)
def test_a_spoilt_day_is_named(
    days: Path, tmp_path: Path, name: str, packing: str, how: str
) -> None:
    path = copy_of(days, _formats[name].file, packing, tmp_path)
    path.write_bytes(_spoilings[how](path.read_bytes()))
    is_said(path)


def is_said(path: Path) -> None:
    """Opening says what is wrong, or the day has it among its faults and reading says it."""
    with pytest.raises(damrak.DamrakError) as error:
        day = damrak.open(path)
        assert str(path) in day.faults[0]
        all_rows(day)
    assert str(path) in str(error.value)
    assert any(remedy in str(error.value) for remedy in _remedies), error.value


@pytest.mark.parametrize("content", _foreign)
@pytest.mark.parametrize(("name", "packing"), _packed)
def test_a_file_of_others_is_named(
    days: Path, tmp_path: Path, name: str, packing: str, content: str
) -> None:
    path = copy_of(days, _formats[name].file, packing, tmp_path)
    path.write_bytes(_packings[packing](_foreign[content]))
    is_said(path)


@pytest.mark.parametrize(("name", "packing"), _packed)
def test_a_folder_of_that_name_is_named(tmp_path: Path, name: str, packing: str) -> None:
    path = tmp_path / (_formats[name].file + packing)
    path.mkdir()
    is_said(path)


@pytest.mark.parametrize("packing", [".gz", ".zst"])
def test_a_compressed_archive_is_named(days: Path, tmp_path: Path, packing: str) -> None:
    path = copy_of(days, "day.dar", packing, tmp_path)
    with pytest.raises(damrak.DayError, match="decompress it first") as error:
        damrak.open(path)
    assert str(path) in str(error.value)


_real = pytest.mark.skipif("DAMRAK_REAL_DATA" not in os.environ, reason="needs DAMRAK_REAL_DATA")


@_real
@pytest.mark.parametrize("packing", _packings)
def test_a_recorded_day_of_lobster_opens(tmp_path: Path, packing: str) -> None:
    recorded = Path(os.environ["DAMRAK_REAL_DATA"]) / "lobster"
    message = "GOOG_2012-06-21_34200000_57600000_message_1.csv"
    day = damrak.open(copy_of(recorded, message, packing, tmp_path))
    assert (day.symbols, day.levels, str(day.date)) == (["GOOG"], 1, "2012-06-21")
    assert day.faults == []
    rows = (recorded / message.replace("message", "orderbook")).read_text().split()
    ask, ask_size, bid, bid_size = map(int, rows[-1].split(","))
    book = day.book("GOOG", day.span[1])
    assert (e4(book.asks[0].price), book.asks[0].size) == (ask, ask_size)
    assert (e4(book.bids[0].price), book.bids[0].size) == (bid, bid_size)
    visible = [one for one in (recorded / message).read_text().split() if one.split(",")[1] in "45"]
    assert len(day.trades()) == len(visible)


@_real
@pytest.mark.parametrize("schema", ["mbp-1", "mbp-10", "bbo-1s", "tbbo", "trades"])
def test_a_recorded_day_of_databento_opens(schema: str) -> None:
    file = Path(os.environ["DAMRAK_REAL_DATA"]) / "foreign" / f"test_data.{schema}.v3.dbn.zst"
    day = damrak.open(file)
    assert (day.symbols, str(day.date), day.tz) == (["ESH1"], "2020-12-28", "UTC")
    assert day.faults == [] and len(day.messages()) == day.message_count > 0
