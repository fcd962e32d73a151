"""What days should give, and what they give."""

from __future__ import annotations

from pathlib import Path

from slow_books import SlowBooks, Touch, messages_of

import damrak
from damrak._rows import TableName

MIDNIGHT_NS = 1_793_595_600 * 10**9  # of 2026-11-02 in New York


class Expected:
    def __init__(self, path: Path) -> None:
        self.books = SlowBooks()
        self.touches: list[tuple[int, int, Touch]] = []
        last: dict[int, Touch] = {}
        self.count = 0
        for number, message in enumerate(messages_of(path), 1):
            self.count = number
            locate = self.books.apply(number, message)
            if locate is None:
                continue
            touch = self.books.touch(locate)
            if touch != last.get(locate, None if locate in last else Touch(0, 0, 0, 0, 0, 0)):
                last[locate] = touch
                self.touches.append((number, locate, touch))


def rows_of(table: damrak.Table) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = table.to_polars().to_dicts()
    return rows


def e4(price: object) -> int:
    return 0 if price is None else round(float(str(price)) * 10_000)


TABLES: tuple[TableName, ...] = (
    "bbo",
    "depth",
    "trades",
    "messages",
    "candles",
    "auctions",
    "halts",
)


def all_rows(day: damrak.Day, rows: int = 1_000_000) -> dict[str, dict[str, list[object]]]:
    """The cells of each table, by column."""
    cells: dict[str, dict[str, list[object]]] = {name: {} for name in TABLES}
    for batch in day.batches(TABLES, rows=rows, levels=3, every="1s", price_type="fixed"):
        for table, piece in batch.items():
            for column, values in piece.to_numpy().items():
                cells[table].setdefault(column, []).extend(values.tolist())
    return cells
