"""The archive's programs beside Python packages that do the same, on one day in one run: reading
ITCH (itchfeed), reading DBN mbo (databento-dbn), preparing it for a backtest (hftbacktest), and
rows into Parquet (pyarrow, by tools/day_to_parquet.py).

    scripts/bench peers
    python3 bench/archive_peers [--program build/release/damrak] [--messages N] [--runs N]
                                [--save FILE]

The rows take turns. A figure is the best of the runs, of the whole program with its start: seconds
by the wall clock, and processor time of it and its children. The packages are those of the
interpreter; what one is missing for is left out and named.
"""
import importlib.util
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from beside import ROOT, in_new_folder, keep, options_of, parser_of, said, versions  # noqa: E402

PACKAGES = ("itchfeed", "databento-dbn", "hftbacktest", "pyarrow")

READ_ITCH = """
import sys
from itch.parser import MessageParser
with open(sys.argv[1], "rb") as file:
    print(sum(1 for _ in MessageParser().parse_file(file)))
"""
READ_DBN = """
import sys
from databento_dbn import DBNDecoder, MBOMsg
decoder, rows = DBNDecoder(), 0
with open(sys.argv[1], "rb") as file:
    while chunk := file.read(1 << 20):
        decoder.write(chunk)
        rows += sum(isinstance(record, MBOMsg) for record in decoder.decode())
print(rows)
"""
PREPARE_DBN = """
import sys, warnings
warnings.simplefilter("ignore")
from hftbacktest.data.utils.databento import convert
print(len(convert(sys.argv[1], None)))
"""


@dataclass
class Work:
    """A program, and the one of ours that it stands beside."""
    name: str
    count: int
    command: list
    beside: str = ""
    packages: tuple = ()
    told: str = ""  # what its last line has to be, so that it has read all of it
    wall_s: float = float("inf")
    cpu_s: float = float("inf")

    def missing(self):
        return [name for name in self.packages if importlib.util.find_spec(name) is None]

    def run(self):
        before, began = os.times(), time.monotonic()
        done = subprocess.run(self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, check=False)
        wall_s, after = time.monotonic() - began, os.times()
        if done.returncode != 0:
            sys.exit(f"archive_peers: {self.name}\n{done.stderr[-2000:]}")
        if self.told and done.stdout.split("\n")[-2] != self.told:
            sys.exit(f"archive_peers: {self.name} tells {done.stdout[-200:]}, not {self.told}")
        self.wall_s = min(self.wall_s, wall_s)
        self.cpu_s = min(self.cpu_s, after.children_user - before.children_user
                         + after.children_system - before.children_system)


def works(program, messages):
    """Makes the day's files in the current directory."""
    said(program, "generate", "day.itch", "--messages", str(messages), "--symbols", "1")
    said(program, "archive", "import", "day.itch")
    messages = json.loads(said(program, "archive", "info", "day.dar", "--json"))["messages"]
    said(program, "archive", "export", "day.dar", "--to", "itch", "--out", "exported.itch")
    exported = said(program, "archive", "export", "day.dar", "--to", "dbn", "--schema", "mbo",
                    "--out", "mbo.dbn", "--json")
    records = json.loads(exported)["rows"]
    ours = [program, "archive"]
    python = [sys.executable, "-c"]
    read_itch, read_dbn, write_csv = "ITCH to books", "DBN into the archive", "CSV out of it"
    return [
        Work(read_itch, messages, [program, "replay", "--format", "itch", "exported.itch"]),
        Work("ITCH parsed, itchfeed", messages, [*python, READ_ITCH, "exported.itch"],
             beside=read_itch, packages=("itch",), told=str(messages)),
        Work(read_dbn, records, [*ours, "import", "mbo.dbn", "--out", "."]),
        Work("DBN decoded, databento-dbn", records, [*python, READ_DBN, "mbo.dbn"],
             beside=read_dbn, packages=("databento_dbn",), told=str(records)),
        Work("DBN prepared, hftbacktest", records, [*python, PREPARE_DBN, "mbo.dbn"],
             beside=read_dbn, packages=("databento", "hftbacktest"), told=str(records)),
        Work(write_csv, messages, [*ours, "export", "day.dar", "--to", "csv", "--out", "day.csv"]),
        Work("Parquet, day_to_parquet.py", messages,
             [sys.executable, ROOT / "tools" / "day_to_parquet.py", "day.dar", "day.parquet",
              "--program", program],
             beside=write_csv, packages=("pyarrow",), told=f"day.parquet: {messages} rows"),
    ]


def main(arguments):
    parser = parser_of("The archive beside Python packages.", 5_000_000)
    options = options_of(parser, arguments)
    program = options.program
    with in_new_folder():
        rows = works(program, options.messages)
        for row in rows:
            if missing := row.missing():
                print(f"{row.name}: left out, not installed: {', '.join(missing)}")
        rows = [row for row in rows if not row.missing()]
        for _ in range(options.runs):
            for row in rows:
                row.run()
    ours = {row.name: row for row in rows}
    packages = versions(PACKAGES)
    print(", ".join(f"{name} {version}" for name, version in packages.items()))
    print(f"{'work':<28}{'rows':>11}{'wall s':>9}{'rows/s':>13}{'CPU s':>8}   CPU of ours")
    out = []
    for row in rows:
        ratio = row.cpu_s / row.count / (ours[row.beside].cpu_s / ours[row.beside].count) \
            if row.beside else None
        print(f"{row.name:<28}{row.count:>11,}{row.wall_s:>9.2f}{row.count / row.wall_s:>13,.0f}"
              f"{row.cpu_s:>8.2f}   {f'{ratio:.1f} x' if ratio else 'ours'}", flush=True)
        out.append({"work": row.name, "count": row.count, "wall_s": round(row.wall_s, 3),
                    "cpu_s": round(row.cpu_s, 3), "cpu_of_ours": ratio and round(ratio, 2)})
    keep(options.save, {"packages": packages, "rows": out})


if __name__ == "__main__":
    main(sys.argv[1:])
