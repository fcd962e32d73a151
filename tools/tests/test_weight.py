"""Tests of scripts/weight: its table, and what it reports about measured values."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import tempfile
import unittest
from unittest import mock

PATH = str(pathlib.Path(__file__).resolve().parents[2] / "scripts/weight")
LOADER = importlib.machinery.SourceFileLoader("weight", PATH)
weight = importlib.util.module_from_spec(importlib.util.spec_from_loader("weight", LOADER))
LOADER.exec_module(weight)

WITH = "g++ 12, x86-64-v3, glibc 2.36"


def equal_rows():
    return {row: (100.0, "first measured") for row in weight.ROWS}


def measured(**changed):
    rows = {row: 100.0 for row in weight.ROWS}
    return rows | {("instructions", path): value for path, value in changed.items()}


class Comparison(unittest.TestCase):
    def failures(self, rows, values, now_with=WITH):
        lines, failures = weight.compare(WITH, rows, now_with, values)
        failed = [line for line in lines if line.startswith("FAILED")]
        self.assertEqual(len(failed), failures)
        return lines, failed

    def test_equal_values_pass(self):
        lines, failed = self.failures(equal_rows(), measured())
        self.assertEqual(failed, [])
        self.assertEqual(len(lines), len(weight.ROWS))

    def test_a_table_with_a_too_low_number_fails_with_one_line(self):
        rows = equal_rows()
        rows["instructions", "book"] = (97.0, "first measured")
        _, failed = self.failures(rows, measured())
        self.assertEqual(len(failed), 1)
        for part in ("instructions book", "98.94 allowed", "measured 100.00", "--why"):
            self.assertIn(part, failed[0])

    def test_each_kind_has_its_own_bound(self):
        bounds = (("instructions", 102, 102.1), ("bytes", 103, 103.1), ("cpu", 125, 125.1))
        for kind, within, above in bounds:
            row = next(row for row in weight.ROWS if row[0] == kind)
            self.assertEqual(self.failures(equal_rows(), measured() | {row: within})[1], [])
            self.assertEqual(len(self.failures(equal_rows(), measured() | {row: above})[1]), 1)

    def test_seconds_that_may_be_scatter_ask_for_another_run(self):
        lines, failed = self.failures(equal_rows(), measured() | {("cpu", "suite"): 112})
        self.assertEqual(failed, [])
        self.assertIn("ok cpu suite: 112.00 (+12.00 %; measure again on a quiet machine)", lines)

    def test_rows_that_are_unknown_or_missing_fail(self):
        rows = equal_rows()
        rows["instructions", "bok"] = rows.pop(("instructions", "book"))
        _, failed = self.failures(rows, measured())
        self.assertEqual(len(failed), 2)
        self.assertIn("instructions bok: nothing measures this row", failed[0])
        self.assertIn("instructions book: not in the table", failed[1])

    def test_what_is_not_compared_is_said(self):
        rows = equal_rows()
        rows["instructions", "engine"] = (None, "")
        values = measured(book="not measured: 3 objects came from the cache")
        lines, failed = self.failures(rows, values)
        self.assertEqual(failed, [])
        for wanted in (
            "book: not measured: 3 objects came from the cache",
            "engine: measured 100.00, and no value in the table yet",
        ):
            self.assertIn(f"not compared: instructions {wanted}", lines)

    def test_another_compiler_is_not_compared_but_the_rows_are_checked(self):
        rows = equal_rows()
        del rows["bytes", "damrak"]
        lines, failed = self.failures(rows, measured(), "g++ 13, x86-64-v3, glibc 2.39")
        self.assertEqual(len(failed), 1)
        not_compared = [line for line in lines if line.startswith("not compared: ")]
        self.assertEqual(len(not_compared), len(weight.ROWS) - 1)


class Writing(unittest.TestCase):
    def test_a_table_is_read_as_it_was_written(self):
        text = weight.table_text(WITH, equal_rows())
        self.assertEqual(weight.read_table(text), (WITH, equal_rows()))

    def test_reasons_stay_and_what_was_not_measured_stays(self):
        rows = equal_rows()
        rows["instructions", "engine"] = (100.0, "limits are checked twice")
        new = weight.updated(rows, measured(engine=90.0, book="not measured"), "")
        self.assertEqual(new["instructions", "engine"], (90.0, "limits are checked twice"))
        self.assertEqual(new["instructions", "book"], (100.0, "first measured"))

    def test_a_row_that_rises_says_why(self):
        with self.assertRaisesRegex(weight.Bad, "instructions book rises from 100.00 to 110.00"):
            weight.updated(equal_rows(), measured(book=110.0), "")
        new = weight.updated(equal_rows(), measured(book=110.0, engine=101.0), "a second index")
        self.assertEqual(new["instructions", "book"], (110.0, "a second index"))
        self.assertEqual(new["instructions", "engine"], (101.0, "first measured"))

    def test_errors_of_the_table_name_the_line(self):
        good = weight.table_text(WITH, equal_rows())
        for bad, wanted in ((good.replace("\t100.00\t", "\tmuch\t", 1), "6: 'much' is no number"),
                            (good + "cpu\tsuite\t1\t\n", "stands there twice"),
                            (good + "cpu suite\n", "1 cells"),
                            (good.replace("# built with", "# made with"), "no line")):
            with self.assertRaisesRegex(weight.Bad, wanted):
                weight.read_table(bad)

    def test_the_committed_table_has_all_rows(self):
        _, rows = weight.read_table(weight.TABLE.read_text())
        self.assertEqual(list(rows), weight.ROWS)


class Program(unittest.TestCase):
    def run_check(self, rows):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "weight.tsv"
            table.write_text(weight.table_text(WITH, rows))
            said = io.StringIO()
            replaced = {"TABLE": table, "measure": measured, "built_with": lambda: WITH}
            with mock.patch.multiple(weight, **replaced), contextlib.redirect_stdout(said):
                return weight.main(["check"]), said.getvalue()

    def test_the_exit_status_is_1_if_a_row_is_above_its_bound(self):
        self.assertEqual(self.run_check(equal_rows())[0], 0)
        status, said = self.run_check(equal_rows() | {("bytes", "damrak"): (90.0, "")})
        self.assertEqual(status, 1)
        self.assertIn("weight: FAILED bytes damrak", said)

    def test_seconds_with_objects_from_the_cache_are_not_compared(self):
        stats = "# a.o\ncache_miss\n# b.o\ndirect_cache_hit\n"
        self.assertEqual(weight.why_not_whole(stats), "not measured: 1 objects came from the cache")
        self.assertEqual(weight.why_not_whole("# a.o\ncache_miss\n"), "")


if __name__ == "__main__":
    unittest.main()
