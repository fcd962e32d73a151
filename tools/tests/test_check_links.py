"""Plants broken links and sees tools/check_links.py find them."""
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import check_links


class Links(unittest.TestCase):
    def run_on(self, readme, other="# A heading: of `two` parts\n"):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            (root / "docs").mkdir()
            (root / "README.md").write_text(readme)
            (root / "docs/other.md").write_text(other)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                status = check_links.main(root)
            return status, output.getvalue()

    def test_links_that_lead_somewhere_pass(self):
        status, output = self.run_on("[a](docs/other.md) [b](docs/other.md#a-heading-of-two-parts) "
                                     "[c](https://example.org/x) [d](#here)\n\n## Here\n")
        self.assertEqual((status, output), (0, "links: 2 documents, 0 broken\n"))

    def test_a_missing_file_is_found(self):
        status, output = self.run_on("![picture](docs/images/none.svg)\n")
        self.assertEqual(status, 1)
        self.assertIn("README.md: docs/images/none.svg: no such file", output)

    def test_a_missing_heading_is_found(self):
        self.assertIn("no such heading", self.run_on("[a](docs/other.md#elsewhere)\n")[1])

    def test_a_link_out_of_the_repository_is_found(self):
        self.assertIn("outside the repository", self.run_on("[a](../..)\n")[1])

    def test_code_is_no_link(self):
        self.assertEqual(self.run_on("`[](x)(y)`\n```\n[a](none.md)\n```\n")[0], 0)

    def test_links_are_relative_to_their_document(self):
        self.assertEqual(self.run_on("x\n", "[up](../README.md)\n")[0], 0)


if __name__ == "__main__":
    unittest.main()
