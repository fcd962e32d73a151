#!/usr/bin/env python3
"""Makes src/README.md, the picture of the components, of the list in cmake/components.cmake.

    tools/components_page.py           writes it
    tools/components_page.py --check   ends with exit status 1 if it is not that of the list
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PAGE = """# Components

Each folder here is a component: a static library with an include root of its own. A target sees
the roots of what it needs, so an include against the arrows does not compile. The folders in
`<component>/damrak/` are its rooms; [docs/architecture.md](../docs/architecture.md) says what each
contains. `<damrak/COMPONENT.hpp>` includes all public headers of one, for programs outside this
tree; `tools/umbrella_headers.py` makes it.

```mermaid
flowchart BT
{arrows}
```

| component | what it is | rooms | needs |
|---|---|---|---|
{rows}

`tools/components_page.py` makes this page of `cmake/components.cmake`.
"""


def listed(root):
    """Names, what each needs, and a sentence about each."""
    text = (root / "cmake/components.cmake").read_text(encoding="utf-8")
    names = re.search(r"set\(damrak_components ([^)]*)\)", text)[1].split()
    needs = {name: re.search(rf"set\(needs_{name}\s*([^)]*)\)", text)[1].split()
             for name in names}
    about = {name: re.search(rf'set\(about_{name} "([^"]*)"\)', text)[1] for name in names}
    return names, needs, about


def room(folder):
    """Its name, with the rooms inside it."""
    inner = sorted(path.name for path in folder.iterdir()
                   if path.is_dir() and path.name != "detail")
    return f"{folder.name} ({', '.join(inner)})" if inner else folder.name


def page(root=ROOT):
    names, needs, about = listed(root)
    arrows = [f"  {name} --> {need}" for name in names for need in needs[name]]
    rows = []
    for name in names:
        rooms = [room(path) for path in sorted((root / "src" / name / "damrak").iterdir())
                 if path.is_dir()]
        cells = [f"`{name}`", about[name], ", ".join(rooms), ", ".join(needs[name]) or "–"]
        rows.append(f"| {' | '.join(cells)} |")
    return PAGE.format(arrows="\n".join(arrows), rows="\n".join(rows))


def main():
    written = ROOT / "src/README.md"
    if "--check" not in sys.argv[1:]:
        written.write_text(page(), encoding="utf-8")
        return 0
    if written.read_text(encoding="utf-8") == page():
        return 0
    print("src/README.md is not that of cmake/components.cmake: run tools/components_page.py",
          file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
