"""The pages of the studies: how numbers are written, and that a page is what its command gives."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import study_pages  # noqa: E402


def measure(**changes):
    return {"instrument": "AAA", "group": "makers", "measure": "profit", "unit": "currency",
            "low": 1.5, "high": 4.25, "p_corrected": 0.012, "significant": True,
            "difference": 2.5, "mean_a": 10.0, "mean_b": 12.5, "correlation": 0.5,
            "variance_ratio": 0.25} | changes


class StudyPages(unittest.TestCase):
    def test_numbers_have_four_digits(self):
        for value, text in [(0, "0"), (0.012344, "0.01234"), (-1.23456, "-1.235"),
                            (12.346, "12.35"), (123.46, "123.5"), (-1649.4, "-1,649"),
                            (0.5, "0.5000")]:
            self.assertEqual(study_pages.number(value), text)

    def test_a_finding_says_which_way_and_how_sure(self):
        self.assertEqual(study_pages.finding(measure()),
                         "- `makers/profit` is higher by 2.500 currency (95% interval 1.500 to "
                         "4.250, p = 0.0120): 10.00 in A, 12.50 in B.")
        self.assertIn("is lower by 2.500", study_pages.finding(measure(difference=-2.5)))
        self.assertIn("no significant difference",
                      study_pages.finding(measure(significant=False)))

    def test_gain_is_what_unrelated_seeds_would_cost(self):
        self.assertEqual(study_pages.gain(measure()), "4.0")
        self.assertEqual(study_pages.gain(measure(variance_ratio=0)), "exact")
        self.assertEqual(study_pages.gain(measure(variance_ratio=None)), "-")

    def test_only_the_numbers_of_a_page_are_replaced(self):
        page = "before\n" + study_pages.NUMBERS + "old\n" + study_pages.END + "after\n"
        new = study_pages.NUMBERS + "new\n" + study_pages.END
        self.assertEqual(study_pages.with_numbers(page, new), "before\n" + new + "after\n")

    def test_a_curve_has_a_row_and_a_point_for_each_value(self):
        points = [("1ms", {"measures": [measure()]}), ("4ms", {"measures": [measure(low=-1)]})]
        table = study_pages.curve_table("interval", points)
        self.assertIn("| 4ms | 2.500 (-1.000 to 4.250) |", table)
        figure = study_pages.curve_figure("interval", points, "makers/profit")
        self.assertEqual(figure.count("<circle"), 2)

    def test_a_curve_takes_the_command_with_other_values(self):
        words = ["sim", "compare", "examples/studies/latency-races/1-takers-first.toml",
                 "--seeds", "100"]
        with tempfile.TemporaryDirectory() as folder:
            made = study_pages.with_value(words, "interval|news", "16ms", "5", folder)
            text = Path(made[2]).read_text(encoding="utf-8")
        self.assertEqual(made[3:], ["--seeds", "5"])
        self.assertEqual(text.count('= "16ms"'), 3)
        self.assertEqual(text.count('latency = "1ms"'), 1)

    def test_every_study_has_a_page_with_numbers(self):
        for folder in (ROOT / "examples/studies").iterdir():
            page = (ROOT / f"docs/studies/{folder.name}.md").read_text(encoding="utf-8")
            self.assertIn(f"damrak sim compare examples/studies/{folder.name}/*.toml", page)
            self.assertIn("95% interval", page.split(study_pages.NUMBERS)[1])

    @unittest.skipUnless("DAMRAK_PROGRAM" in os.environ, "the program is not built")
    def test_files_of_studies_are_valid(self):
        for path in sorted((ROOT / "examples/studies").glob("*/*.toml")):
            done = subprocess.run([os.environ["DAMRAK_PROGRAM"], "sim", "check", path],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless("DAMRAK_PROGRAM" in os.environ, "the program is not built")
    def test_a_page_is_what_its_command_gives(self):
        done = subprocess.run([ROOT / "tools/study_pages.py", "--check", "tick-size"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
