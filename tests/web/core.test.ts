import assert from "node:assert/strict";
import { test } from "node:test";
import { auctionText, auctionUnits, haltText } from "../../web/src/core/auction.js";
import { CandleSeries, candleOfApi, candleOfRow, candleOfTrades } from "../../web/src/core/candles.js";
import { commonStep, formatPrice, formatShort, toUnits } from "../../web/src/core/prices.js";
import { Tape } from "../../web/src/core/tape.js";
import { formatDuration, formatTime, MarketClock, parseTime } from "../../web/src/core/time.js";
import { readState, writeState } from "../../web/src/core/url_state.js";

test("prices are exact in units", () => {
  assert.equal(toUnits(99.98), 999_800);
  assert.equal(toUnits(0.0001), 1);
  assert.equal(toUnits(1.1) + toUnits(2.2), toUnits(3.3));
  assert.equal(formatPrice(999_800), "99.98");
  assert.equal(formatPrice(999_850), "99.9850");
  assert.equal(formatPrice(999_800, 50), "99.9800");
  assert.equal(formatShort(950), "950");
  assert.equal(formatShort(12_345), "12.3k");
  assert.equal(formatShort(-4_560_000), "-4.56M");
});

test("the step between prices divides all their differences", () => {
  assert.equal(commonStep([1_000_000, 1_000_400, 1_001_000], 100), 200);
  assert.equal(commonStep([1_000_000], 100), 100);
  assert.equal(commonStep([], 1), 1);
});

test("times read as they are written", () => {
  assert.equal(formatTime(37_865_123_456_789), "10:31:05");
  assert.equal(formatTime(37_865_123_456_789, 3), "10:31:05.123");
  assert.equal(formatTime(5, 9), "00:00:00.000000005");
  assert.equal(parseTime("10:31:05.123456789"), 37_865_123_456_789);
  assert.equal(parseTime("10:31"), 37_860_000_000_000);
  assert.equal(parseTime("9:30:00.5"), 34_200_500_000_000);
  for (const wrong of ["", "10", "24:00", "10:60", "10:31:5", "10:31:05.", "x10:31"])
    assert.equal(parseTime(wrong), undefined, wrong);
  assert.equal(formatDuration(850), "850 ns");
  assert.equal(formatDuration(12_345), "12.3 µs");
  assert.equal(formatDuration(1.2e9), "1.20 s");
});

test("the clock of the market goes on between messages, at the speed of the market", () => {
  const clock = new MarketClock();
  assert.equal(clock.now(1_000), 0);
  clock.tell(5e9, 1_000);
  assert.equal(clock.now(1_250), 5.25e9);
  clock.speed = 60;
  assert.equal(clock.now(1_500), 35e9);
  clock.speed = 0;
  assert.equal(clock.now(9_999), 5e9);
  clock.tell(4e9, 2_000);
  assert.equal(clock.lastNs, 5e9, "it never goes back");
  clock.reset();
  assert.equal(clock.now(3_000), 0);
});

test("a view survives its way through the address", () => {
  const state = {
    symbol: "AAPL",
    day: "2026112600",
    panel: "chart",
    at: 37_865_500_000_000,
    span: 300,
    low: 990_000,
    high: 1_010_000,
    candle: 60,
    theme: "light",
    side: "buy",
    least: 100,
  } as const;
  assert.deepEqual(readState(`#${writeState(state)}`), state);
  assert.equal(writeState({ symbol: "A&B", at: 37_865_000_000_000 }), "symbol=A%26B&at=10:31:05");
  assert.deepEqual(readState(""), {});
  assert.deepEqual(readState("#panel=nothing&at=25:00&span=-1&low=x&theme=red&side=all&z=1"), {});
});

test("the address may name two days", () => {
  const state = readState("#day=one&beside=two&step=1&panel=participants");
  assert.deepEqual(state, { day: "one", beside: "two", step: 1, panel: "participants" });
  assert.deepEqual(readState(writeState(state)), state);
});

test("candles stay in order, and VWAP weighs each price with its volume", () => {
  const series = new CandleSeries();
  series.put(candleOfRow([120e9, 10, 12, 9, 11, 100, 3, 1_050]));
  series.put(candleOfRow([0, 8, 8, 8, 8, 300, 1, 2_400]));
  series.put(candleOfRow([60e9, 9, 9, 9, 9, 0, 0, 0]));
  series.put(candleOfRow([120e9, 10, 12, 9, 10, 200, 4, 2_050]));
  assert.deepEqual(
    series.candles.map((candle) => candle.beginNs),
    [0, 60e9, 120e9],
  );
  assert.equal(series.candles[2]!.close, 100_000);
  assert.deepEqual(series.vwap(), [80_000, 80_000, toUnits((2_400 + 2_050) / 500)]);
  const told = { time_ns: 0, open: 1, high: 3, low: 1, close: 2, volume: 10, trades: 2 };
  assert.equal(candleOfApi({ ...told, turnover: 17 }).turnover, 17);
});

