#!/usr/bin/env python3
"""Checks that the sources of each component are compiled with the include roots of what it needs,
and no others: so an include against the arrows cannot compile.

    tools/check_include_roots.py BUILD_FOLDER
"""
import json
import re
import sys
from pathlib import Path

import components_page

ROOT = Path(__file__).resolve().parent.parent


def allowed(name, needs):
    """The component and all that it needs."""
    return {name}.union(*(allowed(need, needs) for need in needs[name]))


def findings(commands, names, needs):
    seen = set()
    for entry in commands:
        target = re.search(r"CMakeFiles/damrak_(\w+?)(?:_cold)?\.dir/", entry["command"])
        if not target or target[1] not in names:
            continue
        name = target[1]
        roots = set(re.findall(rf"-I\s?{re.escape(str(ROOT))}/src/(\w+)", entry["command"]))
        seen.add(name)
        if roots != (wanted := allowed(name, needs)):
            yield f"{name}: compiled with {sorted(roots)}, wanted {sorted(wanted)}"
    for name in set(names) - seen:
        yield f"{name}: nothing of it is compiled"


def main(build):
    commands = json.loads((Path(build) / "compile_commands.json").read_text(encoding="utf-8"))
    names, needs, _ = components_page.listed(ROOT)
    found = sorted(set(findings(commands, names, needs)))
    print("\n".join(found) or f"include roots: {len(names)} components see what they need")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
