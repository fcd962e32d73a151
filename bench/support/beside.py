"""What the benchmarks beside other packages have in common."""
import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RELEASE = ROOT / "build" / "release"


def parser_of(description, messages):
    """Of the options that all of them have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--program", default=RELEASE / "damrak", type=Path)
    parser.add_argument("--messages", default=messages, type=int)
    parser.add_argument("--runs", default=3, type=int)
    parser.add_argument("--save", type=Path)
    return parser


def options_of(parser, arguments):
    """With paths that hold in any folder."""
    options = parser.parse_args(arguments)
    for name, value in vars(options).items():
        if isinstance(value, Path):
            setattr(options, name, value.resolve())
    return options


def said(*command):
    """What a program prints; the benchmark ends with it where it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    return done.stdout


@contextlib.contextmanager
def in_new_folder():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir("/")


def versions(packages):
    """Of those that are installed."""
    found = {}
    for name in packages:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def keep(path, data):
    if path:
        path.write_text(json.dumps(data, indent=2) + "\n")
