import assert from "node:assert/strict";
import { test } from "node:test";
import { csvColumns, csvOf, textsOf } from "./model.js";

const trade = {
  sequence: 7,
  timeNs: 36_000_123_456_789,
  price: 999_850,
  quantity: 1_200,
  aggressor: -1,
} as const;

test("a trade has time, price with a mark, quantity, and its side in words", () => {
  assert.deepEqual(textsOf(trade), ["10:00:00.123", "▼ 99.9850", "1,200", "sell"]);
  assert.deepEqual(textsOf({ ...trade, aggressor: 1 }).slice(1), ["▲ 99.9850", "1,200", "buy"]);
  assert.deepEqual(textsOf({ ...trade, aggressor: 0 }).slice(1), ["· 99.9850", "1,200", ""]);
  assert.deepEqual(textsOf(undefined), ["", "", "", ""]);
});

test("a row of CSV is exact", () => {
  assert.deepEqual(csvOf(trade), [7, "10:00:00.123456789", "99.9850", 1_200, "sell"]);
  assert.equal(csvOf(trade).length, csvColumns.length);
});
