"""Measures of market quality, which the program computes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._program_answers import answer_of

if TYPE_CHECKING:
    from ._day import Day


def measures_of(
    day: Day, symbols: list[str], tick: float, partial: bool
) -> dict[str, dict[str, float]]:
    from ._open import archive_of

    with archive_of(day, day._progress) as archived:
        return {
            symbol: answer_of(
                ["sim", "measure", archived, "--symbol", symbol, "--tick", repr(tick)],
                partial=partial,
                about=day.path,
            )["measures"]
            for symbol in symbols
        }
