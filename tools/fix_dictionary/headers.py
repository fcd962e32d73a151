"""The messages, fields and values that the headers of libquickfix-dev declare."""
import re
from pathlib import Path

FOLDER = Path("/usr/include/quickfix")
VERSIONS = {"40": "fix40", "41": "fix41", "42": "fix42", "43": "fix43", "44": "fix44",
            "T": "fixt11", "50": "fix50", "51": "fix50sp1", "52": "fix50sp2"}
LINE = re.compile(r"FIELD_SET\(\*this, FIX::(\w+)\)|class (\w+) ?: public (?:FIX::)?(\w+)"
                  r"|FIX::Group\(\d+,(\d+),FIX::message_order\(([\d,]+)\)|^\s*};"
                  r"|MsgType\(\"(\w+)\"\)|const FIX::(\w+)& a\w+", re.M)
MADE_BY_HAND = {"CheckSum": "STRING", "Double": "FLOAT"}


class Group:
    """A field that counts the entries of a repeating group; the members are those of an entry."""

    def __init__(self, tag):
        self.tag = tag
        self.members = []


class Block:
    """A message, header or trailer: members are tags and groups."""

    def __init__(self, name):
        self.name = name
        self.type = None
        self.required = set()
        self.members = []


def numbers():
    text = (FOLDER / "FixFieldNumbers.h").read_text()
    return {name: int(tag) for name, tag in re.findall(r"const int (\w+) = (\d+);", text)}


def types():
    text = (FOLDER / "FixFields.h").read_text()
    return {name: MADE_BY_HAND.get(kind, kind)
            for kind, name in re.findall(r"DEFINE_(\w+)\((\w+)\);", text)}


def values(names):
    """{field name: [(value, label)]}, of all versions together."""
    found = {}
    text = (FOLDER / "FixValues.h").read_text()
    pattern = r"const (?:char|int|bool) (\w+?)(?:\[\])? = (?:'(.)'|\"([^\"]*)\"|(-?\w+));"
    for word, letter, string, number in re.findall(pattern, text):
        parts = word.split("_")
        cut = next((i for i in range(len(parts), 0, -1) if "_".join(parts[:i]) in names), None)
        if cut is not None and cut < len(parts):
            found.setdefault("_".join(parts[:cut]), []).append(
                (letter or string or number, "_".join(parts[cut:])))
    return found


def blocks(version):
    """Every message of the version, and its header and trailer where it has some."""
    tags = numbers()
    found = []
    for path in sorted((FOLDER / VERSIONS[version]).glob("*.h")):
        if path.name != "MessageCracker.h":
            found += read_blocks(path.read_text(), tags)
    return [block for block in found if block.members or block.type]


def read_blocks(text, tags):
    found, open_classes = [], []
    for match in LINE.finditer(text):
        field, name, parent, _, order, kind, argument = match.groups()
        if name:
            open_classes.append(Group(tags[name]) if parent == "Group" else Block(name))
            if parent == "Group":
                holder = open_classes[-2].members
                holder[holder.index(tags[name])] = open_classes[-1]
            elif name in ("Header", "Trailer") or parent == "Message":
                found.append(open_classes[-1])
        elif field:
            open_classes[-1].members.append(tags[field])
        elif order:
            open_classes[-1].order = [int(tag) for tag in order.split(",")[:-1]]
        elif kind and open_classes:
            open_classes[-1].type = kind
        elif argument and argument in tags and open_classes and \
                isinstance(open_classes[-1], Block):
            open_classes[-1].required.add(tags[argument])
        elif match.group(0).strip() == "};" and open_classes:
            closed = open_classes.pop()
            if isinstance(closed, Group):
                place = {tag: i for i, tag in enumerate(closed.order)}
                closed.members.sort(
                    key=lambda one: place.get(one.tag if isinstance(one, Group) else one, 999))
    return [block for block in found if block.name != "Message"]
