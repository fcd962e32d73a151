#!/usr/bin/env python3
"""Checks that every relative link and anchor in the Markdown documents leads somewhere.

    tools/check_links.py [ROOT]
"""
import re
import sys
from pathlib import Path

LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)
OUTSIDE = re.compile(r"^[a-z][a-z0-9+.-]*:")


def prose(path):
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def anchors_of(path):
    """The anchors of a document's headings in their order, named as GitHub does."""
    found = []
    for heading in HEADING.findall(prose(path)):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        repeat = 0
        while (name := f"{anchor}-{repeat}" if repeat else anchor) in found:
            repeat += 1
        found.append(name)
    return found


def broken_links(root, path):
    for target in LINK.findall(CODE.sub("", prose(path))):
        if OUTSIDE.match(target):
            continue
        name, _, anchor = target.partition("#")
        place = path.parent / name if name else path
        if not place.exists():
            yield target, "no such file"
        elif root not in place.resolve().parents and place.resolve() != root:
            yield target, "outside the repository"
        elif anchor and place.suffix == ".md" and anchor not in anchors_of(place):
            yield target, "no such heading"


def main(root):
    documents = [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]
    breaches = 0
    for path in documents:
        for target, why in broken_links(root, path):
            breaches += 1
            print(f"{path.relative_to(root).as_posix()}: {target}: {why}")
    print(f"links: {len(documents)} documents, {breaches} broken")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()))
