#!/usr/bin/env python3
"""Makes a picture (SVG) of a terminal, from what `tmux capture-pane -ep` prints.

    tmux capture-pane -ept NAME | tools/terminal_picture.py --title "..." > screen.svg

Each word is placed by itself, so that no viewer has to keep spaces. scripts/term-picture makes
docs/images/term.svg with it.
"""
import argparse
import html
import re
import sys

CELL_WIDTH, CELL_HEIGHT = 8.4, 18
BASELINE = 13.5  # of a letter in its cell
MARGIN = 12
GROUND, TEXT = "#1e1e1e", "#d4d4d4"
COLOURS = ["#1e1e1e", "#e06c75", "#6fc276", "#d7ba7d", "#61afef", "#c586c0", "#56b6c2", "#d4d4d4"]
FAMILY = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"


class Style:
    """What the escape sequences so far make of the next letter."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.bold = self.dim = self.reverse = False
        self.colour = TEXT
        self.ground = GROUND

    def apply(self, codes):
        for code in (int(code or 0) for code in codes.split(";")):
            if code == 0:
                self.reset()
            elif code == 1:
                self.bold = True
            elif code == 2:
                self.dim = True
            elif code == 7:
                self.reverse = True
            elif code == 22:
                self.bold = self.dim = False
            elif code == 27:
                self.reverse = False
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.colour = COLOURS[code % 10]
            elif code == 39:
                self.colour = TEXT
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.ground = COLOURS[code % 10]
            elif code == 49:
                self.ground = GROUND

    def key(self):
        pair = (self.ground, self.colour) if self.reverse else (self.colour, self.ground)
        return (*pair, self.bold, self.dim)


def cells_of(line):
    """The letters of a line, each with its style."""
    style = Style()
    cells = []
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if piece.startswith("\x1b"):
            style.apply(piece[2:-1])
        else:
            cells += [(letter, style.key()) for letter in piece]
    return cells


def runs_of(cells, same):
    """Where neighbours are the same: (first column, cells) a run."""
    begin = 0
    for i in range(1, len(cells) + 1):
        if i == len(cells) or not same(cells[i - 1], cells[i]):
            yield begin, cells[begin:i]
            begin = i


def same_word(a, b):
    return a[1] == b[1] and (a[0] == " ") == (b[0] == " ")


def word(row, column, cells):
    text = "".join(letter for letter, _ in cells)
    colour, _, bold, dim = cells[0][1]
    look = ' font-weight="bold"' * bold + ' opacity="0.55"' * dim
    x, y = MARGIN + column * CELL_WIDTH, MARGIN + row * CELL_HEIGHT + BASELINE
    return (f'<text x="{x:.1f}" y="{y:.1f}" '
            f'textLength="{len(text) * CELL_WIDTH:.1f}" lengthAdjust="spacingAndGlyphs" '
            f'fill="{colour}"{look}>{html.escape(text, quote=False)}</text>')


def ground(row, column, cells):
    x, y = MARGIN + column * CELL_WIDTH, MARGIN + row * CELL_HEIGHT
    return (f'<rect x="{x:.1f}" y="{y}" width="{len(cells) * CELL_WIDTH:.1f}" '
            f'height="{CELL_HEIGHT}" fill="{cells[0][1][1]}"/>')


def picture(lines, title):
    rows = [cells_of(line) for line in lines]
    while rows and not rows[-1]:
        rows.pop()
    width = round(2 * MARGIN + max((len(row) for row in rows), default=0) * CELL_WIDTH)
    height = 2 * MARGIN + len(rows) * CELL_HEIGHT
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           f'viewBox="0 0 {width} {height}" role="img">',
           f"<title>{html.escape(title)}</title>",
           f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
           f'<g font-family="{FAMILY}" font-size="14">']
    for row, cells in enumerate(rows):
        for column, run in runs_of(cells, lambda a, b: a[1][1] == b[1][1]):
            if run[0][1][1] != GROUND:
                out.append(ground(row, column, run))
        for column, run in runs_of(cells, same_word):
            if run[0][0] != " ":
                out.append(word(row, column, run))
    return "\n".join([*out, "</g>", "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--title", default="A terminal")
    options = parser.parse_args()
    sys.stdout.write(picture(sys.stdin.read().splitlines(), options.title))


if __name__ == "__main__":
    main()
