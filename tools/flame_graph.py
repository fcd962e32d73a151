#!/usr/bin/env python3
"""Makes a flame graph (SVG) of what `perf script` tells.

    perf record -e cpu-clock -F 2000 -g -p PID -- sleep 5
    perf script -F comm,tid,ip,sym | tools/flame_graph.py --title "..." > flame.svg

Every box is a function, those it calls stand on it, and its width is its share of the samples. With
--from FUNCTION only what that function does is shown, from there on.
Functions below a share of --least are left out. A box tells its name and share when pointed at.
"""
import argparse
import html
import re
import sys

WIDTH = 1200
ROW = 17
LETTER = 6.3  # of the width of a box, for one letter of its text


class Box:
    def __init__(self):
        self.samples = 0
        self.above = {}


def short(name):
    """Without template arguments, parameters and our own namespace."""
    while (plain := re.sub(r"<[^<>]*>", "", name)) != name:
        name = plain
    name = re.sub(r"\(.*\)( const)?$", "", name)
    return name.replace("damrak::", "").replace("(anonymous namespace)::", "")


def read(lines, keep, begin=None):
    root = Box()
    stack = []
    thread = None

    def finish():
        if thread is None or not stack or (keep is not None and thread != keep):
            return
        if begin is not None and begin not in stack:
            return
        names = stack if begin is None else stack[:stack.index(begin) + 1]
        box = root
        box.samples += 1
        for name in reversed(names):
            box = box.above.setdefault(name, Box())
            box.samples += 1

    for line in lines:
        line = line.rstrip()
        if not line:
            finish()
            stack, thread = [], None
        elif line[0].isspace():
            stack.append(short(line.split(None, 1)[-1]))
        else:
            thread = line.split()[-1]
    finish()
    return root


def colour(name):
    tint = sum(map(ord, name)) % 40
    kernel = "::" not in name
    return f"rgb({150 + tint},{170 + tint},225)" if kernel else f"rgb(235,{130 + tint},{70 + tint})"


def depth_of(box, least):
    above = (depth_of(b, least) for b in box.above.values() if b.samples >= least)
    return 1 + max(above, default=0)


def draw(box, name, x, level, scale, total, bottom, least, out):
    width = box.samples * scale
    y = bottom - level * ROW
    share = 100 * box.samples / total
    text = html.escape(name)
    shown = html.escape(name[:int(width / LETTER)]) if width > 5 * LETTER else ""
    out.append(f'<g><title>{text}: {share:.1f} %</title><rect x="{x:.1f}" y="{y}" '
               f'width="{width:.1f}" height="{ROW - 1}" fill="{colour(name)}"/>'
               f'<text x="{x + 3:.1f}" y="{y + 12}">{shown}</text></g>')
    for above, b in sorted(box.above.items()):
        if b.samples >= least:
            draw(b, above, x, level + 1, scale, total, bottom, least, out)
            x += b.samples * scale


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--title", default="")
    parser.add_argument("--thread", help="only this thread's number")
    parser.add_argument("--from", dest="begin", help="only this function, as the boxes name it")
    parser.add_argument("--least", type=float, default=0.3, help="share in hundredths (0.3)")
    options = parser.parse_args()
    root = read(sys.stdin, options.thread, options.begin)
    if root.samples == 0:
        sys.exit("flame_graph: no samples on standard input")
    least = max(1, root.samples * options.least / 100)
    height = (depth_of(root, least) + 2) * ROW + 10
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
           f'font-family="monospace" font-size="10">',
           f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
           f'<text x="6" y="14" font-size="12">{html.escape(options.title)}</text>']
    draw(root, "all", 0, 1, WIDTH / root.samples, root.samples, height - 4, least, out)
    out.append("</svg>")
    print("\n".join(out))


if __name__ == "__main__":
    main()
