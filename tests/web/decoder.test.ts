import assert from "node:assert/strict";
import { test } from "node:test";
import { decode } from "../../web/src/core/decoder.js";
import { depthRow, frame } from "./support.js";

const symbolOf = (locate: number) => ({ 1: "AAPL", 513: "MSFT" })[locate];

test("a frame of depth has its numbers, and its sides in order", () => {
  const bytes = frame(
    {
      kind: 2,
      channel: 2,
      locate: 513,
      sequence: 9007199254740991,
      previous: 7,
      timeNs: 86399999999999,
    },
    [depthRow(0, 999800, 100, 3), depthRow(1, 1000100, 0, 0)],
  );
  assert.deepEqual(decode(bytes, symbolOf), {
    type: "changes",
    channel: "depth",
    symbol: "MSFT",
    sequence: 9007199254740991,
    previous: 7,
    timeNs: 86399999999999,
    rows: [
      { side: "bid", price: 999800, quantity: 100, orders: 3 },
      { side: "ask", price: 1000100, quantity: 0, orders: 0 },
    ],
  });
});

test("a frame of orders has references and priority", () => {
  const row =
    (reference: bigint, price: number, quantity: number, side: number) =>
    (view: DataView, at: number) => {
      view.setBigUint64(at, reference, true);
      view.setFloat64(at + 8, price, true);
      view.setFloat64(at + 16, quantity, true);
      view.setUint8(at + 24, side);
    };
  const bytes = frame({ kind: 1, channel: 3, sequence: 5 }, [
    row(552001n, 999800, 100, 0),
    row(8n, 999800, 50, 0),
    row(9n, 1000000, 70, 1),
  ]);
  const update = decode(bytes, symbolOf);
  assert.equal(update.type, "snapshot");
  assert.deepEqual(update.channel === "orders" && update.rows, [
    { side: "bid", reference: 552001, price: 999800, quantity: 100 },
    { side: "bid", reference: 8, price: 999800, quantity: 50 },
    { side: "ask", reference: 9, price: 1000000, quantity: 70 },
  ]);
});

test("a frame of trades has the aggressor and what is left out", () => {
  const row = (values: number[], aggressor: number) => (view: DataView, at: number) => {
    values.forEach((value, i) => view.setFloat64(at + 8 * i, value, true));
    view.setInt8(at + 32, aggressor);
  };
  const bytes = frame({ kind: 2, channel: 4, sequence: 12, previous: 9, omitted: 3 }, [
    row([10, 1000, 999800, 5], 1),
    row([11, 2000, 999700, 6], -1),
    row([12, 3000, 999700, 7], 0),
  ]);
  const update = decode(bytes, symbolOf);
  assert.ok(update.channel === "trades");
  assert.equal(update.omitted, 3);
  assert.deepEqual(
    update.trades.map((trade) => trade.aggressor),
    [1, -1, 0],
  );
  assert.deepEqual(update.trades[1], {
    sequence: 11,
    timeNs: 2000,
    price: 999700,
    quantity: 6,
    aggressor: -1,
  });
});

test("bytes that are no frame are refused, whatever they are", () => {
  const good = frame({ kind: 1, channel: 2, sequence: 1 }, [depthRow(0, 1, 1, 1)]);
  assert.doesNotThrow(() => decode(good, symbolOf));
  for (let length = 0; length < good.byteLength; length++)
    assert.throws(() => decode(good.slice(0, length), symbolOf), `of ${length} bytes`);
  const broken = (at: number, value: number) => {
    const bytes = good.slice(0);
    new Uint8Array(bytes)[at] = value;
    return bytes;
  };
  assert.throws(() => decode(broken(0, 3), symbolOf), /kind 3/);
  assert.throws(() => decode(broken(1, 1), symbolOf), /channel 1/);
  assert.throws(() => decode(broken(2, 9), symbolOf), /locate 9/);
  assert.throws(() => decode(broken(4, 2), symbolOf), /2 rows/);
  assert.throws(() => decode(broken(7, 255), symbolOf), /rows/);
});
