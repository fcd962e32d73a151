"""The committed tags are those of the fields, and marks of versions mean what they say."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "fix_dictionary"))
import make  # noqa: E402


class FixDictionaryTest(unittest.TestCase):
    def test_the_files_in_the_tree_are_those_made_from_the_table(self):
        for path, text in make.made_files().items():
            self.assertEqual(path.read_text(), text, f"{path.name}: run make.py")

    def test_versions_behind_an_at(self):
        self.assertEqual(make.versions_of("42"), {"42"})
        self.assertEqual(make.versions_of("-41"), {"40", "41"})
        self.assertEqual(make.versions_of("51-"), {"51", "52"})
        self.assertEqual(make.versions_of("40,43-44"), {"40", "43", "44"})
        self.assertEqual(make.versions_of(""), set(make.VERSIONS))

    def test_names_of_tags(self):
        self.assertEqual(make.snake_case("ClOrdID"), "cl_ord_id")
        self.assertEqual(make.snake_case("NoPartyIDs"), "no_party_ids")
        self.assertEqual(make.snake_case("GTBookingInst"), "gt_booking_inst")


if __name__ == "__main__":
    unittest.main()
