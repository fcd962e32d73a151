import assert from "node:assert/strict";
import { test } from "node:test";
import type { Trade } from "../../core/messages.js";
import {
  bubbleScale,
  bubblesOf,
  cumulativeDelta,
  depthWithin,
  largest,
  middles,
  pointOfControl,
  profileOf,
  profileRects,
  profileStep,
  tradeImbalance,
  volumeBars,
} from "./model.js";

/** Three columns of two seconds. */
const map = {
  from_ns: 100e9,
  column_ns: 2e9,
  volume_bought: [300, 0, 100],
  volume_sold: [100, 0, 400],
  bid: [99.99, null, 100],
  ask: [100.01, 100.02, 100.02],
};

const trade = (
  sequence: number,
  price: number,
  quantity: number,
  aggressor: 1 | -1 | 0,
): Trade => ({
  sequence,
  timeNs: sequence * 1e9,
  price: Math.round(price * 10_000),
  quantity,
  aggressor,
});

test("volume, delta and imbalance of columns", () => {
  assert.deepEqual(volumeBars(map, map.volume_sold, -1)[2], {
    x0: 104e9,
    x1: 106e9,
    y0: 0,
    y1: -400,
    text: "400",
  });
  // 300 − 100; nothing; 100 − 400.
  assert.deepEqual(cumulativeDelta(map), [
    [102e9, 200],
    [104e9, 200],
    [106e9, -100],
  ]);
  // 200 / 400; no trades; −300 / 500.
  assert.deepEqual(tradeImbalance(map), [
    [101e9, 0.5],
    [103e9, undefined],
    [105e9, -0.6],
  ]);
});

test("depth by distance is that of the rows around the mid", () => {
  assert.deepEqual(
    middles(map).map(([, mid]) => mid?.toFixed(4)),
    ["100.0000", undefined, "100.0100"],
  );
  // Rows from 99.95 on, of a cent each; a quantity of 10 in each of the first column, 20 in the last.
  const cells = new Float32Array(30).map((_, i) => (i < 10 ? 10 : i < 20 ? 0 : 20));
  const bids = Buffer.from(cells.buffer).toString("base64");
  const shown = { ...map, columns: 3, rows: 10, low: 99.95, price_step: 0.01, bids, asks: bids };
  // Two basis points of 100 are two cents: 99.98 to 100.02. Of 100.01, 99.99 to 100.03: one row more.
  assert.deepEqual(depthWithin(shown, "bids", 2), [
    [101e9, 50],
    [103e9, undefined],
    [105e9, 100],
  ]);
  assert.equal(depthWithin(shown, "asks", 1)[0]![1], 30);
});

test("the profile sums up trades by price, those that count", () => {
  const trades = [
    trade(1, 100, 200, 1),
    trade(2, 100.01, 300, -1),
    trade(3, 100, 50, -1),
    trade(4, 100, 70, 0),
    { ...trade(5, 100, 1_000, 1), broken: true },
    { ...trade(6, 100, 1_000, 1), counts: false },
  ];
  const rows = profileOf(trades, 100);
  assert.deepEqual(rows, [
    { price: 1_000_000, bought: 200, sold: 50, other: 70 },
    { price: 1_000_100, bought: 0, sold: 300, other: 0 },
  ]);
  assert.equal(pointOfControl(rows), 100, "320 against 300");
  const [first] = profileRects(rows, 100, "other");
  assert.deepEqual([first!.x0, first!.x1, first!.y0], [250, 320, 100], "after bought and sold");
  assert.equal(profileStep(trades, 20), 100);
  assert.equal(
    profileStep([trade(1, 100, 1, 1), trade(2, 101, 1, 1)], 20),
    1_000,
    "100 cents in tens",
  );
  assert.equal(pointOfControl([]), undefined);
});

test("large trades: of equal ones, some of all the time", () => {
  const trades = Array.from({ length: 1_000 }, (_, i) => trade(i + 1, 100, 100, 1));
  trades[499] = trade(500, 100, 900, -1);
  const found = largest(trades, 101);
  assert.equal(found.length, 101);
  assert.ok(
    found.some(({ sequence }) => sequence === 500),
    "the large one",
  );
  for (const begin of [0, 250, 500, 750]) {
    const there = found.filter(({ sequence }) => sequence > begin && sequence <= begin + 250);
    assert.ok(there.length > 20 && there.length < 30, `${there.length} from ${begin} on`);
  }
  assert.deepEqual(bubblesOf(found, -1), [
    { x: 500e9, y: 100, size: 900, text: "900 sold at 100.00" },
  ]);
  assert.equal(bubbleScale(trades), 1_000, "ten usual ones");
  assert.equal(bubbleScale([trade(1, 100, 1, 1), trade(2, 100, 1, 1), trade(3, 100, 99, 1)]), 99);
});
