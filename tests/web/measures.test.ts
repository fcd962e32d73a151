import assert from "node:assert/strict";
import { test } from "node:test";
import { DepthBook } from "../../web/src/core/book.js";
import { imbalance, spread, Volatility } from "../../web/src/core/measures.js";
import { Frames } from "../../web/src/core/frames.js";
import { FakeTime } from "./support.js";

test("spread and imbalance are those of the best prices", () => {
  const book = new DepthBook();
  assert.equal(spread(book), undefined);
  assert.equal(imbalance(book, 5), 0);
  book.set("bid", { price: 100, quantity: 30, orders: 1 });
  assert.equal(spread(book), undefined);
  assert.equal(imbalance(book, 5), 1);
  book.set("ask", { price: 103, quantity: 10, orders: 1 });
  book.set("ask", { price: 104, quantity: 50, orders: 1 });
  assert.equal(spread(book), 3);
  assert.equal(imbalance(book, 1), 0.5);
  assert.equal(imbalance(book, 2), (30 - 60) / 90);
  book.set("bid", { price: 103, quantity: 5, orders: 1 });
  assert.equal(spread(book), 0, "locked");
  book.set("bid", { price: 107, quantity: 5, orders: 1 });
  assert.equal(spread(book), undefined, "crossed, as in a call");
});

test("volatility is that of a known path, over the last five minutes", () => {
  const volatility = new Volatility();
  assert.equal(volatility.value, undefined);
  // One basis point up and down each second: sixty squares a minute.
  for (let s = 0; s <= 400; s++)
    volatility.add({ timeNs: s * 1e9, middle: s % 2 ? 100 * Math.exp(1e-4) : 100 });
  assert.ok(Math.abs(volatility.value! - Math.sqrt(60)) < 1e-6);
  for (let s = 401; s <= 701; s++) volatility.add({ timeNs: s * 1e9, middle: 100 });
  assert.equal(volatility.value, 0, "what moved before is forgotten");
  volatility.add({ timeNs: 1e9, middle: 50 });
  assert.equal(volatility.value, 0, "time does not go back");
});

test("a drawing is called once a frame, and messages count to its cost", (t) => {
  const time = new FakeTime();
  t.after(() => time.restore());
  const waiting: (() => void)[] = [];
  globalThis.requestAnimationFrame = (callback) => waiting.push(() => callback(0));
  const frames = new Frames();
  let drawn = 0;
  const draw = () => (drawn += 1);
  frames.request(draw);
  frames.request(draw);
  frames.measured(() => time.pass(3));
  assert.equal(waiting.length, 1);
  waiting.pop()!();
  assert.equal(drawn, 1);
  assert.equal(frames.times[0], 3);
  frames.request(draw);
  assert.equal(waiting.length, 1);
});
