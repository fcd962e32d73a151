"""What tools/tidy.py checks of the modules of the live page: imports and the folders of panels."""
import posixpath
import re

# `import type` counts: who knows whom is what a reader follows.
IMPORT = re.compile(r"""^(?:import|export)\b[^;"']*?["'](\.{1,2}/[^"']+)\.js["']""", re.M)


PANELS = "web/src/panels/"
OF_A_PANEL = {"view.ts", "model.ts", "model.test.ts"}


def imports_of(name, text):
    folder = posixpath.dirname(name)
    return {posixpath.normpath(posixpath.join(folder, target)) + ".ts"
            for target in IMPORT.findall(text)}


def circles(modules):
    """Each circle once, as the names on its way; `modules` are texts by name."""
    graph = {name: sorted(imports_of(name, text) & modules.keys())
             for name, text in sorted(modules.items())}
    found, finished = [], set()

    def visit(name, way):
        if name in way:
            found.append([*way[way.index(name):], name])
        elif name not in finished:
            for target in graph[name]:
                visit(target, [*way, name])
            finished.add(name)

    for name in graph:
        visit(name, [])
    return found


def findings(modules):
    """All findings, as (name, text)."""
    for circle in circles(modules):
        yield circle[0], f"a circle of imports: {' > '.join(circle)}"
    files_of = {}
    for name in modules:
        if name.startswith(PANELS):
            panel, _, rest = name.removeprefix(PANELS).partition("/")
            files_of.setdefault(panel, set()).add(rest)
    for panel, files in files_of.items():
        if missing := sorted(OF_A_PANEL - files):
            yield PANELS + panel, f"a panel is a folder; it has no {', '.join(missing)}"
