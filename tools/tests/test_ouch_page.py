"""The tables of messages in docs/protocols/ouch.md are those of the descriptors in the source."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src/codecs/damrak/wire/ouch"
PAGE = ROOT / "docs/protocols/ouch.md"

TYPES = {"std::uint8_t": "u8", "std::uint16_t": "u16", "std::uint32_t": "u32",
         "std::uint64_t": "u64", "char": "letter"}
LAYOUT = re.compile(r"struct Layout<v\d+::(\w+)>\s*:\s*MessageLayout<'(.)', (\d+), v\d+::\w+, "
                    r"AppendageUse::(\w+)(.*?)> \{\}", re.S)


def type_name(text):
    alpha = re.fullmatch(r"(?:Alpha|Token)<(\d+)>", text)
    return f"text {alpha[1]}" if alpha else TYPES.get(text, text)


def types_of(version):
    """The type of each field of each message."""
    text = (SOURCE / f"messages_v{version}.hpp").read_text()
    return {name: {field: type_name(kind) for kind, field in
                   re.findall(r"^    ([\w:<>]+) (\w+)\{\};", body, re.M)}
            for name, body in re.findall(r"^struct (\w+) \{\n(.*?)^\};", text, re.S | re.M)}


def rows(version):
    """The rows of the table of a version: from the client, then to it."""
    types = types_of(version)
    text = (SOURCE / f"descriptor_v{version}.hpp").read_text()
    way = "in"
    lines = []
    for name, letter, length, appendage, body in LAYOUT.findall(text):
        if name == "SystemEvent":
            way = "out"
        fields = "; ".join(f"{at}: {types[name][field]} {field}" for field, at in
                           re.findall(r"Field<&v\d+::\w+::(\w+),\s*(\d+)>", body))
        size = length + (" + 2" if appendage == "always" else "")
        lines.append(f"| {way} | `{letter}` | {name} | {size} | {fields or 'none'} |")
    return lines


class OuchPage(unittest.TestCase):
    def test_the_page_has_every_message(self):
        page = PAGE.read_text().splitlines()
        for version, messages in (("42", 20), ("50", 25)):
            expected = rows(version)
            self.assertEqual(len(expected), messages)
            for row in expected:
                self.assertIn(row, page)

    def test_the_page_has_no_other_message(self):
        found = [line for line in PAGE.read_text().splitlines()
                 if re.match(r"\| (in|out) \| `", line)]
        self.assertEqual(found, rows("42") + rows("50"))


if __name__ == "__main__":
    unittest.main()
