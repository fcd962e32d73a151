import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiLatency } from "../../core/api.js";
import { shortDuration } from "../../core/time.js";
import {
  cellsOf,
  histogramRects,
  overTime,
  percentile,
  sinceMidnight,
  tableRow,
  tailPoints,
  utcAxis,
  whyNothing,
} from "./model.js";

/** 90 of about 1 µs, 9 of 10 µs and one of 1 ms, as the exchange puts them into buckets. */
const times = {
  max: 1_000_000,
  buckets: [
    [1_023, 90],
    [10_239, 9],
    [1_015_807, 1],
  ] as [number, number][],
};

test("percentiles are those of the exchange: bounds of buckets, never above the largest", () => {
  assert.equal(percentile(times, 50), 1_023);
  assert.equal(percentile(times, 90), 1_023, "the 90th of a hundred");
  assert.equal(percentile(times, 91), 10_239);
  assert.equal(percentile(times, 99), 10_239);
  assert.equal(percentile(times, 99.9), 1_000_000);
  assert.equal(percentile({ max: 0, buckets: [] }, 50), undefined);
  const thousand = {
    max: 2_000,
    buckets: [
      [1_023, 999],
      [2_047, 1],
    ] as [number, number][],
  };
  assert.equal(percentile(thousand, 99.9), 1_023, "rounding makes no rank of its own");
});

test("bars have the parts of all messages, in quarters of powers of two", () => {
  const bars = histogramRects(times.buckets);
  assert.deepEqual(
    bars.map(({ y1 }) => y1),
    [90, 9, 1],
  );
  for (const { x0, x1 } of bars) assert.ok(Math.abs(x1 / x0 - 2 ** 0.25) < 1e-9);
  const [first] = bars;
  assert.ok(first!.x0 < 1_008 && first!.x1 > 1_008, "the middle of 992 to 1,023");
  assert.equal(first!.text, "90.0 % (90) 861 ns to 1.02 µs");
  assert.deepEqual(tailPoints(times), [
    [1_023, 10],
    [10_239, 1],
    [1_000_000, 1],
  ]);
});

test("cells and percentiles over time", () => {
  const columns = [
    { begin_s: 86_400 + 60, max: 1_023, buckets: [[1_023, 7]] as [number, number][] },
    { begin_s: 86_400 + 70, ...times },
  ];
  const times10 = { column_s: 10, end_s: 86_400 + 70 };
  const cells = cellsOf(columns, times10, (part) => part.toFixed(2));
  assert.deepEqual(
    cells.map(({ x0, fill }) => [x0 / 1e9, fill]),
    [
      [60, "0.46"], // log 8 / log 91
      [70, "1.00"],
      [70, "0.51"], // log 10 / log 91
      [70, "0.15"], // log 2 / log 91
    ],
  );
  assert.deepEqual(overTime(columns, times10, 99), [
    [65e9, 1_023],
    [75e9, 10_239],
  ]);
  assert.equal(sinceMidnight(86_400 - 60, 86_400 + 70), -60e9, "the day before");
  const axis = utcAxis(86_400 + 70);
  assert.equal(axis.title, "1970-01-02, UTC");
  assert.equal(axis.format!(-60e9), "23:59:00");
});

test("a row of the table, and why there may be none", () => {
  const row = { gateway: "ouch", stage: "match", ...times };
  assert.deepEqual(tableRow(row), [
    "match",
    "100",
    "1.02 µs",
    "1.02 µs",
    "10.2 µs",
    "1.00 ms",
    "1.00 ms",
    "1.00 ms",
  ]);
  const none = { sampled_every: 16, rows: [] } as unknown as ApiLatency;
  assert.equal(whyNothing({ ...none, rows: [row] }, false), undefined);
  assert.match(whyNothing(none, false)!, /No message was timed in this time \(one in 16 is\)/);
  assert.match(whyNothing(none, true)!, /in the last hour of this run/);
  assert.match(whyNothing({ ...none, sampled_every: 0 }, false)!, /--timing off/);
  assert.deepEqual([shortDuration(1_000), shortDuration(150)], ["1 µs", "150 ns"]);
});
