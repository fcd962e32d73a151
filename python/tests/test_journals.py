"""A journal gives the day that its exchange published; one that cannot be read is named."""

from __future__ import annotations

import datetime as dt
import gzip
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import run

import damrak
from damrak._journal import ArchivedDays
from damrak._rows import TableName

Change = Callable[[Path], object]

_market = """
duration = "20s"

[[instrument]]
symbol = "AAA"

[[participants]]
kind = "neutral"
messages_per_s = 500
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kept run, with its archived day."""
    folder = tmp_path_factory.mktemp("kept")
    market = folder / "market.toml"
    market.write_text(_market)
    run("sim", "run", market, "--keep", folder / "run")
    return folder / "run"


def journal_in(kept: Path, folder: Path) -> Path:
    """The first segment of a copy without the day."""
    for segment in kept.glob("*.seg"):
        shutil.copy(segment, folder)
    return min(folder.glob("*.seg"))


@pytest.fixture
def segment(kept: Path, tmp_path: Path) -> Path:
    return journal_in(kept, tmp_path)


@pytest.mark.parametrize("table", ["bbo", "depth", "trades", "candles"])
def test_a_journal_gives_the_tables_of_its_day(kept: Path, segment: Path, table: TableName) -> None:
    [published] = damrak.open(kept).batches([table], price_type="fixed")
    for path in (segment.parent, segment):
        day = damrak.open(path)
        assert day.date == dt.date(2025, 1, 2) and day.tz == "UTC" and day.symbols == ["AAA"]
        [made] = day.batches([table], price_type="fixed")
        assert len(made[table]) > 0
        for name, values in published[table].to_numpy().items():
            if name not in ("sequence", "ts_event"):  # of days that begin and end with other words
                np.testing.assert_array_equal(made[table][name], values)


def test_a_journal_gives_books_and_orders(kept: Path, segment: Path) -> None:
    published, made = damrak.open(kept), damrak.open(segment.parent)
    assert published.path == str(kept) and made.path == str(segment.parent)
    at = "09:30:10"
    assert made.book("AAA", at).bids == published.book("AAA", at).bids
    best = made.book("AAA", at).bids[0]
    queue = made.queue("AAA", side="buy", price=best.price, at=at)
    assert queue == published.queue("AAA", side="buy", price=best.price, at=at)
    assert queue[0].reference is not None
    entered = made.order(queue[0].reference).steps[0].size
    assert entered is not None and queue[0].size is not None and entered >= queue[0].size
    assert made.measures("AAA")["trades"] == published.measures("AAA")["trades"] > 0
    assert made.notes == ["the journal ends before the day"] and made.faults == []


def test_the_journal_of_an_exchange_gives_all_that_it_published(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with damrak.serve(gateways=("binary", "http"), data=data) as exchange:
        with exchange.connect("binary") as me, exchange.connect("binary") as other:
            for price in (10.0, 10.01, 9.99):
                me.buy("AAPL", 100, price)
                me.wait("accepted")
            other.sell("AAPL", 150, 10.0)
            other.wait("filled")
        assert exchange.stop() == 0
    journal = tmp_path / "journal"
    journal.mkdir()
    for segment in data.glob("*.seg"):
        shutil.copy(segment, journal)
    archived, made = damrak.open(data), damrak.open(journal)
    assert made.date == archived.date and len(made.trades("AAPL")) == 2
    for name, values in archived.messages(partial=True).to_numpy().items():
        np.testing.assert_array_equal(made.messages()[name], values)


def test_the_zone_is_that_of_the_clock(segment: Path) -> None:
    utc, local = damrak.open(segment), damrak.open(segment, tz="America/New_York")
    np.testing.assert_array_equal(utc.trades()["ts_event"], local.trades()["ts_event"])
    assert utc.span[0] - local.span[0] == 5 * 3_600 * 10**9


def test_a_journal_is_converted(segment: Path, tmp_path: Path) -> None:
    assert damrak.convert(segment.parent, tmp_path / "kept.dar") == [str(tmp_path / "kept.dar")]
    day = damrak.open(tmp_path / "kept.dar")
    assert day.book("AAA", "09:30:10") == damrak.open(segment).book("AAA", "09:30:10")
    assert {one.suffix for one in tmp_path.iterdir()} == {".dar", ".seg"}
    with pytest.raises(damrak.DayError, match=r"none/kept\.dar: No such file"):
        damrak.convert(segment, tmp_path / "none" / "kept.dar")


def test_of_several_days_one_is_given() -> None:
    monday, tuesday = dt.date(2026, 11, 2), dt.date(2026, 11, 3)
    days = ArchivedDays("data", [("1.dar", monday), ("2.dar", tuesday)], [])
    assert days.only("2026-11-03") == "2.dar"
    with pytest.raises(damrak.DayError, match="has the days 2026-11-02, 2026-11-03: give one"):
        days.only(None)
    with pytest.raises(damrak.DayError, match="has no day 2026-11-04: it has 2026-11-02"):
        days.only("2026-11-04")


def spoil(at: int) -> Change:
    def change(segment: Path) -> None:
        content = bytearray(segment.read_bytes())
        content[at] ^= 1
        segment.write_bytes(content)

    return change


def crc32c(content: bytes | bytearray) -> int:
    crc = 0xFFFF_FFFF
    for byte in content:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F6_3B78 if crc & 1 else 0)
    return crc ^ 0xFFFF_FFFF


