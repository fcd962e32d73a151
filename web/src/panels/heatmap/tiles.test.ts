import assert from "node:assert/strict";
import { test } from "node:test";
import { HeatGrid } from "./grid.js";
import { Tiles } from "./tiles.js";
import { FakeTime } from "../../../../tests/web/support.js";

const second = 1e9;
const shape = { columnNs: second, low: 990_000, step: 100, rows: 4 };

interface Asked {
  path: string;
  query: Record<string, string>;
  answer(body: object): Promise<void>;
  aborted(): boolean;
}

const twoTrades = [
  { sequence: 1, time_ns: 130 * second, price: 99.01, quantity: 30, aggressor: "buy" },
  {
    sequence: 2,
    time_ns: 130 * second,
    price: 99.0,
    quantity: 5,
    aggressor: "sell",
    printable: false,
  },
  { sequence: 3, time_ns: 130 * second, price: 99.02, quantity: 80 },
  { sequence: 4, time_ns: 130 * second, price: 99.02, quantity: 5, broken: true },
];

/** Requests wait until the test answers them. */
function fakeFetch(trades: object[]): Asked[] {
  const asked: Asked[] = [];
  globalThis.fetch = (input, options) =>
    new Promise((resolve, reject) => {
      const url = new URL(String(input), "http://localhost");
      options?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      if (url.pathname === "/v1/trades") {
        resolve(Response.json({ trades }));
        return;
      }
      asked.push({
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        aborted: () => options?.signal?.aborted ?? false,
        answer: async (body) => {
          resolve(Response.json(body));
          for (let i = 0; i < 20; i++) await Promise.resolve();
          await new Promise(setImmediate);
        },
      });
    });
  return asked;
}

function heatmap(query: Record<string, string>, quantity: number) {
  const [columns, from] = [Number(query["columns"]), Number(query["from"])];
  const cells = Buffer.from(new Float32Array(columns * 4).fill(quantity).buffer).toString("base64");
  const all = <Value>(value: Value) => Array<Value>(columns).fill(value);
  return {
    from_ns: from,
    columns,
    column_ns: (Number(query["until"]) + 1 - from) / columns,
    rows: 4,
    bid: all(99.0),
    ask: all(null),
    volume_bought: all(0),
    volume_sold: all(0),
    volume_other: all(0),
    bids: cells,
    asks: cells,
    damage: [],
  };
}

function setup(trades: object[] = twoTrades) {
  const asked = fakeFetch(trades);
  const failures: unknown[] = [];
  const grid = new HeatGrid(shape);
  const tiles = new Tiles(
    grid,
    { day: undefined, symbol: "AAPL" },
    () => {},
    (why) => failures.push(why),
  );
  return { asked, failures, grid, tiles };
}

test("it asks for whole columns only, two tiles at once, the newest first", async () => {
  const { asked, grid, tiles } = setup();
  tiles.want(0, 200, 150.5 * second);
  assert.deepEqual(
    asked.map(({ query }) => query),
    [
      {
        symbol: "AAPL",
        from: String(128 * second),
        until: String(150 * second - 1),
        columns: "22",
        rows: "4",
        low: "99.0000",
        high: "99.0400",
      },
      {
        symbol: "AAPL",
        from: String(64 * second),
        until: String(128 * second - 1),
        columns: "64",
        rows: "4",
        low: "99.0000",
        high: "99.0400",
      },
    ],
  );
  await asked[0]!.answer(heatmap(asked[0]!.query, 7));
  assert.equal(grid.at(149 * second, 990_100)?.bidQuantity, 7);
  assert.equal(grid.at(149 * second, 990_100)?.bid, 990_000);
  assert.equal(grid.at(149 * second, 990_100)?.ask, undefined);
  assert.equal(grid.has(150), false);
  assert.deepEqual(grid.at(130 * second, 990_000)?.bought, { quantity: 30, price: 990_100 });
  assert.equal(grid.at(130 * second, 990_000)?.sold.quantity, 0, "not printable");
  assert.deepEqual(grid.at(130 * second, 990_000)?.crossed, { quantity: 80, price: 990_200 });
  assert.equal(tiles.complete(128, 150), true);
  assert.equal(tiles.complete(127, 150), false);
  tiles.want(0, 200, 150.5 * second);
  assert.equal(asked.length, 3);
  assert.equal(asked[2]!.query["from"], "0");
});

test("the present tile comes again when it is over, and after a lost connection", async () => {
  const { asked, grid, tiles } = setup();
  tiles.want(128, 200, 150 * second);
  await asked[0]!.answer(heatmap(asked[0]!.query, 7));
  tiles.want(128, 200, 170 * second);
  assert.equal(asked.length, 1, "the stream fills it in between");
  tiles.want(128, 200, 193 * second);
  assert.equal(asked.length, 3, "it, and the one that has begun");
  const whole = asked.find(({ query }) => query["columns"] === "64")!;
  await whole.answer(heatmap(whole.query, 9));
  assert.equal(grid.at(130 * second, 990_000)?.bidQuantity, 9);
  tiles.refresh(140);
  tiles.want(128, 192, 193 * second);
  assert.equal(asked.length, 4);
});

test("where trades are too many for a page, volumes stand for them", async () => {
  const trade = {
    sequence: 1,
    time_ns: 130 * second,
    price: 99.01,
    quantity: 1,
    aggressor: "buy",
  };
  const { asked, grid, tiles } = setup(Array(10_000).fill(trade));
  tiles.want(128, 200, 150 * second);
  const map = heatmap(asked[0]!.query, 7);
  const all = map.volume_bought;
  await asked[0]!.answer({
    ...map,
    ask: all.map(() => 99.04),
    volume_bought: all.map(() => 40),
    volume_other: all.map(() => 60),
  });
  assert.deepEqual(grid.at(130 * second, 990_000)?.bought, { quantity: 40, price: 990_400 });
  assert.deepEqual(grid.at(149 * second, 990_000)?.bought, { quantity: 40, price: 990_400 });
  assert.deepEqual(grid.at(149 * second, 990_000)?.crossed, { quantity: 60, price: 990_200 });
});

test("an archive that is behind the stream is asked again, without a complaint", async (t) => {
  const time = new FakeTime();
  t.after(() => time.restore());
  const { asked, failures, tiles } = setup();
  tiles.want(128, 200, 150 * second);
  await asked[0]!.answer({ ...heatmap(asked[0]!.query, 7), column_ns: second / 2 });
  tiles.want(128, 200, 150 * second);
  assert.equal(asked.length, 1, "not at once");
  time.pass(500);
  tiles.want(128, 200, 151 * second);
  assert.equal(asked.length, 2);
  assert.deepEqual(failures, []);
});

test("requests for what nobody looks at any more are ended", () => {
  const { asked, tiles } = setup();
  tiles.want(0, 128, 9_000 * second);
  assert.equal(asked.length, 2);
  tiles.want(6_400, 6_464, 9_000 * second);
  assert.deepEqual(
    asked.slice(0, 2).map((one) => one.aborted()),
    [true, true],
  );
});
