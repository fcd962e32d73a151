"""The picture of a terminal: every word where its cell is, whatever a viewer does with spaces."""
import sys
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import terminal_picture  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


def drawn(lines):
    return ET.fromstring(terminal_picture.picture(lines, "a <screen>"))


class TerminalPicture(unittest.TestCase):
    def test_places_each_word_by_itself(self):
        texts = drawn(["a   bc", "", "  d"]).findall(f".//{SVG}text")
        self.assertEqual([(t.text, t.get("x"), t.get("y")) for t in texts],
                         [("a", "12.0", "25.5"), ("bc", "45.6", "25.5"), ("d", "28.8", "61.5")])
        for text in texts:
            self.assertNotIn(" ", text.text)

    def test_needs_no_kept_spaces(self):
        self.assertNotIn("xml:space", terminal_picture.picture(["a  b"], "t"))

    def test_takes_colours_and_weights_over(self):
        bold, green, plain = drawn(["\x1b[1mB\x1b[0m\x1b[32mG\x1b[39mp"]).findall(f".//{SVG}text")
        self.assertEqual(bold.get("font-weight"), "bold")
        self.assertEqual(green.get("fill"), "#6fc276")
        self.assertIsNone(plain.get("font-weight"))
        self.assertEqual(plain.get("fill"), "#d4d4d4")

    def test_draws_the_ground_of_what_is_reversed(self):
        root = drawn(["x\x1b[7m a \x1b[27my"])
        ground = root.findall(f".//{SVG}rect")[1]
        self.assertEqual((ground.get("x"), ground.get("width"), ground.get("fill")),
                         ("20.4", "25.2", "#d4d4d4"))
        self.assertEqual(root.findall(f".//{SVG}text")[1].get("fill"), "#1e1e1e")

    def test_the_picture_in_the_readme_is_of_this_kind(self):
        picture = Path(__file__).parent.parent.parent / "docs" / "images" / "term.svg"
        for text in ET.fromstring(picture.read_text()).findall(f".//{SVG}text"):
            self.assertNotIn(" ", text.text)


if __name__ == "__main__":
    unittest.main()