def make_later(segment: Path) -> None:
    """Of a later version of the format; the header's checksum is right."""
    content = bytearray(segment.read_bytes())
    content[8:12] = (99).to_bytes(4, "little")
    content[112:116] = crc32c(content[:112]).to_bytes(4, "little")
    segment.write_bytes(content)


def cut(segment: Path) -> None:
    segment.write_bytes(segment.read_bytes()[: segment.stat().st_size * 6 // 10])


def make_folder(segment: Path) -> None:
    segment.unlink()
    segment.mkdir()


_spoilt: list[tuple[str, Change, str]] = [
    ("damaged record", spoil(4_096 + 192 + 100), "restore"),
    ("damaged header", spoil(40), "restore"),
    ("another version", make_later, "version"),
    ("truncated", cut, "restore it from a complete copy"),
    ("empty", lambda segment: segment.write_bytes(b""), "restore"),
    ("of others", lambda segment: segment.write_bytes(b"no journal\n" * 999), "restore"),
    ("a folder", make_folder, "no file journal-….seg"),
    (
        "another's name",
        lambda one: one.rename(one.with_name(f"journal-{7:020}.seg")),
        "restore its",
    ),
]


@pytest.mark.parametrize(
    ("change", "remedy"), [one[1:] for one in _spoilt], ids=[one[0] for one in _spoilt]
)
def test_a_journal_that_cannot_be_read_is_named(segment: Path, change: Change, remedy: str) -> None:
    change(segment)
    with pytest.raises(damrak.DayError) as error:
        damrak.open(segment.parent)
    assert str(segment.parent) in str(error.value)
    assert remedy in str(error.value)


def test_what_a_journal_does_not_take_is_said(segment: Path) -> None:
    with pytest.raises(damrak.DayError, match="is a journal: symbol=, orderbook= and"):
        damrak.open(segment, symbol="AAA")
    with pytest.raises(damrak.DayError, match="has no day 2025-01-03: it has 2025-01-02"):
        damrak.open(segment, date="2025-01-03")
    with pytest.raises(damrak.DayError, match="no time zone 'Mars'"):
        damrak.open(segment, tz="Mars")
    with pytest.raises(damrak.DayError, match="is no journal: only those take tz="):
        damrak.convert("day.itch", "day.dar", tz="UTC")
    packed = segment.with_suffix(".seg.gz")
    packed.write_bytes(gzip.compress(segment.read_bytes(), 1))
    with pytest.raises(damrak.DayError, match=r"a segment of the journal of an exchange"):
        damrak.open(packed)


def test_a_journal_that_is_read_shows_a_bar(
    segment: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tqdm")
    damrak.open(segment, progress=True)
    damrak.convert(segment, tmp_path / "day.dar", progress=True)
    assert capfd.readouterr().err.count("archiving") >= 2
