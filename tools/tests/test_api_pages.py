"""What Doxygen makes of the comments of a header, and what the check finds."""
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import api_pages  # noqa: E402  (the path comes first)

HEADER = """// An order book. Reads in
//
//   a table          as it stands
//   of two lines
#pragma once

namespace damrak {

class OrderBook {
  public:
    // Of both sides.
    int orders = 0;
    int levels = 0;  // occupied
};

struct Other {
    int number = 0;
};

}  // namespace damrak
"""


class Documented(unittest.TestCase):
    def setUp(self):
        self.lines = api_pages.documented("damrak/order_book.hpp", HEADER).splitlines()

    def test_lines_stay_where_they_are(self):
        self.assertEqual(len(self.lines), len(HEADER.splitlines()))

    def test_the_head_documents_the_file_and_the_type_of_its_name(self):
        self.assertEqual(self.lines[0], "/** An order book. Reads in")
        self.assertEqual(self.lines[4], "@file */")
        self.assertEqual(self.lines[8], "/** @copydoc damrak/order_book.hpp */ class OrderBook {")
        self.assertIn("struct Other {", self.lines)

    def test_a_table_stays_as_it_is(self):
        self.assertEqual(self.lines[1:4], [" @verbatim", "   a table          as it stands",
                                           "   of two lines @endverbatim"])

    def test_plain_comments_of_declarations_count(self):
        self.assertIn("    /// Of both sides.", self.lines)
        self.assertIn("    int levels = 0;  ///< occupied", self.lines)

    def test_a_type_with_a_comment_keeps_it(self):
        own = HEADER.replace("class OrderBook", "/// The book.\nclass OrderBook")
        self.assertNotIn("@copydoc", api_pages.documented("damrak/order_book.hpp", own))


@unittest.skipUnless(shutil.which("doxygen"), "there is no doxygen")
class Check(unittest.TestCase):
    def found(self, text):
        with tempfile.TemporaryDirectory() as folder:
            header = Path(folder) / "src/engine/damrak/book/order_book.hpp"
            header.parent.mkdir(parents=True)
            header.write_text(text, encoding="utf-8")
            return [line.partition(": warning: ")[2]
                    for line in api_pages.findings(Path(folder))
                    if line.startswith("src/engine/damrak/book/order_book.hpp:")]

    def test_a_type_without_a_comment_is_found(self):
        self.assertEqual(self.found(HEADER), ["Compound damrak::Other is not documented."])

    def test_a_comment_that_doxygen_does_not_understand_is_found(self):
        good = HEADER.replace("struct Other", "// Another one.\nstruct Other")
        self.assertEqual(self.found(good), [])
        self.assertEqual(self.found(good.replace("Another one", "Another <one>")),
                         ["Unsupported xml/html tag <one> found"])


if __name__ == "__main__":
    unittest.main()
