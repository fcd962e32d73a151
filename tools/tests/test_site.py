"""The static site: small trees are rendered and checked, with faults planted in them."""
import contextlib
import io
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).parents[1]
sys.path.insert(0, str(TOOLS))
import check_site  # noqa: E402
import site_pages  # noqa: E402

if not shutil.which("cmark-gfm"):
    print("cmark-gfm is not installed: the pages of `make docs` are not tested", file=sys.stderr)


class InFolders(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class CheckSite(InFolders):
    def findings(self):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            status = check_site.main(self.folder)
        return status, text.getvalue().splitlines()[:-1]

    def test_good_links_pass(self):
        self.put("a.html", '<h1 id="top">A</h1><a href="b/c.html#x">c</a><a href="#top">top</a>'
                           '<a href="https://a.example/">web</a>'
                           '<img src="data:image/png;base64,AA">')
        self.put("b/c.html", '<a name="x"></a><a href="../a.html">a</a>')
        self.assertEqual(self.findings(), (0, []))

    def test_every_fault_is_found(self):
        for link, why in (('<a href="none.html">', "no such file"),
                          ('<a href="#none">', "no such anchor"),
                          ('<a href="../a.html">', "leaves the site"),
                          ('<a href="/a.html">', "is absolute"),
                          ('<a href="file:///a.html">', "leaves the site"),
                          ('<script src="https://a.example/a.js">', "is loaded from elsewhere"),
                          ('<img src="//a.example/a.png">', "is loaded from elsewhere")):
            self.put("a.html", link)
            status, lines = self.findings()
            self.assertEqual((status, len(lines)), (1, 1), link)
            self.assertTrue(lines[0].endswith(why), lines)

    def test_a_site_without_pages_is_a_fault(self):
        self.assertEqual(self.findings()[0], 1)


@unittest.skipUnless(shutil.which("cmark-gfm"), "cmark-gfm is not installed")
class Pages(InFolders):
    def render(self):
        out = self.folder / "build/site"
        site_pages.Site(self.folder, out).write_all()
        for folder in ("api", "api/python"):
            self.put(f"build/site/{folder}/index.html", "<p>API</p>")
        self.put("build/site/docs/index.html", "<p>index</p>")
        return out

    def test_documents_and_what_they_link_to_become_pages(self):
        self.put("README.md", "# Front\n\n[page](docs/page.md#two-words) ![p](docs/images/p.svg)\n")
        self.put("CHANGELOG.md", "# Changes\n\n[decisions](docs/decisions/)\n")
        self.put("docs/decisions/README.md", "# Decisions\n")
        self.put("docs/images/p.svg", "<svg/>")
        self.put("docs/page.md", "# Page\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## Two words\n\n"
                                 "[source](../src/a.cpp) [folder](../src) [front](../README.md)\n")
        self.put("src/a.cpp", "int a = 1 < 2;\n")
        out = self.render()
        front = (out / "index.html").read_text(encoding="utf-8")
        self.assertIn('href="docs/page.html#two-words"', front)
        page = (out / "docs/page.html").read_text(encoding="utf-8")
        self.assertIn("<title>Page</title>", page)
        self.assertIn("<td>1</td>", page)
        self.assertIn('<h2 id="two-words">', page)
        self.assertIn("int a = 1 &lt; 2;", (out / "src/a.cpp.html").read_text(encoding="utf-8"))
        self.assertIn('href="a.cpp.html"', (out / "src/index.html").read_text(encoding="utf-8"))
        done = subprocess.run([sys.executable, "-B", TOOLS / "check_site.py", out], check=False,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def put_notebook(self, name, *outputs, source="a = 1 < 2"):
        self.put(name, json.dumps({"cells": [
            {"cell_type": "markdown", "source": ["# Notes\n", "\n", "[front](../README.md)"]},
            {"cell_type": "code", "source": [source], "outputs": outputs}]}))

    def test_a_notebook_is_shown_with_its_outputs_while_it_is_the_same(self):
        text = {"output_type": "stream", "text": ["1 < 2\n"]}
        picture = {"output_type": "display_data",
                   "data": {"image/png": "AAAA\n", "text/plain": ["<Figure>"]}}
        for source, is_shown in (("a = 1 < 2", True), ("a = 2", False)):
            self.put("README.md", "# Front\n\n[notes](notes/notes.ipynb)\n")
            self.put_notebook("notes/notes.ipynb")
            self.put_notebook("build/notebooks/notes.ipynb", text, picture, source=source)
            page = (self.render() / "notes/notes.ipynb.html").read_text(encoding="utf-8")
            self.assertIn("<title>Notes</title>", page)
            self.assertIn("<pre><code>a = 1 &lt; 2</code></pre>", page)
            self.assertIn('href="../index.html">front', page)
            self.assertEqual("<pre>1 &lt; 2\n</pre>" in page, is_shown)
            self.assertEqual('src="data:image/png;base64,AAAA"' in page, is_shown)
            self.assertNotIn("Figure", page)

    def test_a_dead_list_of_nested_classes_goes(self):
        self.put("api/a.html", '<a href="#nested-classes">Classes</a> &#124;\n<a href="#f">F</a>')
        self.put("api/b.html", '<a href="#nested-classes">Classes</a><a name="nested-classes"></a>')
        site_pages.mend_api(self.folder / "api")
        self.assertEqual((self.folder / "api/a.html").read_text(encoding="utf-8"),
                         '<a href="#f">F</a>')
        self.assertIn("Classes", (self.folder / "api/b.html").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
