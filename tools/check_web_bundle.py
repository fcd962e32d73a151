#!/usr/bin/env python3
"""Whether the committed files of the live page are those that its sources make.

    tools/check_web_bundle.py [ROOT]

Looks at the files in web/dist: their size, and that they name no other server. Then builds the page
again in a temporary folder with `npm ci` and compares. Exit status 77, which CTest reports as
skipped, if npm is missing or reaches no registry.
"""
import gzip
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = ["index.html", "page.css", "page.js"]
MAX_GZIP_BYTES = 70_000
SKIPPED = 77
# Names of XML namespaces are no addresses.
FOREIGN = re.compile(rb"""(?:https?:)?//(?!www\.w3\.org/)[a-z0-9-]+\.[a-z]{2,}""")
UNREACHABLE = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|ENETUNREACH")


def findings_in(dist):
    """What is wrong with the files themselves."""
    names = sorted(path.name for path in dist.iterdir()) if dist.is_dir() else []
    if names != NAMES:
        return [f"{dist} holds {names}, not {NAMES}"]
    findings = []
    size = sum(len(gzip.compress((dist / name).read_bytes())) for name in NAMES)
    if size > MAX_GZIP_BYTES:
        findings.append(f"{dist}: {size} bytes with gzip, at most {MAX_GZIP_BYTES} are allowed")
    for name in NAMES:
        for found in FOREIGN.findall((dist / name).read_bytes()):
            findings.append(f"{dist / name}: names another server: {found.decode()}")
    document = (dist / "index.html").read_text()
    if re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", document):
        findings.append(f"{dist / 'index.html'}: has a script or style of its own")
    return findings


def rebuilt(root, folder):
    """Builds the page in a folder of its own; None if no registry can be reached."""
    shutil.copytree(root / "web", folder / "web",
                    ignore=shutil.ignore_patterns("node_modules", "dist", "build"))
    for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "run", "build"]):
        done = subprocess.run(command, cwd=folder / "web", text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode == 0:
            continue
        if "ci" in command and UNREACHABLE.search(done.stdout):
            return None
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}")
    return folder / "web/dist"


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    dist = root / "web/dist"
    findings = findings_in(dist)
    if findings:
        sys.exit("\n".join(findings))
    if shutil.which("npm") is None:
        print("not built again: npm is missing")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        built = rebuilt(root, Path(folder))
        if built is None:
            print("not built again: npm reaches no registry")
            return SKIPPED
        stale = [name for name in NAMES
                 if (built / name).read_bytes() != (dist / name).read_bytes()]
    if stale:
        sys.exit(f"web/dist is not what web/src makes: {', '.join(stale)}. "
                 "Run `npm ci && npm run build` in web/")
    print("web/dist is current")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
