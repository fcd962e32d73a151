#!/usr/bin/env python3
"""Makes tags.hpp from the fields of the FIX dictionaries, and reads their text for import.py. The
library reads the text itself.

    tools/fix_dictionary/make.py [--check]

--check writes nothing and ends with exit status 1 if a file in the tree is not what would be made.
"""
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FIX_CODEC = HERE.parent.parent / "src" / "codecs" / "damrak" / "fix_codec"
TEXTS = FIX_CODEC / "dictionaries"

FIELD_FILES = ("fields.txt", "more_fields.txt")
VERSIONS = ["40", "41", "42", "43", "44", "T", "50", "51", "52"]
APPLICATION = [v for v in VERSIONS if v != "T"]


def versions_of(mark):
    """The versions that the text behind an @ stands for."""
    if not mark:
        return set(VERSIONS)
    chosen = set()
    for part in mark.split(","):
        first, dash, last = part.partition("-")
        begin = VERSIONS.index(first) if first else 0
        end = VERSIONS.index(last) if last else len(VERSIONS) - 1 if dash else begin
        chosen.update(VERSIONS[begin:end + 1])
    return chosen


def lines_of(name):
    for line in (TEXTS / name).read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


class Member:
    """A field, a component or a group as it stands in a block."""

    def __init__(self, token):
        head, _, mark = token.partition("@")
        self.required = head.endswith("!")
        self.name = head.rstrip("!")
        self.versions = versions_of(mark)
        self.members = None  # of a group


def read_members(tokens):
    members = []
    while tokens:
        token = tokens.pop(0)
        if token == "]":
            return members
        if token == "[":
            group = Member(tokens.pop(0))
            group.members = read_members(tokens)
            members.append(group)
        else:
            members.append(Member(token))
    return members


def read_blocks():
    """Header, trailer, components and messages: (kind, words of the head, versions, members)."""
    blocks = []
    for line in lines_of("messages.txt"):
        if line.startswith(" "):
            blocks[-1][2].append(line)
        else:
            head, _, mark = line.partition("@")
            blocks.append((head.split(), versions_of(mark), []))
    return [(words[0], words[1:], versions,
             read_members(" ".join(body).replace("[", "[ ").replace("]", " ] ").split()))
            for words, versions, body in blocks]


class Field:
    def __init__(self, line):
        tag, self.type, *names = line.split()
        self.tag = int(tag)
        self.names = [(name, versions_of(mark)) for name, _, mark in
                      (text.partition("@") for text in names)]
        self.values = []

    def name_in(self, version):
        return next((name for name, versions in self.names if version in versions), None)


def read_fields(*names):
    fields = []
    for line in (line for name in names or FIELD_FILES for line in lines_of(name)):
        if line.startswith(" "):
            for text in line.split():
                value, _, rest = text.partition("=")
                label, _, mark = rest.partition("@")
                fields[-1].values.append((value, label, versions_of(mark)))
        else:
            fields.append(Field(line))
    return fields


def snake_case(name):
    name = name.replace("IOIID", "IoiId").replace("IDs", "Ids")
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


TAGS = """\
// The numbers of the fields that our dictionaries name, by the newest name of each. Made by
// tools/fix_dictionary/make.py; change what that is made from.
// A tag that is no number from 1 up is kept as the two's complement of what was read, so that a
// Reject can name it: see shown().
#pragma once

#include <cstdint>

namespace damrak::fix_codec {{

using Tag = std::uint32_t;

/// The tag as RefTagID (371) shows it.
[[nodiscard]] constexpr std::int32_t shown(Tag tag) {{ return static_cast<std::int32_t>(tag); }}

namespace tag {{
// clang-format off
enum Number : Tag {{  // NOLINT(performance-enum-size): they are tags
{}
}};
// clang-format on
}}  // namespace tag

}}  // namespace damrak::fix_codec
"""


def tags_header(fields):
    names = {field.tag: snake_case(field.names[-1][0]) for field in fields}
    lines = [" "]
    for text in (f" {name} = {tag}," for tag, name in sorted(names.items())):
        if len(lines[-1]) + len(text) > 98:
            lines.append(" ")
        lines[-1] += text
    return TAGS.format("\n".join("   " + line.removeprefix(" ") for line in lines))


def made_files():
    return {FIX_CODEC / "tags.hpp": tags_header(read_fields())}


def main():
    check = sys.argv[1:] == ["--check"]
    stale = []
    for path, text in made_files().items():
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path)
        if not check:
            path.write_text(text)
    for path in stale:
        print(f"{path.name}: {'not what make.py makes' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
