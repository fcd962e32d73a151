#!/usr/bin/env python3
"""Checks a static site: every link within it leads to a page and an anchor of it, nothing is loaded
from elsewhere, and no link leaves its folder but to the web.

    tools/check_site.py FOLDER
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

HARMLESS = {"http", "https", "mailto", "data", "javascript"}
LOADED = {"img", "script", "link", "iframe", "source"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.anchors = [], set()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append((tag, value))


def why_broken(folder, pages, path, tag, target):
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        if tag in LOADED and parts.scheme not in ("data", "javascript"):
            return "is loaded from elsewhere"
        return None if parts.scheme in HARMLESS else "leaves the site"
    if target.startswith("/"):
        return "is absolute"
    there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if folder not in there.parents:
        return "leaves the site"
    if not there.is_file():
        return "no such file"
    anchor = unquote(parts.fragment)
    if anchor and there in pages and anchor not in pages[there].anchors:
        return "no such anchor"
    return None


def main(folder):
    pages = {}
    for path in sorted(folder.rglob("*.html")):
        pages[path] = Page()
        pages[path].feed(path.read_text(encoding="utf-8"))
    broken = 0
    for path, page in pages.items():
        for tag, target in page.links:
            if why := why_broken(folder, pages, path, tag, target):
                broken += 1
                print(f"{path.relative_to(folder)}: {target}: {why}")
    print(f"site: {len(pages)} pages, {broken} broken links")
    return 1 if broken or not pages else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    sys.exit(main(Path(sys.argv[1]).resolve()))
