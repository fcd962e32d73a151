#!/usr/bin/env python3
"""Makes more_messages.txt and more_fields.txt: what messages.txt and fields.txt leave out of the
versions, as the headers of Debian's libquickfix-dev declare it.

    tools/fix_dictionary/import.py

A message has the fields and groups that its class sets, and what its constructor takes is required.
Runs of fields that are a component of messages.txt are named as such. Needs libquickfix-dev; what
it makes is committed.
"""
import textwrap

import headers
import make
from headers import Group

ORDER = {version: place for place, version in enumerate(make.VERSIONS)}


def required_of(members, version, components):
    """The tags that a component requires if it is required itself."""
    found = set()
    for member in members:
        if version not in member.versions or not member.required:
            continue
        if member.name.isdigit():
            found.add(int(member.name))
        else:
            found |= required_of(components[member.name], version, components)
    return found


def flat(members, version, components):
    """{tag: None or, for a group, the same of its entry} of members of messages.txt."""
    found = {}
    for member in members:
        if version not in member.versions:
            continue
        if member.members is not None:
            found[int(member.name)] = flat(member.members, version, components)
        elif member.name.isdigit():
            found[int(member.name)] = None
        else:
            found.update(flat(components[member.name], version, components))
    return found


def shape(members):
    return {key_of(one): shape(one.members) if isinstance(one, Group) else None
            for one in members}


def key_of(member):
    return member.tag if isinstance(member, Group) else member


class Item:
    """A field, component or group over versions."""

    def __init__(self, name):
        self.name = name
        self.versions = set()
        self.required = set()
        self.members = None
        self.first = {}  # of a group: version to the tag that begins its entries

    def text(self, within):
        parts = [(self.required, "!"), (self.versions - self.required, "")]
        return " ".join(self.token(versions, mark, within) for versions, mark in parts if versions)

    def token(self, versions, required, within):
        head = f"{self.name}{required}{mark_of(versions, within)}"
        if self.members is None:
            return head
        inner = " ".join(item.text(versions) for item in self.members if item.versions & versions)
        return f"[{head} {inner}]"


def mark_of(versions, within):
    """The versions behind an @, as short as they can be while unique among those around."""
    versions = versions & within
    if versions == within:
        return ""
    chain = sorted(within, key=ORDER.get)
    runs, at = [], 0
    while at < len(chain):
        if chain[at] not in versions:
            at += 1
            continue
        end = at
        while end + 1 < len(chain) and chain[end + 1] in versions:
            end += 1
        first, last = chain[at], chain[end]
        runs.append(first if at == end and end + 1 < len(chain) else
                    f"{first}-" if end + 1 == len(chain) else
                    f"-{last}" if at == 0 else f"{first}-{last}")
        at = end + 1
    return "@" + ",".join(runs)


