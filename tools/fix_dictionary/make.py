#!/usr/bin/env python3
"""Makes the FIX dictionaries and tags.hpp from messages.txt and fields.txt.

    tools/fix_dictionary/make.py [--check]

--check writes nothing and ends with exit status 1 if a file in the tree is not what would be made.
"""
import re
import sys
from pathlib import Path
from xml.sax.saxutils import quoteattr

HERE = Path(__file__).resolve().parent
WIRE = HERE.parent.parent / "src" / "damrak" / "wire" / "fix"

VERSIONS = ["40", "41", "42", "43", "44", "T", "50", "51", "52"]
FILES = {"40": ("FIX40", "FIX", 4, 0, 0), "41": ("FIX41", "FIX", 4, 1, 0),
         "42": ("FIX42", "FIX", 4, 2, 0), "43": ("FIX43", "FIX", 4, 3, 0),
         "44": ("FIX44", "FIX", 4, 4, 0), "T": ("FIXT11", "FIXT", 1, 1, 0),
         "50": ("FIX50", "FIX", 5, 0, 0), "51": ("FIX50SP1", "FIX", 5, 0, 1),
         "52": ("FIX50SP2", "FIX", 5, 0, 2)}
SESSION = VERSIONS[:6]
APPLICATION = [v for v in VERSIONS if v != "T"]

# What a type of FIX.5.0SP2 was before; what is not named stayed as it is.
NUMBERS = {"SEQNUM": "INT", "LENGTH": "INT", "NUMINGROUP": "INT"}
LISTS = {"MULTIPLECHARVALUE": "MULTIPLEVALUESTRING", "MULTIPLESTRINGVALUE": "MULTIPLEVALUESTRING",
         "XMLDATA": "DATA"}
FIRST = {**NUMBERS, **LISTS, "QTY": "INT", "PRICE": "FLOAT", "PRICEOFFSET": "FLOAT", "AMT": "FLOAT",
         "PERCENTAGE": "FLOAT", "STRING": "CHAR", "CURRENCY": "CHAR", "EXCHANGE": "CHAR",
         "BOOLEAN": "CHAR", "UTCTIMESTAMP": "TIME", "LOCALMKTDATE": "DATE"}
OLD_TYPES = {"40": FIRST, "41": FIRST,
             "42": {**NUMBERS, **LISTS, "PERCENTAGE": "FLOAT", "UTCDATEONLY": "UTCDATE"},
             "43": {**LISTS, "UTCDATEONLY": "UTCDATE"}, "44": LISTS}


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
    for line in (HERE / name).read_text().splitlines():
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


def read_fields():
    fields = []
    for line in lines_of("fields.txt"):
        if line.startswith(" "):
            for text in line.split():
                value, _, rest = text.partition("=")
                label, _, mark = rest.partition("@")
                fields[-1].values.append((value, label, versions_of(mark)))
        else:
            fields.append(Field(line))
    return fields


