"""The day that the other scripts read: the file of the first argument, or a generated one."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import damrak


def recorded_day() -> damrak.Day:
    if len(sys.argv) > 1:
        return damrak.open(sys.argv[1])
    path = Path(tempfile.mkdtemp()) / "day.itch"
    generate = [damrak.program(), "generate", str(path), "--messages", "30000", "--symbols", "2"]
    subprocess.run(generate, check=True, stdout=subprocess.DEVNULL)
    return damrak.open(path, date="2026-11-02", tz="America/New_York")


if __name__ == "__main__":
    day = recorded_day()
    print(day, day.symbols)
    print(day.measures(day.symbols[0]))