test("a candle of a past moment knows no later trade", () => {
  const series = new CandleSeries();
  series.put(candleOfRow([0, 8, 8, 8, 8, 300, 1, 2_400]));
  series.put(candleOfRow([60e9, 9, 15, 2, 11, 100, 5, 950]));
  series.put(candleOfRow([120e9, 10, 12, 9, 10, 200, 4, 2_050]));
  const trade = (timeNs: number, price: number, quantity: number) =>
    ({ sequence: timeNs, timeNs, price: toUnits(price), quantity, aggressor: 1 }) as const;
  const trades = [trade(30e9, 8, 300), trade(61e9, 9, 10), trade(70e9, 9.5, 30), trade(71e9, 2, 5)];
  const seen = series.before({ atNs: 70e9, trades, sinceNs: 60e9 }, 60);
  assert.deepEqual(seen.candles, [
    series.candles[0],
    {
      beginNs: 60e9,
      open: toUnits(9),
      high: toUnits(9.5),
      low: toUnits(9),
      close: toUnits(9.5),
      volume: 40,
      trades: 2,
      turnover: 9 * 10 + 9.5 * 30,
    },
  ]);
  const beginsOf = (atNs: number, sinceNs: number) =>
    series.before({ atNs, trades, sinceNs }, 60).candles.map(({ beginNs }) => beginNs);
  assert.deepEqual(beginsOf(70e9, 60e9 + 1), [0], "not all of its trades are known");
  assert.deepEqual(beginsOf(60e9, 0), [0], "it has no trade yet");
  assert.deepEqual(beginsOf(500e9, 500e9), [0, 60e9, 120e9]);
  assert.equal(candleOfTrades(0, []), undefined);
});

test("the words for an auction name price, quantity and what is left over", () => {
  const auction = { type: "opening", price: 100.01, quantity: 1_500, imbalance: 200 } as const;
  assert.equal(
    auctionText({ ...auction, side: "buy" }),
    "Opening auction: 1,500 at 100.01, 200 more to buy",
  );
  assert.equal(auctionText({ ...auction, side: null }), "Opening auction: 1,500 at 100.01");
  assert.equal(
    auctionText({ ...auction, type: "intraday", price: null, side: null }),
    "Auction: no price yet",
  );
  assert.equal(auctionUnits({ ...auction, side: null }), 1_000_100);
  assert.equal(auctionUnits(undefined), undefined);
});

test("a halt says why, and within which prices it may end; without a cause it is closed", () => {
  const none = { cause: undefined, collar: undefined, auction: undefined };
  assert.equal(haltText({ ...none, state: "halted" }), "Closed");
  assert.equal(
    haltText({ ...none, state: "halted", cause: "market_wide_3" }),
    "Halted · market-wide breaker, level 3",
  );
  assert.equal(
    haltText({ ...none, state: "call", cause: "volatility", collar: [95, 100.5] }),
    "Orders are collected · price at its limit · from 95.00 to 100.50",
  );
});

test("a trade that was busted or corrected stays on the tape, marked", () => {
  const trade = (sequence: number, quantity: number) =>
    ({ sequence, timeNs: sequence, price: 1, quantity, aggressor: 1 }) as const;
  const tape = new Tape(8);
  tape.add([trade(5, 10), trade(6, 20)]);
  tape.add([trade(5, 0), trade(7, 0), trade(4, 0)]);
  const shown = tape.latest(9, { side: "all", least: 0 });
  assert.deepEqual(
    shown.map((one) => [one.sequence, one.quantity, one.broken ?? false]),
    [
      [7, 0, true],
      [6, 20, false],
      [5, 10, true],
    ],
  );
});

test("the tape has each trade once, and forgets the oldest", () => {
  const trade = (sequence: number, quantity: number, aggressor: 1 | -1 | 0) => ({
    sequence,
    timeNs: sequence,
    price: 1,
    quantity,
    aggressor,
  });
  const tape = new Tape(8);
  tape.add([trade(5, 10, 1), trade(6, 20, -1)]);
  tape.add([trade(6, 20, -1), trade(7, 30, 0)]);
  tape.addEarlier([trade(4, 5, 1), trade(5, 10, 1)]);
  const all = { side: "all", least: 0 } as const;
  assert.deepEqual(
    tape.latest(9, all).map((one) => one.sequence),
    [7, 6, 5, 4],
  );
  assert.deepEqual(
    tape.latest(1, all).map((one) => one.sequence),
    [7],
  );
  assert.deepEqual(
    tape.latest(9, { side: "buy", least: 6 }).map((one) => one.sequence),
    [5],
  );
  assert.deepEqual(
    tape.latest(9, { side: "sell", least: 0 }).map((one) => one.sequence),
    [6],
  );
  tape.add(Array.from({ length: 20 }, (_, i) => trade(10 + i, 1, 1)));
  assert.deepEqual(
    tape.trades.map((one) => one.sequence),
    [22, 23, 24, 25, 26, 27, 28, 29],
  );
});