class Dictionary:
    """One version, written as XML in the schema that QuickFIX made common."""

    def __init__(self, version, blocks, fields):
        self.version = version
        self.fields = {str(field.tag): field for field in fields if field.name_in(version)}
        allowed = SESSION if version in SESSION else APPLICATION
        self.blocks = [block for block in blocks if version in block[2] and version in allowed]
        self.components = {words[0]: members for kind, words, _, members in self.blocks
                           if kind == "component"}
        self.used = set()
        self.used_components = set()

    def tag_name(self, tag):
        self.used.add(tag)
        return self.fields[tag].name_in(self.version)

    def member_lines(self, members, indent):
        lines = []
        for member in members:
            if self.version not in member.versions:
                continue
            kind = ("group" if member.members is not None else
                    "field" if member.name.isdigit() else "component")
            if kind == "component":
                name = member.name
                self.used_components.add(name)
            else:
                name = self.tag_name(member.name)
            required = "Y" if member.required else "N"
            head = f'{indent}<{kind} name="{name}" required="{required}"'
            if kind != "group":
                lines.append(head + "/>")
                continue
            lines.append(head + ">")
            lines += self.member_lines(member.members, indent + "  ")
            lines.append(f"{indent}</group>")
        return lines

    def message_lines(self):
        wanted = "T" if self.version == "T" else "app" if self.version in ("50", "51", "52") else ""
        lines = []
        for kind, words, _, members in self.blocks:
            if kind != "message" or (wanted == "app" and words[2] == "admin") or \
                    (wanted == "T" and words[2] == "app"):
                continue
            lines.append(f'    <message name="{words[1]}" msgtype="{words[0]}"'
                         f' msgcat="{words[2]}">')
            lines += self.member_lines(members, "      ")
            lines.append("    </message>")
        return lines

    def frame_lines(self, wanted):
        if self.version in ("50", "51", "52"):
            return [f"  <{wanted}/>"]
        members = next(members for kind, _, _, members in self.blocks if kind == wanted)
        return [f"  <{wanted}>", *self.member_lines(members, "    "), f"  </{wanted}>"]

    def component_lines(self):
        """Of those that messages use, and those that these use."""
        lines = {}
        while missing := [name for name in self.components
                          if name in self.used_components and name not in lines]:
            for name in missing:
                lines[name] = [f'    <component name="{name}">',
                               *self.member_lines(self.components[name], "      "),
                               "    </component>"]
        return [line for name in self.components if name in lines for line in lines[name]]

    def field_lines(self):
        lines = []
        old = OLD_TYPES.get(self.version, {})
        for tag in sorted(self.used, key=int):
            field = self.fields[tag]
            values = [(value, label) for value, label, versions in field.values
                      if self.version in versions]
            if field.type == "BOOLEAN" and "BOOLEAN" in old:
                values = [("Y", "YES"), ("N", "NO")]
            head = (f'    <field number="{tag}" name="{field.name_in(self.version)}"'
                    f' type="{old.get(field.type, field.type)}"')
            if not values:
                lines.append(head + "/>")
                continue
            lines.append(head + ">")
            lines += [f'      <value enum={quoteattr(value)} description="{label}"/>'
                      for value, label in values]
            lines.append("    </field>")
        return lines

    def xml(self):
        _, kind, major, minor, pack = FILES[self.version]
        messages = self.message_lines()
        header, trailer = self.frame_lines("header"), self.frame_lines("trailer")
        components = self.component_lines()
        return "\n".join([
            "<!-- Made by tools/fix_dictionary/make.py; change what that is made from. -->",
            f'<fix type="{kind}" major="{major}" minor="{minor}" servicepack="{pack}">',
            *header, *trailer, "  <messages>", *messages, "  </messages>", "  <components>",
            *components, "  </components>", "  <fields>", *self.field_lines(), "  </fields>",
            "</fix>", ""])


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

namespace damrak::wire::fix {{

using Tag = std::uint32_t;

/// As RefTagID (371) shows it.
[[nodiscard]] constexpr std::int32_t shown(Tag tag) {{ return static_cast<std::int32_t>(tag); }}

namespace tag {{
// clang-format off
enum Number : Tag {{  // NOLINT(performance-enum-size): they are tags
{}
}};
// clang-format on
}}  // namespace tag

}}  // namespace damrak::wire::fix
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
    blocks, fields = read_blocks(), read_fields()
    files = {WIRE / "dictionaries" / f"{FILES[version][0]}.xml":
             Dictionary(version, blocks, fields).xml() for version in VERSIONS}
    files[WIRE / "tags.hpp"] = tags_header(fields)
    return files


def main():
    check = sys.argv[1:] == ["--check"]
    stale = []
    for path, text in made_files().items():
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path)
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    for path in stale:
        print(f"{path.name}: {'not what make.py makes' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
