#!/usr/bin/env python3
"""Writes the documents as a static site, as GitHub renders them, with what they link to.

    tools/site_pages.py FOLDER

A document is a page at its own path, README.md the index of its folder. Sources and folders that
are linked become pages, pictures are copied. A notebook is shown with the outputs that
`scripts/python notebooks` has left in build/notebooks, if it is still the same. The API pages are
expected in FOLDER/api.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, unquote

from check_links import OUTSIDE, anchors_of

ROOT = Path(__file__).parents[1]
PICTURES = {".svg", ".png"}
LINK = re.compile(r'(<(?:a|img)\b[^>]*?\b(?:href|src)=")([^"]*)(")')
HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)

STYLE = """\
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 60rem;
  padding: 0 1.2rem 4rem; }
nav { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; padding: .8rem 0; }
nav a { margin-right: 1.2rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.8em 0 .6em; }
h1 { font-size: 1.9rem; margin-top: .5em; }
h2 { border-bottom: 1px solid var(--line); padding-bottom: .25em; }
a { color: #2a7ae2; text-decoration: none; }
a:hover { text-decoration: underline; }
img { height: auto; max-width: 100%; }
code, pre { background: var(--soft); border-radius: 4px;
  font: .88em/1.45 ui-monospace, monospace; }
code { padding: .1em .3em; }
pre { overflow-x: auto; padding: .8rem 1rem; }
pre code { background: none; font-size: 1em; padding: 0; }
table { border-collapse: collapse; display: block; margin: 1em 0; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .35em .7em; text-align: left;
  vertical-align: top; }
th { background: var(--soft); }
blockquote { border-left: 4px solid var(--line); margin-left: 0; padding-left: 1rem; }
"""
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{up}style.css">
</head>
<body>
<nav><a href="{up}index.html"><strong>Damrak</strong></a>
<a href="{up}docs/index.html">Documentation</a>
<a href="{up}api/index.html">C++ API</a>
<a href="{up}api/python/index.html">Python API</a>
<a href="{up}CHANGELOG.html">Changelog</a></nav>
<main>
{body}
</main>
</body>
</html>
"""


class Site:
    def __init__(self, root, out):
        self.root, self.out = root, out
        self.open = []     # paths in the tree whose pages are still to be written
        self.known = set()

    def place(self, path):
        """Where the page of a path of the tree is, within the site."""
        if (self.root / path).is_dir():
            return path / "index.html"
        if path.name == "README.md":
            return path.with_name("index.html")
        if path.suffix in PICTURES:
            return path
        return path.with_suffix(".html") if path.suffix == ".md" else Path(f"{path}.html")

    def want(self, path):
        readme = path / "README.md"
        if (self.root / readme).exists():
            path = readme
        if path not in self.known:
            self.known.add(path)
            self.open.append(path)
        return self.place(path)

    def href(self, path, target):
        """A link of the document `path`, as its page must have it."""
        if OUTSIDE.match(target) or target.startswith("#"):
            return target
        name, hash_mark, anchor = target.partition("#")
        wanted = Path(os.path.normpath(path.parent / unquote(name)))
        there = os.path.relpath(self.want(wanted), self.place(path).parent)
        return quote(there) + hash_mark + anchor

    def markdown(self, path, text):
        text = subprocess.run(
            ["cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough", "-e", "autolink", "-t",
             "html"], input=text, check=True, capture_output=True, text=True).stdout
        return LINK.sub(lambda m: m[1] + html.escape(self.href(path, html.unescape(m[2]))) + m[3],
                        text)

    def document(self, path):
        text = self.markdown(path, (self.root / path).read_text(encoding="utf-8"))
        names = iter(anchors_of(self.root / path))
        return HEADING.sub(lambda m: f'<h{m[1]} id="{next(names)}">{m[2]}</h{m[1]}>', text)

    def notebook(self, path):
        cells = json.loads((self.root / path).read_text(encoding="utf-8"))["cells"]
        executed = self.root / "build/notebooks" / path.name
        if executed.exists():
            run = json.loads(executed.read_text(encoding="utf-8"))["cells"]
            if [cell["source"] for cell in run] == [cell["source"] for cell in cells]:
                cells = run
        body = ""
        for cell in cells:
            text = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                body += self.markdown(path, text)
                continue
            body += f"<pre><code>{html.escape(text)}</code></pre>\n"
            for output in cell["outputs"]:
                shown = output.get("data", {})
                if picture := shown.get("image/png"):
                    body += f'<img alt="" src="data:image/png;base64,{picture.strip()}">\n'
                elif text := "".join(output.get("text", shown.get("text/plain", ""))):
                    body += f"<pre>{html.escape(text)}</pre>\n"
        return body

    def source(self, path):
        text = (self.root / path).read_text(encoding="utf-8")
        return f"<h1>{path}</h1>\n<pre><code>{html.escape(text)}</code></pre>"

    def folder(self, path):
        items = ""
        for inner in sorted((self.root / path).iterdir()):
            name = inner.name + ("/" if inner.is_dir() else "")
            items += f'<li><a href="{quote(self.href(path / "_", inner.name))}">{name}</a></li>\n'
        return f"<h1>{path}/</h1>\n<ul>\n{items}</ul>"

    def write(self, path):
        source, target = self.root / path, self.out / self.place(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in PICTURES:
            shutil.copyfile(source, target)
            return
        if source.is_dir():
            body = self.folder(path)
        else:
            kinds = {".md": self.document, ".ipynb": self.notebook}
            body = kinds.get(path.suffix, self.source)(path)
        heading = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.DOTALL)
        title = re.sub(r"<[^>]*>", "", heading[1]) if heading else path.stem
        up = "../" * (len(self.place(path).parts) - 1)
        target.write_text(PAGE.format(title=title, up=up, body=body), encoding="utf-8")

    def write_all(self):
        for path in [*self.root.glob("*.md"), *(self.root / "docs").rglob("*.md")]:
            self.want(path.relative_to(self.root))
        while self.open:
            self.write(self.open.pop())
        (self.out / "style.css").write_text(STYLE, encoding="utf-8")


def mend_api(folder):
    """Doxygen links to the list of nested classes even where all are private and it has none."""
    dead = re.compile(r'<a href="#nested-classes">[^<]*</a>(?: &#124;\s*)?')
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if 'href="#nested-classes"' in text and 'name="nested-classes"' not in text:
            page.write_text(dead.sub("", text), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    Site(ROOT, Path(sys.argv[1])).write_all()
    mend_api(Path(sys.argv[1]) / "api")
