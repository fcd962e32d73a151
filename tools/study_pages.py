#!/usr/bin/env python3
"""Writes the numbers of the studies in docs/studies/ from the results of their own commands.

    tools/study_pages.py            runs each study and rewrites its page
    tools/study_pages.py --check    only says which pages are out of date; exit status 1 if any is
    tools/study_pages.py tick-size  one page

A page has one line that begins with `damrak sim compare`, and the marks NUMBERS and END, between
which this writes findings and tables. It may have a curve, between a line `<!-- curve of KEYS over
VALUES: SEEDS seeds -->` and END_OF_CURVE: the same command with each of the values for these keys
of the first two market files, as a table and as a figure in docs/images/. DAMRAK_PROGRAM names the
program, build/release/damrak unless set.
"""
import argparse
import glob
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "damrak sim compare "
NUMBERS = "<!-- numbers: written by tools/study_pages.py -->\n"
END = "<!-- end of numbers -->\n"
CURVE = re.compile(r"<!-- curve of ([\w|]+) over ([\w. ]+): (\d+) seeds -->\n")
END_OF_CURVE = "<!-- end of curve -->\n"


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


def version_of(program):
    done = subprocess.run([program, "--version"], text=True, capture_output=True, check=True)
    return f"damrak {done.stdout.strip()}"


def numbers_of(report, version):
    sections = "\n".join(section(comparison) for comparison in report["comparisons"])
    return f"{NUMBERS}\n{sections}\nMade with {version}.\n\n{END}"


def with_numbers(page, numbers):
    head, rest = page.split(NUMBERS)
    return head + numbers + rest.split(END)[1]


def words_of(page):
    line = next(line for line in page.splitlines() if line.startswith(COMMAND))
    words = []
    for word in shlex.split(line)[1:]:
        words += sorted(glob.glob(word, root_dir=ROOT)) if "*" in word else [word]
    return words


def run(words, program):
    done = subprocess.run([program, *words, "--json", "--results", "off"], cwd=ROOT, text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    return json.loads(done.stdout)


def with_value(words, keys, value, seeds, folder):
    """The command with copies of its first two market files, in which the keys have this value."""
    files = [word for word in words if word.endswith(".toml")]
    made = [word for word in words if word not in files[2:]]
    for place, word in enumerate(made):
        if word in files:
            text = (ROOT / word).read_text(encoding="utf-8")
            copy = Path(folder) / Path(word).name
            copy.write_text(re.sub(rf"(?m)^({keys}) = .*$", rf'\1 = "{value}"', text),
                            encoding="utf-8")
            made[place] = str(copy)
    made[made.index("--seeds") + 1] = seeds
    return made


def curve_table(key, points):
    """A row for each value: B - A of each measure, with its 95% interval."""
    measures = points[0][1]["measures"]
    lines = [f"| `{key}` | " + " | ".join(f"`{name_of(m)}`, {m['unit']}" for m in measures) + " |",
             "|---" * (len(measures) + 1) + "|"]
    for value, comparison in points:
        cells = [f"{number(m['difference'])} ({number(m['low'])} to {number(m['high'])})"
                 for m in comparison["measures"]]
        lines.append(f"| {value} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def curve_figure(key, points, primary):
    """The primary measure over the values: an SVG."""
    measures = [next(m for m in c["measures"] if name_of(m) == primary) for _, c in points]
    low = min(0, *(m["low"] for m in measures))
    high = max(0, *(m["high"] for m in measures))
    width, height, left, top = 640, 320, 90, 30

    def x(i):
        return left + (i + 0.5) * (width - left - 20) / len(points)

    def y(value):
        return top + (high - value) / (high - low) * (height - 2 * top - 20)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="18">{name_of(measures[0])}, B less A, {measures[0]["unit"]}, '
           'with 95% intervals</text>']
    step = 10 ** math.floor(math.log10(high - low))
    for tick in range(math.ceil(low / step), math.floor(high / step) + 1):
        out.append(f'<line x1="{left}" x2="{width - 20}" y1="{y(tick * step):.1f}" '
                   f'y2="{y(tick * step):.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{y(tick * step) + 4:.1f}" text-anchor="end">'
                   f'{tick * step:,g}</text>')
    path = " ".join(f"{x(i):.1f},{y(m['difference']):.1f}" for i, m in enumerate(measures))
    out.append(f'<polyline points="{path}" fill="none" stroke="#1f6fb4" stroke-width="2"/>')
    for i, m in enumerate(measures):
        out.append(f'<line x1="{x(i):.1f}" x2="{x(i):.1f}" y1="{y(m["low"]):.1f}" '
                   f'y2="{y(m["high"]):.1f}" stroke="#1f6fb4"/>'
                   f'<circle cx="{x(i):.1f}" cy="{y(m["difference"]):.1f}" r="4" fill="#1f6fb4"/>'
                   f'<text x="{x(i):.1f}" y="{height - 26}" text-anchor="middle">'
                   f'{points[i][0]}</text>')
    out.append(f'<text x="{(left + width) / 2}" y="{height - 8}" text-anchor="middle">'
               f'{key}</text></svg>')
    return "\n".join(out) + "\n"


def with_curve(page, name, program):
    """The page and its figure; without such a mark the page and nothing."""
    mark = CURVE.search(page)
    if mark is None:
        return page, None
    keys, values, seeds = mark.groups()
    words = words_of(page)
    points = []
    for value in values.split():
        with tempfile.TemporaryDirectory() as folder:
            report = run(with_value(words, keys, value, seeds, folder), program)
        points.append((value, report["comparisons"][0]))
    key = keys.split("|")[0]
    text = (f"\n**B less A, {seeds} seeds.**\n\n{curve_table(key, points)}"
            f"\n![{key}](../images/{name}.svg)\n\n")
    head, rest = page[:mark.end()], page[mark.end():]
    figure = curve_figure(key, points, words[words.index("--primary") + 1])
    return head + text + END_OF_CURVE + rest.split(END_OF_CURVE)[1], figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="all unless given")
    arguments = parser.parse_args()
    check = arguments.check
    program = os.environ.get("DAMRAK_PROGRAM", str(ROOT / "build/release/damrak"))
    version = version_of(program)
    stale = []
    for path in sorted((ROOT / "docs/studies").glob("*.md")):
        page = path.read_text(encoding="utf-8")
        if NUMBERS not in page or (arguments.pages and path.stem not in arguments.pages):
            continue
        written = with_numbers(page, numbers_of(run(words_of(page), program), version))
        written, figure = with_curve(written, path.stem, program)
        image = ROOT / "docs/images" / f"{path.stem}.svg"
        is_drawn = figure is None or (image.exists() and
                                      image.read_text(encoding="utf-8") == figure)
        if written == page and is_drawn:
            continue
        stale.append(path)
        if not check:
            path.write_text(written, encoding="utf-8")
            if figure is not None:
                image.write_text(figure, encoding="utf-8")
    for path in stale:
        print(f"{path.relative_to(ROOT)}: {'out of date' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
