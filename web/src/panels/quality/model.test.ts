import assert from "node:assert/strict";
import { test } from "node:test";
import { DepthBook } from "../../core/book.js";
import { Volatility } from "../../core/measures.js";
import type { Point } from "../../ui/plot/model.js";
import { chartsOf, compared, horizonOf, linesOf } from "./charts.js";
import {
  countTexts,
  depthText,
  imbalanceText,
  spreadText,
  tradedTexts,
  volatilityText,
} from "./model.js";

test("measures of a book: nothing of an empty one, no spread of a crossed one", () => {
  const book = new DepthBook();
  const texts = () => [spreadText(book), depthText(book), imbalanceText(book)];
  assert.deepEqual(texts(), ["–", "0 / 0", "+0.00"]);
  book.set("bid", { price: 999_900, quantity: 1_000, orders: 1 });
  book.set("ask", { price: 1_000_100, quantity: 3_000, orders: 1 });
  assert.deepEqual(texts(), ["0.02 · 2.0 bp", "1,000 / 3,000", "−0.50"]);
  book.set("bid", { price: 1_000_500, quantity: 1_000, orders: 1 });
  assert.equal(spreadText(book), "–", "while orders are collected");
});

test("volatility begins with what was before the page, and tells a shorter time", () => {
  const volatility = new Volatility();
  assert.equal(volatilityText(volatility), "–");
  const sample = (s: number) => ({ timeNs: s * 1e9, middle: s % 2 ? 100 * Math.exp(1e-4) : 100 });
  volatility.add(sample(1_000));
  volatility.add(sample(1_001));
  assert.equal(volatilityText(volatility), "7.7 bp/√min · 1 s");
  volatility.addEarlier(Array.from({ length: 900 }, (_, i) => sample(101 + i)));
  assert.equal(volatility.lengthNs, 300e9, "no more than five minutes");
  assert.ok(Math.abs(volatility.value! - Math.sqrt(60)) < 1e-6);
  assert.equal(volatilityText(volatility), "7.7 bp/√min");
});

test("of a past moment the trades are known, not the orders", () => {
  assert.deepEqual(countTexts(undefined), { ratio: "–", cancels: "–" });
  const counts = { orders: 200, trades: 8, cancels: 150 };
  assert.deepEqual(countTexts(counts), { ratio: "25.0", cancels: "75 %" });
  assert.deepEqual(tradedTexts({ volume: 100, turnover: 10_001 }), {
    vwap: "100.01",
    turnover: "10.0k",
  });
  for (const none of [undefined, { volume: 0, turnover: 0 }])
    assert.deepEqual(tradedTexts(none), { vwap: "–", turnover: "–" });
});

test("charts: lines for each measure of one market, or for each of two markets", () => {
  const charts = chartsOf("bp", 60);
  const [spreads] = charts;
  assert.deepEqual(
    spreads!.measures.map(({ measure }) => measure),
    ["quoted_spread_bp", "effective_spread_bp", "realised_spread_10s_bp"],
  );
  assert.deepEqual([5, 15, 50, 60, 300].map(horizonOf), [1, 1, 10, 10, 60]);
  const market = (name: string, value: number) => ({
    name,
    points: (_: string, scale: number): Point[] => [[0, value * scale]],
  });
  const one = linesOf(spreads!, [market("AAPL", 1)]);
  assert.deepEqual(
    one.map(({ name }) => name),
    ["quoted", "effective", "realised, 10 s"],
  );
  assert.equal(new Set(one.map(({ colour }) => colour)).size, 3);
  const alone = compared(charts);
  assert.equal(alone[1]!.title, "Spread: effective");
  const two = linesOf(alone[0]!, [market("AAPL", 1), market("MSFT", 2)]);
  assert.deepEqual(
    two.map(({ name, colour }) => [name, colour]),
    [
      ["AAPL", "line-bid"],
      ["MSFT", "line-ask"],
    ],
  );
  const resilience = charts.find(({ title }) => title === "Resilience")!;
  assert.deepEqual(linesOf(resilience, [market("AAPL", 0.5)])[0]!.points, [[0, 50]], "in percent");
});
