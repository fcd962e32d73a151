import assert from "node:assert/strict";
import { test } from "node:test";
import { candleOfRow } from "../../core/candles.js";
import { inView, leastCandles, mostCandles, panned, priceRange, zoomed } from "./model.js";

test("zoom and moves stay within the candles", () => {
  assert.equal(zoomed(100, 1.4), 140);
  assert.equal(zoomed(100, 0.01), leastCandles);
  assert.equal(zoomed(900, 1.4), mostCandles);
  assert.equal(panned(10, 5, 100), 15);
  assert.equal(panned(10, -50, 100), 0);
  assert.equal(panned(10, 500, 100), 80);
  assert.equal(panned(10, 5, 3), 0);
  assert.deepEqual(inView(100, 30, 0), [70, 100]);
  assert.deepEqual(inView(100, 30, 95), [0, 5]);
  assert.deepEqual(inView(3, 30, 20), [0, 0], "fewer than are out of view");
});

test("prices have a margin, and the average is among them", () => {
  const candles = [candleOfRow([0, 10, 12, 9, 11, 100, 3, 1_050])];
  assert.deepEqual(priceRange(candles, [150_000]), [90_000 - 3_600, 150_000 + 3_600]);
  const flat = [candleOfRow([0, 10, 10, 10, 10, 100, 3, 1_000])];
  assert.deepEqual(priceRange(flat, [100_000]), [99_900, 100_100]);
});
