#!/usr/bin/env python3
"""Makes the umbrella header of each component, src/<component>/damrak/<component>.hpp.

    tools/umbrella_headers.py           writes them
    tools/umbrella_headers.py --check   ends with exit status 1 if one is not up to date

It includes every public header of the component once: all that are not a detail.
"""
import sys
from pathlib import Path

import components_page

ROOT = Path(__file__).resolve().parent.parent

HEADER = """\
// All public headers of the component {name}, for programs that want everything. Made by
// tools/umbrella_headers.py.
#pragma once

// IWYU pragma: begin_exports
{includes}
// IWYU pragma: end_exports
"""


def headers(root=ROOT):
    """The text of each umbrella header, by path."""
    names, _, _ = components_page.listed(root)
    for name in names:
        source = root / "src" / name
        umbrella = source / "damrak" / f"{name}.hpp"
        public = sorted(path.relative_to(source).as_posix()
                        for path in (source / "damrak").rglob("*.hpp")
                        if path != umbrella and "detail" not in path.parts)
        includes = "\n".join(f"#include <{path}>" for path in public)
        yield umbrella, HEADER.format(name=name, includes=includes)


def main():
    checks = "--check" in sys.argv[1:]
    old = [(path, text) for path, text in headers()
           if not path.is_file() or path.read_text(encoding="utf-8") != text]
    for path, text in old:
        if checks:
            print(f"{path.relative_to(ROOT)} is not up to date: run tools/umbrella_headers.py",
                  file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8")
    return 1 if checks and old else 0


if __name__ == "__main__":
    sys.exit(main())
