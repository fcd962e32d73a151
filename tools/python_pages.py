#!/usr/bin/env python3
"""Writes the pages of the Python package from its docstrings, with pdoc.

    tools/python_pages.py FOLDER

The package and pdoc must be importable: `scripts/python docs` sees to it.
"""
import __future__

import ast
import inspect
import re
import sys
import textwrap
import warnings
from pathlib import Path

import damrak
import pdoc
from damrak import _connection, _core

LINK = re.compile(r'<a href="#([^"]*)">(.*?)</a>', re.DOTALL)


def run(code, module):
    """The functions that a piece of Python defines, with the names of a module."""
    functions = {}
    flags = __future__.annotations.compiler_flag
    exec(compile(code, module, "exec", flags), vars(sys.modules[module]), functions)
    return functions


def add_members(shown, base):
    """Gives a class what it has of a base, such as one of the module in C++, as its own: with the
    types that it states for type checkers, otherwise with those of the base."""
    for name, member in vars(base).items():
        if name.startswith("_") or name in vars(shown):
            continue
        if signatures := getattr(member, "__nb_signature__", None):
            signature, text, _ = signatures[0]
            member = run(f"{signature}:\n    {text!r}", shown.__module__)[name]
            member.__qualname__ = f"{shown.__qualname__}.{name}"
        setattr(shown, name, member)
    for part in ast.parse(textwrap.dedent(inspect.getsource(shown))).body[0].body:
        if isinstance(part, ast.If):  # TYPE_CHECKING
            for name, member in run(ast.Module(part.body, []), shown.__module__).items():
                member.__qualname__ = f"{shown.__qualname__}.{name}"
                setattr(shown, name, member)


def mend(page):
    """pdoc links names of inherited members, which have no place of their own."""
    text = page.read_text(encoding="utf-8")
    places = set(re.findall(r'id="([^"]*)"', text))
    page.write_text(LINK.sub(lambda m: m[0] if m[1] in places else m[2], text), encoding="utf-8")


def main(folder):
    # `open` is where readers begin; `from damrak import *` does not give it.
    damrak.__all__ = ["open", *damrak.__all__]
    for name in damrak.__all__:
        getattr(damrak, name)  # what is imported when it is used
    add_members(damrak.Engine, _core.Engine)
    for shown in (damrak.Feed, damrak.OrderEntry):
        add_members(shown, _connection.Connection)
    pdoc.render.configure(docformat="numpy", show_source=False)
    warnings.filterwarnings("ignore", module="pdoc")  # of types that it then shows as they are
    pdoc.pdoc("damrak", output_directory=folder)
    mend(folder / "damrak.html")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    main(Path(sys.argv[1]))
