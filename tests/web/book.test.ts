import assert from "node:assert/strict";
import { test } from "node:test";
import { DepthBook, type Side } from "../../web/src/core/book.js";
import { OrderQueues } from "../../web/src/core/queue.js";

/** Numbers that look random and are the same in each run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state;
  }
}

test("a snapshot and changes give the book that a map of prices gives", () => {
  const book = new DepthBook();
  const truth = { bid: new Map<number, number>(), ask: new Map<number, number>() };
  const random = numbers(1);
  const next = (below: number) => (random.next().value as number) % below;
  const heard: [Side, number, number, number][] = [];
  for (let i = 0; i < 20_000; i++) {
    const side: Side = next(2) ? "bid" : "ask";
    const price = 990_000 + 100 * next(300);
    const quantity = next(3) === 0 ? 0 : 1 + next(900);
    const before = truth[side].get(price) ?? 0;
    if (quantity) truth[side].set(price, quantity);
    else truth[side].delete(price);
    heard.length = 0;
    book.set(side, { price, quantity, orders: 1 }, (...change) => heard.push(change));
    assert.deepEqual(heard, before === quantity ? [] : [[side, price, before, quantity]]);
  }
  for (const side of ["bid", "ask"] as const) {
    const better = side === "bid" ? -1 : 1;
    const expected = [...truth[side]].sort(([a], [b]) => better * (a - b));
    assert.deepEqual(
      book.side(side).levels.map((l) => [l.price, l.quantity]),
      expected,
    );
    assert.equal(
      book.side(side).depth(5),
      expected.slice(0, 5).reduce((sum, [, q]) => sum + q, 0),
    );
    assert.equal(book.side(side).at(expected[7]![0])?.quantity, expected[7]![1]);
  }
});

test("the middle of a book with one side is its best price", () => {
  const book = new DepthBook();
  assert.equal(book.middle, undefined);
  book.set("bid", { price: 100, quantity: 1, orders: 1 });
  assert.equal(book.middle, 100);
  book.set("ask", { price: 104, quantity: 1, orders: 1 });
  assert.equal(book.middle, 102);
  book.clear();
  assert.equal(book.bids.best, undefined);
});

test("the place of an order counts those before it at its price alone", () => {
  const queues = new OrderQueues();
  queues.set("bid", 1, 1000, 10);
  queues.set("bid", 2, 1000, 20);
  queues.set("bid", 3, 999, 500);
  queues.set("ask", 4, 1000, 70);
  queues.set("bid", 5, 1000, 50);
  assert.deepEqual(queues.place(5), { orders: 2, quantity: 30 });
  queues.set("bid", 1, 1000, 4);
  assert.deepEqual(queues.place(5), { orders: 2, quantity: 24 });
  queues.set("bid", 2, 1000, 0);
  assert.deepEqual(queues.place(5), { orders: 1, quantity: 4 });
  assert.deepEqual(queues.place(4), { orders: 0, quantity: 0 });
  queues.set("bid", 5, 1000, 0);
  assert.equal(queues.place(5), undefined);
});
