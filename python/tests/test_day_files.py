"""A day is what its file has, and what is wrong with the file is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import run
from days import all_rows

import damrak


def test_an_itch_file_gives_what_its_archive_gives(
    day: damrak.Day, itch: Path, tmp_path: Path
) -> None:
    [archive] = damrak.convert(itch, tmp_path / "day.dar", date="2026-11-02")
    archived = damrak.open(archive, tz="America/New_York")
    assert (day.symbols, day.message_count, day.span) == (
        archived.symbols,
        archived.message_count,
        archived.span,
    )
    assert all_rows(day) == all_rows(archived)


def test_a_folder_with_one_day_is_that_day(itch: Path, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    with pytest.raises(damrak.DayError, match="the folder has no archived day"):
        damrak.open(tmp_path)
    [first] = damrak.convert(itch, folder / "1.dar")
    assert (
        damrak.open(tmp_path).bbo().to_numpy().keys() == damrak.open(first).bbo().to_numpy().keys()
    )
    assert damrak.open(tmp_path).path == str(tmp_path)
    damrak.convert(itch, folder / "2.dar")
    with pytest.raises(damrak.DayError, match="more than one archived day: give one"):
        damrak.open(tmp_path)


def test_a_day_outlives_the_name_of_its_file(itch: Path, tmp_path: Path) -> None:
    path = tmp_path / "moved.itch"
    path.write_bytes(itch.read_bytes())
    day = damrak.open(path)
    path.unlink()
    assert len(day.trades()) > 0
    assert day.book("SIM1", "12:00").bids == damrak.open(itch).book("SIM1", "12:00").bids


@pytest.mark.parametrize("name", ["day.itch", "day.dar"])
def test_another_file_in_its_place_is_not_taken_for_the_day(
    itch: Path, tmp_path: Path, name: str
) -> None:
    path, other = tmp_path / name, tmp_path / f"other-{name}"
    run("generate", tmp_path / "other.itch", "--messages", "2000")
    for source, target in ((itch, path), (tmp_path / "other.itch", other)):
        if name.endswith(".dar"):
            damrak.convert(source, target)
        else:
            target.write_bytes(source.read_bytes())
    day = damrak.open(path)
    other.replace(path)
    assert len(day.trades()) == len(damrak.open(itch).trades())
    for ask in (
        lambda: day.measures("SIM1"),
        lambda: damrak.backtest(day, damrak.Participant, symbol="SIM1"),
    ):
        with pytest.raises(damrak.DayError, match="the file is another one now: open it again"):
            ask()


def test_a_file_that_is_replaced_once_it_was_read_is_not_taken_for_the_day(
    itch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = tmp_path / "day.itch", tmp_path / "other.itch"
    path.write_bytes(itch.read_bytes())
    run("generate", other, "--messages", "2000")
    read = damrak._core.Day

    def replaced(*arguments: Any, **options: Any) -> damrak._core.Day:
        opened = read(*arguments, **options)
        other.replace(path)
        return opened

    with monkeypatch.context() as while_opening:
        while_opening.setattr("damrak._core.Day", replaced)
        day = damrak.open(path)
    with pytest.raises(damrak.DayError, match="the file is another one now: open it again"):
        day.measures("SIM1")


def test_another_order_book_file_is_not_taken_for_that_of_the_day(
    lobster: Path, tmp_path: Path
) -> None:
    for name in (lobster.name, lobster.name.replace("message", "orderbook")):
        (tmp_path / name).write_bytes(lobster.with_name(name).read_bytes())
    day = damrak.open(tmp_path / lobster.name)
    day.measures("SIM2")
    with (tmp_path / lobster.name.replace("message", "orderbook")).open("a") as book:
        book.write("\n")
    with pytest.raises(damrak.DayError, match="the file is another one now: open it again"):
        day.measures("SIM2")


def test_a_cut_itch_file_says_so(itch: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.itch"
    path.write_bytes(itch.read_bytes()[:-70])
    cut = damrak.open(path)
    assert "cut" in cut.faults[0] or "ends" in cut.faults[0]
    assert cut.message_count < damrak.open(itch).message_count


def test_an_itch_file_that_becomes_shorter_says_so(itch: Path, tmp_path: Path) -> None:
    path = tmp_path / "shrinks.itch"
    path.write_bytes(itch.read_bytes())
    day = damrak.open(path)
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)
    with pytest.raises(damrak.IncompleteError, match="became shorter"):
        day.messages()
    assert 0 < len(day.messages(partial=True)) < day.message_count
    with pytest.raises(damrak.DayError, match=r"shrinks\.itch: the file changed"):
        day.book("SIM1", "12:00")


def test_an_archived_day_is_the_same(day: damrak.Day, itch: Path, tmp_path: Path) -> None:
    files = damrak.convert(itch, tmp_path / "day.dar", date="2026-11-02")
    assert files == [str(tmp_path / "day.dar")]
    archived = damrak.open(files[0], tz="America/New_York")
    assert archived.date == day.date
    for name in day.bbo():
        np.testing.assert_array_equal(archived.bbo()[name], day.bbo()[name])


def test_compressed_files_open_as_they_are(itch: Path, tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "day.itch.gz"
    path.write_bytes(gzip.compress(itch.read_bytes(), 1))
    assert damrak.open(path).symbols == ["SIM1", "SIM2", "SIM3"]


def test_a_damaged_day_raises_unless_a_part_is_wanted(itch: Path, tmp_path: Path) -> None:
    path = tmp_path / "day.dar"
    damrak.convert(itch, path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    cut = damrak.open(path)
    with pytest.raises(damrak.IncompleteError, match=r"partial=True takes what is before"):
        cut.trades()
    part = cut.trades(partial=True)
    assert part.missing and 0 < len(part) < len(damrak.open(itch).trades())
    with pytest.raises(damrak.IncompleteError):
        list(cut.batches("trades", rows=100))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (b"not a day at all\n" * 50, ""),
        (b"\x00" * 1000, ""),
        (bytes(range(256)) * 40, ""),
    ],
    ids=["empty", "text", "zeros", "bytes"],
)
def test_what_is_no_day_is_refused_or_reported(tmp_path: Path, content: bytes, text: str) -> None:
    path = tmp_path / "file.itch"
    path.write_bytes(content)
    try:
        day = damrak.open(path)
    except damrak.DayError as error:
        assert "file.itch" in str(error)
    else:
        assert day.faults or day.message_count == 0


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(damrak.DayError, match=r"none\.itch: there is no such file"):
        damrak.open(tmp_path / "none.itch")
    with pytest.raises(damrak.DayError, match=r"no time zone 'Mars'"):
        damrak.open(tmp_path / "none.itch", tz="Mars")
    with pytest.raises(ValueError, match=r"no date"):
        damrak.open(tmp_path / "none.itch", date="yesterday")
