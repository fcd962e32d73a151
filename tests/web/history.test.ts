// What the page asks the archive for about the time before a moment.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bestPricesBefore,
  dayBefore,
  middlesOf,
  tradesBefore,
} from "../../web/src/core/history.js";
import { Travel } from "../../web/src/core/travel.js";
import { FakeTime } from "./support.js";

const where = { symbol: "AAPL", day: "2026112600" };
const hour = 3_600e9;

type Query = Record<string, string>;

/** Answers each request by its path; returns what was asked. */
function archive(answers: Record<string, (query: Query) => object>): Query[] {
  const asked: Query[] = [];
  globalThis.fetch = async (input) => {
    const url = new URL(String(input), "http://localhost");
    const query = Object.fromEntries(url.searchParams);
    asked.push(query);
    return Response.json(answers[url.pathname]!(query));
  };
  return asked;
}

/** A trade each `everyNs`; pages begin with the oldest. */
const tradesEvery = (everyNs: number) => (query: Query) => {
  const [from, until, limit] = ["from", "until", "limit"].map((name) => Number(query[name]));
  const trades = [];
  const first = Math.ceil(from! / everyNs) * everyNs;
  for (let ns = first; ns <= until! && trades.length < limit!; ns += everyNs)
    trades.push({ sequence: ns, time_ns: ns, price: 1, quantity: 1 });
  return { trades };
};

test("on a busy market the trades before a moment are the newest ones, without a hole", async () => {
  const asked = archive({ "/v1/trades": tradesEvery(1e6) });
  const { trades, sinceNs } = await tradesBefore(where, hour, 200);
  assert.equal(trades.at(-1)!.timeNs, hour);
  assert.equal(trades[0]!.timeNs, sinceNs);
  assert.ok(trades.length >= 200 && trades.length < 10_000);
  assert.equal(asked.length, 2);
  assert.equal(asked[0]!["day"], "2026112600");
});

test("on a quiet market it looks back as far as it needs, at most to midnight", async () => {
  archive({ "/v1/trades": tradesEvery(60e9) });
  assert.equal((await tradesBefore(where, 10 * hour, 200)).trades.length, 601);
  const few = await tradesBefore(where, hour, 200);
  assert.deepEqual([few.trades.length, few.sinceNs], [61, 0]);
});

test("trades of one moment that no page holds are not taken for all", async () => {
  archive({
    "/v1/trades": () => ({
      trades: Array(10_000).fill({ sequence: 1, time_ns: hour, price: 1, quantity: 1 }),
    }),
  });
  assert.equal((await tradesBefore(where, hour, 200)).sinceNs, Infinity);
});

test("middle prices are those of seconds with two sides that do not cross", async () => {
  const asked = archive({
    "/v1/heatmap": () => ({
      from_ns: hour - 4e9,
      column_ns: 1e9,
      bid: [99.98, null, 100.02, 99.96, 50],
      ask: [100.0, 100.0, 100.0, 100.0, 51],
    }),
  });
  const prices = await bestPricesBefore(where, hour);
  assert.equal(prices.length, 4, "the column that is not over is left out");
  assert.deepEqual(middlesOf(prices), [
    { timeNs: hour - 3e9, middle: 999_900 },
    { timeNs: hour, middle: 999_800 },
  ]);
  assert.equal(Number(asked[0]!["from"]), hour - 300e9);
});

test("a book that is not known has no prices, and that is no failure", async () => {
  const answer = (code: string) => {
    globalThis.fetch = async () =>
      Response.json({ error: { code, message: "why" } }, { status: 404 });
  };
  answer("book_not_known");
  assert.deepEqual(await bestPricesBefore(where, hour), []);
  answer("unknown_day");
  await assert.rejects(bestPricesBefore(where, hour), /why/);
});

test("the day so far is that of its trades up to the moment", async () => {
  const candle = { open: 1, high: 3, low: 1, close: 2, volume: 10, trades: 2, turnover: 17 };
  const asked = archive({ "/v1/candles": () => ({ candles: [{ time_ns: 0, ...candle }] }) });
  const { close, ...rest } = candle;
  assert.deepEqual(await dayBefore(where, hour), { ...rest, last: close });
  assert.deepEqual([asked[0]!["until"], asked[0]!["interval"]], [String(hour), "86400"]);
  archive({ "/v1/candles": () => ({ candles: [] }) });
  assert.equal((await dayBefore(where, hour)).last, null);
});

test("a past moment has book, trades, prices and the day so far; a present one forgets", async (t) => {
  const time = new FakeTime();
  t.after(() => time.restore());
  const candle = { time_ns: 0, open: 1, high: 3, low: 1, close: 2, volume: 10, trades: 2 };
  const bids = [{ price: 1, quantity: 2, orders: 1 }];
  archive({
    "/v1/book": () => ({ time_ns: 5, sequence: 7, bids, asks: [] }),
    "/v1/trades": () => ({
      trades: [
        { sequence: 3, time_ns: hour - 2, price: 1, quantity: 5, printable: false },
        { sequence: 4, time_ns: hour - 1, price: 1, quantity: 6, broken: true },
        { sequence: 5, time_ns: hour, price: 1, quantity: 7, aggressor: "buy" },
      ],
    }),
    "/v1/heatmap": () => ({ from_ns: 0, column_ns: 1e9, bid: [1], ask: [2] }),
    "/v1/candles": () => ({ candles: [{ ...candle, turnover: 17 }] }),
  });
  const travel = new Travel();
  travel.goTo(hour, "AAPL");
  const arrived = new Promise<void>((done) => travel.onChange.subscribe(done));
  time.pass(200);
  await arrived;
  assert.equal(travel.book.sequence, 7);
  assert.equal(travel.soFar?.turnover, 17);
  assert.equal(travel.prices.length, 1);
  assert.deepEqual(
    travel.tape.counted.map(({ sequence }) => sequence),
    [5],
    "what was broken or does not print counts in no candle",
  );
  travel.forget();
  assert.deepEqual([travel.soFar, travel.prices, travel.tapeSinceNs], [undefined, [], Infinity]);
});
