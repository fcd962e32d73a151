// Colours that mean opposite things look different to everybody, and text can be read. Simulation:
// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
// Deficiency" (2009), severity 1, in linear RGB. Differences are distances in OKLab (Ottosson, 2020);
// contrasts are those of WCAG 2.2.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

type Three = [number, number, number];
type Matrix = [Three, Three, Three];

const eyes: Record<string, Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};
const lms: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const lab: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/** Of each pair, one says the opposite of the other, or lies beside it. */
const pairs = [
  ["bid", "ask"],
  ["line-bid", "line-ask"],
  ["line-bid", "cross"],
  ["line-ask", "cross"],
  ["good", "bad"],
] as const;
const leastDifference = 0.13;
const texts = ["text", "muted", "bid", "ask", "good", "bad"] as const;
const leastContrast = 4.5;

const each = (values: number[], f: (value: number) => number) => values.map(f) as Three;
const times = (matrix: Matrix, [a, b, c]: Three) =>
  matrix.map((row) => row[0] * a + row[1] * b + row[2] * c) as Three;

function linear(hex: string): Three {
  const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  return each(parts, (one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
}

function difference(eye: Matrix, a: string, b: string): number {
  const [one, other] = [a, b].map((hex) => {
    const seen = each(times(eye, linear(hex)), (part) => Math.min(1, Math.max(0, part)));
    return times(lab, each(times(lms, seen), Math.cbrt));
  });
  return Math.hypot(...one!.map((part, i) => part - other![i]!));
}

function contrast(a: string, b: string): number {
  const [low, high] = [a, b]
    .map((hex) => times([[0.2126, 0.7152, 0.0722], [0, 0, 0], [0, 0, 0]], linear(hex))[0])
    .sort((one, other) => one - other);
  return (high! + 0.05) / (low! + 0.05);
}

/** The colours of a theme in the style sheet. */
function theme(selector: string): (name: string) => string {
  const css = readFileSync(new URL("../../../src/page.css", import.meta.url), "utf8");
  const block = css.slice(css.indexOf(`${selector} {`)).split("}")[0]!;
  return (name) => {
    const found = new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(block)?.[1];
    assert.ok(found, `${selector} has no colour ${name}`);
    return found;
  };
}

for (const selector of [":root", ':root[data-theme="light"]']) {
  const of = theme(selector);
  test(`pairs of colours differ for everybody: ${selector}`, () => {
    for (const [one, other] of pairs)
      for (const [name, eye] of Object.entries(eyes)) {
        const found = difference(eye, of(one), of(other));
        const text = `${one} and ${other}, ${name}: ${found.toFixed(3)}`;
        assert.ok(found >= leastDifference, text);
      }
  });
  test(`texts have the contrast of WCAG: ${selector}`, () => {
    for (const name of texts) {
      const found = contrast(of(name), of("panel"));
      assert.ok(found >= leastContrast, `${name}: ${found.toFixed(2)}`);
    }
  });
}

test("the difference finds red and green, which colour-blind eyes confuse", () => {
  const [red, green] = ["#d7301f", "#6a8f00"];
  assert.ok(difference(eyes["normal"]!, red, green) > 0.2);
  assert.ok(difference(eyes["deuteranopia"]!, red, green) < leastDifference);
});
