#!/usr/bin/env python3
"""Writes the numbers of the studies in docs/studies/ from the results of their own commands.

    tools/study_pages.py            runs each study and rewrites its page
    tools/study_pages.py --check    only says which pages are out of date; exit status 1 if any is
    tools/study_pages.py tick-size  one page

A page has one line that begins with `damrak sim compare`, and the marks NUMBERS and END, between
which this writes findings and tables. DAMRAK_PROGRAM names the program, build/release/damrak unless
set.
"""
import argparse
import glob
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "damrak sim compare "
NUMBERS = "<!-- numbers: written by tools/study_pages.py -->\n"
END = "<!-- end of numbers -->\n"


def name_of(measure):
    return "/".join(part for part in (measure["group"], measure["measure"]) if part)


def number(value):
    """Four digits, never in powers of ten: 0.01234, 5,413, -1,649."""
    if value == 0:
        return "0"
    magnitude = abs(value)
    if magnitude >= 1000:
        return f"{value:,.0f}"
    digits = 3
    while magnitude < 10 ** (2 - digits + 1) and digits < 8:
        digits += 1
    while magnitude >= 10 ** (4 - digits) and digits > 0:
        digits -= 1
    return f"{value:.{digits}f}"


def p_text(p):
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def finding(measure):
    unit = "" if measure["unit"] == "1" else " " + measure["unit"]
    name, p = f"`{name_of(measure)}`", p_text(measure["p_corrected"])
    interval = f"95% interval {number(measure['low'])} to {number(measure['high'])}"
    if not measure["significant"]:
        return f"- {name}: no significant difference ({interval}{unit}, {p})."
    way = "higher" if measure["difference"] > 0 else "lower"
    return (f"- {name} is {way} by {number(abs(measure['difference']))}{unit} ({interval}, {p}): "
            f"{number(measure['mean_a'])} in A, {number(measure['mean_b'])} in B.")


def gain(measure):
    ratio = measure["variance_ratio"]
    if ratio is None:
        return "-"
    return "exact" if ratio == 0 else f"{1 / ratio:.1f}"


def section(comparison):
    lines = [f"**A: {comparison['a']}. B: {comparison['b']}.** {comparison['pairs']} seeds.\n"]
    lines += [finding(measure) for measure in comparison["measures"]]
    lines += ["", "| measure | A | B | B − A | correlation | gain |", "|---|---|---|---|---|---|"]
    for measure in comparison["measures"]:
        correlation = measure["correlation"]
        lines.append("| `{}` | {} | {} | {} | {} | {} |".format(
            name_of(measure), number(measure["mean_a"]), number(measure["mean_b"]),
            number(measure["difference"]),
            "-" if correlation is None else f"{correlation:.2f}", gain(measure)))
    return "\n".join(lines) + "\n"


def numbers_of(report):
    sections = "\n".join(section(comparison) for comparison in report["comparisons"])
    return NUMBERS + "\n" + sections + "\n" + END


def with_numbers(page, numbers):
    head, rest = page.split(NUMBERS)
    return head + numbers + rest.split(END)[1]


def run(page, program):
    line = next(line for line in page.splitlines() if line.startswith(COMMAND))
    words = []
    for word in shlex.split(line)[1:]:
        words += sorted(glob.glob(word, root_dir=ROOT)) if "*" in word else [word]
    done = subprocess.run([program, *words, "--json", "--results", "off"], cwd=ROOT, text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="all unless given")
    arguments = parser.parse_args()
    check = arguments.check
    program = os.environ.get("DAMRAK_PROGRAM", str(ROOT / "build/release/damrak"))
    stale = []
    for path in sorted((ROOT / "docs/studies").glob("*.md")):
        page = path.read_text(encoding="utf-8")
        if NUMBERS not in page or (arguments.pages and path.stem not in arguments.pages):
            continue
        written = with_numbers(page, numbers_of(run(page, program)))
        if written == page:
            continue
        stale.append(path)
        if not check:
            path.write_text(written, encoding="utf-8")
    for path in stale:
        print(f"{path.relative_to(ROOT)}: {'out of date' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
