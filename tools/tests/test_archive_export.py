"""Exports of an archived day, read by readers of other makes: DBN by databento-dbn, ITCH by
itchfeed, Parquet by pyarrow, the capture by tshark.

Needs the program (DAMRAK_PROGRAM, as CTest sets it) and the packages in the interpreter that runs
the tests or in the one that DAMRAK_PYARROW_PYTHON names: that of a virtual environment outside the
tree.
"""
import collections
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ.get("DAMRAK_PROGRAM", "")
PYTHON = os.environ.get("DAMRAK_PYARROW_PYTHON", sys.executable)


def has(package):
    return subprocess.run([PYTHON, "-c", f"import {package}"], check=False,
                          stderr=subprocess.DEVNULL).returncode == 0


HAS = {package: has(package) for package in ("databento_dbn", "itch", "pyarrow")}
if not all(HAS.values()):
    print("not all of databento-dbn, itchfeed and pyarrow are installed: exports are not tested "
          "against them (python3 -m venv DIR; DIR/bin/pip install databento-dbn itchfeed pyarrow; "
          "DAMRAK_PYARROW_PYTHON=DIR/bin/python)", file=sys.stderr)

# Each order record as JSON, and the levels of each MBP record.
READ_DBN = """
import json, sys
import databento_dbn as dbn
decoder = dbn.DBNDecoder()
decoder.write(open(sys.argv[1], "rb").read())
for record in decoder.decode()[1:]:
    row = {"time": record.ts_event, "instrument": record.instrument_id, "size": record.size,
           "price": record.price, "action": str(record.action), "side": str(record.side),
           "last": bool(int(record.flags) & 128), "sequence": record.sequence}
    if hasattr(record, "order_id"):
        row["order"] = record.order_id
    if hasattr(record, "levels"):
        row["levels"] = [[l.bid_px, l.bid_sz, l.bid_ct, l.ask_px, l.ask_sz, l.ask_ct]
                         for l in record.levels]
    print(json.dumps(row))
"""
READ_ITCH = """
import collections, json, sys
from itch.parser import MessageParser
kinds = collections.Counter()
with open(sys.argv[1], "rb") as file:
    for message in MessageParser().parse_file(file):
        kinds[message.message_type.decode()] += 1
print(json.dumps(kinds))
"""
READ_PARQUET = """
import json, sys
from pyarrow import parquet
print(json.dumps(parquet.read_table(sys.argv[1]).to_pylist(), default=str))
"""

NO_PRICE = 2**63 - 1


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not PROGRAM:
            raise unittest.SkipTest("needs DAMRAK_PROGRAM")
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        cls.program("generate", "day.itch", "--messages", "8000", "--symbols", "2", "--live", "200")
        cls.program("archive", "import", "day.itch", "--date", "2026-11-23")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def program(cls, *arguments):
        done = subprocess.run([PROGRAM, *arguments], cwd=cls.folder, capture_output=True,
                              text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def read(self, script, path):
        return subprocess.run([PYTHON, "-c", script, self.folder / path], capture_output=True,
                              text=True, check=True).stdout

    def rows_of_dbn(self, schema):
        self.program("archive", "export", "day.dar", "--to", "dbn", "--schema", schema, "--out",
                     "day.dbn")
        return [json.loads(line) for line in self.read(READ_DBN, "day.dbn").splitlines()]

    def messages(self):
        self.program("archive", "export", "day.dar", "--to", "csv", "--out", "day.csv")
        return list(csv.DictReader((self.folder / "day.csv").read_text().splitlines()))

    @unittest.skipUnless(HAS["databento_dbn"], "needs databento-dbn")
    def test_orders_in_dbn_make_the_levels_of_its_other_schemas(self):
        orders, books = {}, {}
        levels = collections.defaultdict(list)
        for row in self.rows_of_dbn("mbp-10"):
            levels[row["sequence"]].append(row)
        trades = self.rows_of_dbn("trades")
        traded = []
        for row in self.rows_of_dbn("mbo"):
            action, key = row["action"][0], (row["instrument"], row["order"])
            if action == "A":
                orders[key] = [row["side"][0], row["price"], row["size"]]
            elif action == "C":
                orders[key][2] -= row["size"]
                self.assertGreaterEqual(orders[key][2], 0)
                if orders[key][2] == 0:
                    del orders[key]
            elif action == "T":
                traded.append((row["sequence"], row["price"], row["size"], row["side"]))
            if not row["last"]:
                continue
            for shown in levels[row["sequence"]]:
                if shown["action"][0] != "T":
                    books[row["instrument"]] = shown["levels"]
            if row["sequence"] % 50 == 0 and row["instrument"] in books:
                self.assertEqual(books[row["instrument"]],
                                 self.best(orders, row["instrument"]), row)
        self.assertGreater(len(trades), 100)
        self.assertEqual(traded, [(t["sequence"], t["price"], t["size"], t["side"])
                                  for t in trades])

    @staticmethod
    def best(orders, instrument):
        sides = {"B": collections.defaultdict(list), "A": collections.defaultdict(list)}
        for (where, _), (side, price, size) in orders.items():
            if where == instrument:
                sides[side][price].append(size)
        bids = sorted(sides["B"].items(), reverse=True)
        asks = sorted(sides["A"].items())
        rows = []
        for i in range(10):
            row = []
            for side in (bids, asks):
                price, sizes = side[i] if i < len(side) else (NO_PRICE, [])
                row += [price, sum(sizes), len(sizes)]
            rows.append(row)
        return rows

    @unittest.skipUnless(HAS["itch"], "needs itchfeed")
    def test_itch_is_read_by_itchfeed(self):
        self.program("archive", "export", "day.dar", "--to", "itch", "--out", "again.itch")
        kinds = json.loads(self.read(READ_ITCH, "again.itch"))
        expected = collections.Counter(row["type"] for row in self.messages())
        self.assertEqual(kinds, dict(expected))

    @unittest.skipUnless(HAS["pyarrow"], "needs pyarrow")
    def test_parquet_has_what_the_csv_has(self):
        done = subprocess.run([PYTHON, ROOT / "tools/day_to_parquet.py", "day.dar", "day.parquet",
                               "--program", PROGRAM], cwd=self.folder, capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads(self.read(READ_PARQUET, "day.parquet"))
        messages = self.messages()
        self.assertEqual(len(rows), len(messages))
        for row, message in zip(rows, messages):
            self.assertEqual({name: "" if value is None else
                              str(value).lower() if isinstance(value, bool) else str(value)
                              for name, value in row.items()}, message)

    @unittest.skipUnless(shutil.which("tshark"), "needs tshark")
    def test_a_capture_is_read_by_wireshark(self):
        self.program("archive", "export", "day.dar", "--to", "pcap", "--out", "day.pcap")
        shown = subprocess.run(
            ["tshark", "-r", self.folder / "day.pcap", "-d", "udp.port==26403,moldudp64", "-T",
             "fields", "-e", "moldudp64.sequence", "-e", "moldudp64.count"],
            capture_output=True, text=True, check=True).stdout
        following = 1
        counts = [line.split("\t") for line in shown.splitlines()]
        for sequence, count in counts[:-1]:
            self.assertEqual(int(sequence), following)
            following += int(count, 0)
        self.assertEqual(following, len(self.messages()) + 1)
        self.assertEqual(int(counts[-1][1], 0), 0xFFFF)  # the end of the session


if __name__ == "__main__":
    unittest.main()
