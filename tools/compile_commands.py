#!/usr/bin/env python3
"""Prints a build folder's compile_commands.json with a command for each source.

    tools/compile_commands.py BUILD_FOLDER

CMake names only the file that includes the sources it compiles together; clang-tidy wants the
command of each.
"""
import json
import re
import sys
from pathlib import Path

INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def separate(entries):
    for entry in entries:
        source = entry["file"]
        if "/Unity/unity_" not in source:
            yield entry
            continue
        for member in INCLUDED.findall(Path(source).read_text(encoding="utf-8")):
            command = entry["command"].replace(source, member)
            yield {**entry, "file": member, "command": command}


if __name__ == "__main__":
    path = Path(sys.argv[1]) / "compile_commands.json"
    json.dump(list(separate(json.loads(path.read_text(encoding="utf-8")))), sys.stdout, indent=1)
