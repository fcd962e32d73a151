#!/usr/bin/env python3
"""Makes the API pages of the public headers with Doxygen, or checks that nothing is undocumented.

    tools/api_pages.py           writes build/docs/api
    tools/api_pages.py --check   prints each finding; ends with exit status 1 if there is any, with
                                 77 without Doxygen

Every public header, and every type in it, has a comment, and Doxygen understands all comments.
Functions and fields need one only where their names do not say enough.

Doxygen reads copies, in which plain comments count: those above a declaration, those behind it, and
the prose at the head of a header, which documents the file and the type that is named like it
(`order_book.hpp` and OrderBook).
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIES = "build/docs/headers"

HEAD = re.compile(r"\A((?://[^\n]*\n)+)#pragma once\n")
ABOVE = re.compile(r"((?:^ *//(?!/)[^\n]*\n)+)(?=^ *[\w\[~])", re.M)
BEHIND = re.compile(r"(?<=[;,}]) +//(?![/<])[^\n]*(?:\n +//(?!/)[^\n]*)*")
OWN_TYPE = r"^(?:template <[^\n]*>\n)?(?:class|struct|enum class) (?:alignas\(\d+\) )?{}\b[^;\n]*{{"
NOT_DOCUMENTED = re.compile(r"warning: .* (?:is not|are not) documented")


def head_comment(head):
    """The head of a header for Doxygen, with as many lines; indented ones are code or a table."""
    lines = [line.removeprefix("//") for line in head.splitlines()]
    is_code = [line.startswith("  ") for line in lines]
    for i in range(1, len(lines) - 1):
        is_code[i] |= not lines[i].strip() and is_code[i - 1] and is_code[i + 1]
    for i, code in enumerate(is_code):
        if code and not (i and is_code[i - 1]):
            lines[i - 1] += " @verbatim"
        if code and not (i + 1 < len(lines) and is_code[i + 1]):
            lines[i] += " @endverbatim"
    return "/**" + "\n".join(lines) + "\n@file */\n"


def documented(name, text):
    """A header as Doxygen reads it, line by line."""
    head = HEAD.match(text)
    if not head:
        return text
    body = text[head.end():]
    body = ABOVE.sub(lambda found: re.sub(r"^( *)//", r"\1///", found[1], flags=re.M), body)
    body = BEHIND.sub(lambda found: found[0].replace("//", "///<"), body)
    own_name = "".join(word.capitalize() for word in Path(name).stem.split("_"))
    own = re.search(OWN_TYPE.format(own_name), body, re.M)
    if own and not body[:own.start()].splitlines()[-1].startswith("///"):
        body = f"{body[:own.start()]}/** @copydoc {name} */ {body[own.start():]}"
    return head_comment(head[1]) + body


def copy_headers(root, copies):
    """Copies the public headers to the names by which they are included; returns their sources."""
    shutil.rmtree(copies, ignore_errors=True)
    sources = {}
    for header in sorted((root / "src").rglob("*.hpp")):
        name = header.relative_to(root / "src").as_posix().partition("/")[2]
        if "/detail/" in name:
            continue
        copy = copies / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(documented(name, header.read_text(encoding="utf-8")), encoding="utf-8")
        sources[str(copy)] = header.relative_to(root).as_posix()
    return sources


def doxygen(copies, sources, *settings):
    """What Doxygen has to say, a line each."""
    configuration = "\n".join(["@INCLUDE = docs/Doxyfile", f"INPUT = {copies} docs/api.dox",
                               f"STRIP_FROM_PATH = {copies}", f"STRIP_FROM_INC_PATH = {copies}",
                               *settings])
    done = subprocess.run(["doxygen", "-"], input=configuration, text=True, cwd=ROOT, check=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = (line.partition(":") for line in done.stderr.splitlines() if line.strip())
    return sorted({sources.get(file, file) + colon + rest for file, colon, rest in said})


def findings(root=ROOT):
    with tempfile.TemporaryDirectory(prefix="api-pages-") as folder:
        copies = Path(folder) / "headers"
        said = doxygen(copies, copy_headers(root, copies), "EXTRACT_ALL = NO",
                       "WARN_IF_UNDOCUMENTED = YES", "GENERATE_HTML = NO", "GENERATE_XML = YES",
                       f"OUTPUT_DIRECTORY = {folder}", "XML_PROGRAMLISTING = NO")
    return [line for line in said
            if "warning: Compound " in line or not NOT_DOCUMENTED.search(line)]


def main():
    if not shutil.which("doxygen"):
        print("there is no doxygen", file=sys.stderr)
        return 77
    if "--check" in sys.argv[1:]:
        found = findings()
    else:
        found = doxygen(ROOT / COPIES, copy_headers(ROOT, ROOT / COPIES))
    print("\n".join(found) if found else "API pages: every header and type is documented")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
