"""The archive's programs beside Python packages that do the same, one after the other on one file:
reading ITCH (itchfeed), preparing DBN mbo (databento-dbn, and hftbacktest's converter), and rows a
second into Parquet (pyarrow).

    python3 bench/archive_peers [--program build/release/damrak] [--messages N] [--save FILE]

A row is processor time, user and system, of the whole program and its children, the best of three.
What a package is missing for is left out and named: pip install itchfeed databento-dbn databento
hftbacktest pyarrow.
"""
import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

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
import sys
from hftbacktest.data.utils.databento import convert
print(len(convert(sys.argv[1], None)))
"""


def spent_s(command):
    """Processor time of the command; its best of three."""
    best = None
    for _ in range(3):
        before = os.times()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False)
        after = os.times()
        if done.returncode != 0:
            sys.exit(f"archive_peers: {' '.join(map(str, command))}\n{done.stderr[-2000:]}")
        spent = (after.children_user - before.children_user
                 + after.children_system - before.children_system)
        best = spent if best is None else min(best, spent)
    return best


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "build" / "release" / "damrak", type=Path)
    parser.add_argument("--messages", default=1_000_000, type=int)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args(arguments)
    program = options.program.resolve()
    rows = []

    def measure(work, count, command, packages=()):
        missing = [name for name in packages if importlib.util.find_spec(name) is None]
        if missing:
            print(f"{work:<44} left out: not installed: {', '.join(missing)}")
            return
        spent = spent_s(command)
        rows.append({"work": work, "count": count, "cpu_s": round(spent, 3),
                     "per_s": round(count / spent)})
        print(f"{work:<44} {count:>10,} {spent:>9.2f} s {count / spent:>14,.0f} a second",
              flush=True)

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([program, "generate", "day.itch", "--messages", str(options.messages),
                        "--symbols", "1"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([program, "archive", "import", "day.itch"], check=True,
                       stdout=subprocess.DEVNULL)
        info = subprocess.run([program, "archive", "info", "day.dar", "--json"], check=True,
                              capture_output=True, text=True).stdout
        messages = json.loads(info)["messages"]
        exported = subprocess.run([program, "archive", "export", "day.dar", "--to", "dbn",
                                   "--schema", "mbo", "--out", "day.dbn", "--json"], check=True,
                                  capture_output=True, text=True).stdout
        records = json.loads(exported)["rows"]
        python = sys.executable
        measure("ITCH into the archive, damrak", messages,
                [program, "archive", "import", "day.itch", "--out", "."])
        measure("ITCH, parsed alone, itchfeed", messages, [python, "-c", READ_ITCH, "day.itch"],
                ["itch"])
        measure("DBN mbo into the archive, damrak", records,
                [program, "archive", "import", "day.dbn", "--out", "."])
        measure("DBN mbo, decoded alone, databento-dbn", records,
                [python, "-c", READ_DBN, "day.dbn"], ["databento_dbn"])
        measure("DBN mbo, prepared by hftbacktest", records, [python, "-c", PREPARE_DBN, "day.dbn"],
                ["databento", "hftbacktest"])
        subprocess.run([program, "archive", "import", "day.itch"], check=True,
                       stdout=subprocess.DEVNULL)
        measure("Parquet, tools/day_to_parquet.py", messages,
                [python, ROOT / "tools" / "day_to_parquet.py", "day.dar", "day.parquet",
                 "--program", program], ["pyarrow"])
        measure("CSV, damrak archive export", messages,
                [program, "archive", "export", "day.dar", "--to", "csv", "--out", "day.csv"])
    if options.save:
        options.save.write_text(json.dumps({"rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
