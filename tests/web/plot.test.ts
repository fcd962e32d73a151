// Charts with axes: scales, ticks, legends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { logTicks, ticks, timeTicks } from "../../web/src/core/ticks.js";
import { columnSeconds, timeAxis } from "../../web/src/ui/dashboard.js";
import {
  nearest,
  numberText,
  readOf,
  scaleOf,
  stretches,
  valueText,
  type Picture,
  type Point,
  type Series,
} from "../../web/src/ui/plot/model.js";

const line = (points: Point[]): Series => ({ kind: "line", name: "a", colour: "bid", points });
const picture = (series: Series[], y = {}): Picture => ({
  x: { title: "Time", kind: "time" },
  y: { title: "Shares", ...y },
  series,
});

test("ticks are round numbers, times of a clock, or powers of ten", () => {
  assert.deepEqual(
    ticks(0, 1, 5, 1e-9)
      .map((one) => one.toFixed(1))
      .join(),
    "0.0,0.2,0.4,0.6,0.8,1.0",
  );
  assert.deepEqual(
    timeTicks(3_600e9, 3_900e9, 5).at,
    [3600, 3660, 3720, 3780, 3840, 3900].map((s) => s * 1e9),
  );
  assert.deepEqual(logTicks(90, 2_100, 10), [100, 200, 500, 1_000, 2_000]);
  assert.deepEqual(logTicks(90, 200_000, 4), [100, 1_000, 10_000, 100_000], "powers alone");
  assert.deepEqual(logTicks(0.01, 200, 3), [0.01, 1, 100], "every second power");
});

test("an axis is as wide as its data, with zero if that is part of it", () => {
  const data = [
    line([
      [1e9, 10],
      [2e9, undefined],
      [3e9, 110],
    ]),
  ];
  const x = scaleOf(picture(data), "x")!;
  assert.deepEqual([x.low, x.high], [1e9, 3e9], "no margin beside times");
  const y = scaleOf(picture(data), "y")!;
  assert.deepEqual([y.low, y.high], [4, 116], "6 % of 100 on each side");
  assert.equal(y.part(60), 0.5);
  assert.equal(y.value(0.5), 60);
  const above = scaleOf(picture(data, { hasZero: true }), "y")!;
  assert.deepEqual(
    [above.low, Math.round(above.high)],
    [0, 117],
    "6 % of 110 above, none below zero",
  );
  const below = scaleOf(
    picture(
      [
        line([
          [0, -100],
          [1, -50],
        ]),
      ],
      { hasZero: true },
    ),
    "y",
  )!;
  assert.deepEqual([below.low, below.high], [-106, 0]);
  const one = scaleOf(picture([line([[0, 50]])]), "y")!;
  assert.equal(one.part(50), 0.5, "in the middle");
  assert.ok(scaleOf(picture([line([[0, 0]])], { hasZero: true }), "y")!.high > 0);
  assert.equal(scaleOf(picture([line([[0, undefined]])]), "y"), undefined, "nothing to show");
  const fixed = scaleOf(picture(data, { low: -1, high: 1 }), "y")!;
  assert.deepEqual([fixed.low, fixed.high], [-1, 1]);
});

test("a logarithmic axis gives each power the same room", () => {
  const y = scaleOf(
    picture(
      [
        line([
          [0, 10],
          [1, 1_000],
        ]),
      ],
      { kind: "log" },
    ),
    "y",
  )!;
  assert.equal(y.part(100), 0.5);
  assert.ok(Math.abs(y.value(0.5) - 100) < 1e-9);
  assert.equal(y.part(1), 0, "what is below it is at its end");
});

test("numbers have as many decimals as their ticks need, and a real minus", () => {
  assert.equal(numberText(0.25, 0.05), "0.25");
  assert.equal(numberText(2, 1), "2");
  assert.equal(numberText(-0.5, 0.5), "−0.5");
  assert.equal(numberText(-0, 1), "0");
  assert.equal(numberText(12_345, 1), "12.3k");
  assert.equal(numberText(-20_000, 1), "−20k");
  assert.equal(valueText(0.012345), "0.0123");
  assert.equal(valueText(12.345), "12.3");
  assert.equal(valueText(2_345.6), "2346");
  assert.equal(valueText(0), "0");
});

test("the legend tells what is under the pointer, and else the latest value of a line", () => {
  const points: Point[] = [
    [0, 1],
    [10, undefined],
    [20, 3],
  ];
  const y = { title: "" };
  assert.equal(readOf(line(points), undefined, y), "3.00");
  assert.equal(readOf(line(points), { x: 9, y: 0 }, y), "1.00", "a gap has no value");
  assert.equal(readOf(line([]), undefined, y), "–");
  assert.deepEqual(nearest(points, 11), [20, 3]);
  const rects: Series = {
    kind: "rects",
    name: "bars",
    colour: "bid",
    foundBy: "x",
    rects: [
      { x0: 0, x1: 10, y0: 0, y1: 5, text: "five" },
      { x0: 10, x1: 20, y0: 0, y1: -7, text: "seven" },
    ],
  };
  assert.equal(readOf(rects, undefined, y), "");
  assert.equal(readOf(rects, { x: 10, y: 99 }, y), "seven", "wherever in its column");
  assert.equal(readOf({ ...rects, foundBy: "both" }, { x: 10, y: 99 }, y), "–");
  assert.equal(readOf({ ...rects, foundBy: "both" }, { x: 10, y: -3 }, y), "seven");
  assert.equal(readOf({ ...rects, foundBy: "y" }, { x: 99, y: 3 }, y), "five");
});

test("a line has gaps where nothing is known", () => {
  const parts = stretches([
    [0, undefined],
    [1, 1],
    [2, 2],
    [3, undefined],
    [4, undefined],
    [5, 5],
  ]);
  assert.deepEqual(parts, [
    [
      [1, 1],
      [2, 2],
    ],
    [[5, 5]],
  ]);
});

test("a window has about sixty columns of round lengths, whatever its length", () => {
  assert.deepEqual(
    [60, 300, 900, 3_600].map((s) => columnSeconds(s * 1e9)),
    [1, 5, 15, 60],
  );
  assert.equal(columnSeconds(1_200e9), 30, "twenty minutes");
  assert.equal(columnSeconds(23_400e9), 600, "a day of six and a half hours");
  assert.equal(columnSeconds(86_400e9), 900, "no longer than a quarter of an hour");
  const window = { symbol: "A", day: undefined, date: "2026-12-01", columnSeconds: 1 };
  assert.deepEqual(timeAxis({ ...window, from: 1, until: 2 }), {
    title: "2026-12-01, time zone of the exchange",
    kind: "time",
    low: 1,
    high: 2,
  });
});
