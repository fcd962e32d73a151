import assert from "node:assert/strict";
import { test } from "node:test";
import { DepthBook } from "../../core/book.js";
import { isWide, levelPrices, stepOf, stepPrices } from "./model.js";

function bookOf(bids: number[], asks: number[]): DepthBook {
  const book = new DepthBook();
  for (const price of bids) book.set("bid", { price, quantity: 1, orders: 1 });
  for (const price of asks) book.set("ask", { price, quantity: 1, orders: 1 });
  return book;
}

test("rows are as far apart as the prices near the middle, at least a tick", () => {
  assert.equal(stepOf(bookOf([999_800, 999_300], [1_000_300]), 1_000_000), 500);
  assert.equal(stepOf(bookOf([999_800], []), 999_800), 100);
  assert.equal(stepOf(bookOf([5_003, 5_002], [5_005]), 5_004), 1);
});

test("a row for each step has the centre in the middle", () => {
  assert.deepEqual(stepPrices(1_000, 10, 4), [1_020, 1_010, 1_000, 990]);
  assert.deepEqual(stepPrices(1_000, 10, 3), [1_010, 1_000, 990]);
});

test("levels alone are the best ones around an empty row", () => {
  const book = bookOf([990, 980, 900], [1_020, 1_090]);
  assert.deepEqual(levelPrices(book, 5), [1_090, 1_020, 0, 990, 980]);
  assert.deepEqual(levelPrices(book, 8), [0, 1_090, 1_020, 0, 990, 980, 900]);
  assert.equal(isWide(book, 10, 20), false);
  assert.equal(isWide(bookOf([900], [1_020]), 10, 20), true);
  assert.equal(isWide(bookOf([], [1_020]), 10, 20), false, "there is no spread");
});
