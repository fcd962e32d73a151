"""The export to Parquet: what is in the file is what `damrak journal export` says, cell by cell.

Needs the program (DAMRAK_PROGRAM, as CTest sets it) and the package pyarrow, in the interpreter
that runs the tests or in the one that DAMRAK_PYARROW_PYTHON names: that of a virtual environment
outside the tree.
"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools/journal_to_parquet.py"
JOURNAL = ROOT / "tests/sessions/journal/golden"
PROGRAM = os.environ.get("DAMRAK_PROGRAM", "")
PYTHON = os.environ.get("DAMRAK_PYARROW_PYTHON", sys.executable)

HAS_PYARROW = subprocess.run([PYTHON, "-c", "import pyarrow.parquet"], check=False,
                             stderr=subprocess.DEVNULL).returncode == 0
if not HAS_PYARROW:
    print("pyarrow is not installed: the export to Parquet is not tested (python3 -m venv DIR; "
          "DIR/bin/pip install pyarrow; DAMRAK_PYARROW_PYTHON=DIR/bin/python)", file=sys.stderr)

SHOW = """
import json, sys
from pyarrow import parquet
table = parquet.read_table(sys.argv[1])
print(json.dumps({"types": {f.name: str(f.type) for f in table.schema}, "rows": table.to_pylist()}))
"""


def run(python, *arguments, **options):
    return subprocess.run([python, TOOL, *arguments], capture_output=True, text=True, check=False,
                          **options)


class Parquet(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.output = str(Path(self.folder.name) / "day.parquet")

    @unittest.skipUnless(HAS_PYARROW and PROGRAM, "needs pyarrow and DAMRAK_PROGRAM")
    def test_has_what_the_export_has(self):
        done = run(PYTHON, JOURNAL, self.output, "--program", PROGRAM)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = subprocess.run([PROGRAM, "journal", "export", JOURNAL], capture_output=True,
                              text=True, check=True).stdout
        exported = list(csv.DictReader(io.StringIO(text)))
        self.assertGreater(len(exported), 10)
        self.assertEqual(done.stdout, f"{len(exported)} records in {self.output}\n")
        shown = json.loads(subprocess.run([PYTHON, "-c", SHOW, self.output], capture_output=True,
                                          text=True, check=True).stdout)
        self.assertEqual(list(shown["types"]), list(exported[0]))
        self.assertEqual(shown["types"]["sequence"], "uint64")
        self.assertEqual(shown["types"]["timestamp_ns"], "int64")
        self.assertEqual(shown["types"]["kind"], "string")
        found = [{name: "" if value is None else str(value) for name, value in row.items()}
                 for row in shown["rows"]]
        self.assertEqual(found, exported)

    @unittest.skipUnless(HAS_PYARROW and PROGRAM, "needs pyarrow and DAMRAK_PROGRAM")
    def test_fails_as_the_export_does(self):
        done = run(PYTHON, self.folder.name, self.output, "--program", PROGRAM)
        self.assertEqual(done.returncode, 1)
        self.assertIn("contains no journal", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    @unittest.skipUnless(HAS_PYARROW, "needs pyarrow")
    def test_says_which_program_it_cannot_run(self):
        done = run(PYTHON, JOURNAL, self.output, "--program", "/nowhere/damrak")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot run /nowhere/damrak: No such file", done.stderr)

    def test_says_that_pyarrow_is_missing(self):
        (Path(self.folder.name) / "pyarrow.py").write_text("raise ImportError('not here')\n")
        done = run(sys.executable, JOURNAL, self.output,
                   env={**os.environ, "PYTHONPATH": self.folder.name})
        self.assertEqual(done.returncode, 1)
        self.assertIn("the Python package pyarrow is missing", done.stderr)


if __name__ == "__main__":
    unittest.main()