class Importer:
    def __init__(self):
        self.blocks, self.fields = make.read_blocks(), make.read_fields("fields.txt")
        self.components = {
            version: {words[0]: members for kind, words, versions, members in self.blocks
                      if kind == "component" and version in versions}
            for version in make.VERSIONS}
        self.known = {(words[0], version) for kind, words, versions, _ in self.blocks
                      if kind == "message" for version in versions}
        self.used = {}  # tag to versions

    def fold(self, members, version, required):
        """The members with components in the places of their fields, and the names of those that
        are required. What begins an entry of a group stays in front."""
        needed = set()
        at = {key_of(one): one for one in members}
        have = shape(members)
        delimiter = key_of(members[0]) if members else None
        components = self.components[version]
        sizes = {name: flat(body, version, components) for name, body in components.items()}
        for name, wanted in sorted(sizes.items(), key=lambda one: (-len(one[1]), one[0])):
            if not wanted or any(tag not in have or have[tag] != inner
                                 for tag, inner in wanted.items()):
                continue
            first = next(iter(wanted))
            wants = required_of(components[name], version, components)
            if (delimiter in wanted and delimiter != first) or \
                    not required & wanted.keys() <= (wants if wants <= required else set()):
                continue
            if wants and wants <= required:
                needed.add(name)
            at = {(name if tag == first else tag): (name if tag == first else one)
                  for tag, one in at.items() if tag == first or tag not in wanted}
            have = {tag: inner for tag, inner in have.items() if tag not in wanted}
        return list(at.values()), needed

    def note(self, members, version):
        for one in members:
            self.used.setdefault(key_of(one), set()).add(version)
            if isinstance(one, Group):
                self.note(one.members, version)

    def merge(self, items, members, version, required=()):
        """Adds one version's members; those that are new stand behind the one before them."""
        place = 0
        folded, needed = self.fold(members, version, set(required))
        for one in folded:
            name = str(key_of(one))
            first = key_of(one.members[0]) if isinstance(one, Group) else None
            found = next((item for item in items if item.name == name and
                          (item.members is not None) == isinstance(one, Group) and
                          item.first.get("tag", first) == first), None)
            if found is None:
                found = Item(name)
                items.insert(place, found)
                if isinstance(one, Group):
                    found.members, found.first["tag"] = [], first
            place = items.index(found) + 1
            found.versions.add(version)
            if key_of(one) in required or name in needed:
                found.required.add(version)
            if isinstance(one, Group):
                self.merge(found.members, one.members, version)

    def messages(self):
        merged = {}
        for version in reversed(make.VERSIONS):
            for block in headers.blocks(version):
                if block.type is None or (block.type, version) in self.known:
                    continue
                self.note(block.members, version)
                versions, items = merged.setdefault((block.type, block.name), (set(), []))
                versions.add(version)
                self.merge(items, block.members, version, block.required)
        for (kind, name), (versions, items) in sorted(merged.items(),
                                                      key=lambda one: (len(one[0][0]), one[0])):
            mark = mark_of(versions, set(make.APPLICATION))
            yield f"message {kind} {name} app{mark}"
            yield textwrap.fill(" ".join(item.text(versions) for item in items), 98,
                                initial_indent="  ", subsequent_indent="  ",
                                break_long_words=False, break_on_hyphens=False)
            yield ""

    def further_fields(self):
        """Those that no line of fields.txt names in the version."""
        types, tags = headers.types(), headers.numbers()
        values = headers.values(tags)
        names = {}
        for name, tag in tags.items():
            names.setdefault(tag, []).append(name)
        declared = {(field.tag, version) for field in self.fields for version in make.VERSIONS
                    if field.name_in(version)}
        for tag in sorted(self.used):
            versions = {version for version in self.used[tag] if (tag, version) not in declared}
            if not versions:
                continue
            name = names[tag][0]
            everywhere = all(field.tag != tag for field in self.fields)
            mark = "" if everywhere else mark_of(versions, set(make.VERSIONS))
            yield f"{tag} {types[name]} {name}{mark}"
            listed = dict((value, label) for value, label in reversed(values.get(name, []))
                          if " " not in value)
            if types[name] == "BOOLEAN" or not listed:
                continue
            in_order = sorted(listed.items(), key=lambda one: (len(one[0]), one))
            yield textwrap.fill(" ".join(f"{value}={label}" for value, label in in_order), 98,
                                initial_indent="    ", subsequent_indent="    ",
                                break_long_words=False, break_on_hyphens=False)


def main():
    importer = Importer()
    head = "# Made by import.py from the headers of libquickfix-dev; the forms are those of {}.\n\n"
    folder = make.TEXTS
    text = "\n".join(importer.messages())
    (folder / "more_messages.txt").write_text(head.format("messages.txt") + text.rstrip() + "\n")
    text = "\n".join(importer.further_fields())
    (folder / "more_fields.txt").write_text(head.format("fields.txt") + text + "\n")


if __name__ == "__main__":
    main()
