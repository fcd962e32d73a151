import assert from "node:assert/strict";
import { test } from "node:test";
import { DepthBook } from "../../core/book.js";
import { Tape } from "../../core/tape.js";
import { contrasts, stepContrast } from "./contrast.js";
import { shownPrice } from "./shown_price.js";
import { floatsOf } from "../../core/base64.js";
import { BubbleMaker } from "./bubbles.js";
import { HeatGrid, kindOf, ringColumns, tradeKinds, type GridShape } from "./grid.js";
import { LiveColumns } from "./live_columns.js";
import { ticks, timeTicks } from "../../core/ticks.js";
import { palette } from "../../core/palette.js";
import { columnLength, columnLengths, HeatmapView, rowStep } from "./window.js";

const shape: GridShape = { columnNs: 100, low: 1_000, step: 10, rows: 8 };

test("cells of the API are decoded, whatever their number", () => {
  for (const count of [0, 1, 2, 3, 4, 5, 64]) {
    const floats = Float32Array.from({ length: count }, (_, i) => i * 1.25 - 3);
    const base64 = Buffer.from(floats.buffer).toString("base64");
    assert.deepEqual(floatsOf(base64), floats);
  }
});

test("columns are as short as the pixels allow, rows as low", () => {
  for (const span of [1e9, 60e9, 3_600e9, 86_400e9]) {
    const column = columnLength(span, 1_200);
    assert.ok(span / column <= 800);
    const shorter = columnLengths[columnLengths.indexOf(column) - 1];
    assert.ok(shorter === undefined || span / shorter > 800);
  }
  // A second and more: multiples of the units that the archive has for such columns.
  for (const ns of columnLengths.filter((one) => one >= 16e9)) assert.equal(ns % 4e9, 0);
  for (const ns of columnLengths.filter((one) => one >= 64e9)) assert.equal(ns % 16e9, 0);
  assert.equal(rowStep(990_000, 1_010_000, 1_000), 100);
  assert.equal(rowStep(990_000, 1_010_000, 100), 500);
  assert.equal(rowStep(5_000, 5_100, 400), 1);
});

test("time and price keep their pixel while the view is zoomed", () => {
  const view = new HeatmapView();
  Object.assign(view, {
    width: 1_000,
    height: 500,
    endNs: 1_000e9,
    spanNs: 100e9,
    low: 1_000_000,
    high: 1_010_000,
    following: false,
    centring: false,
  });
  const [time, price] = [view.timeAt(300), view.priceAt(100)];
  view.zoomTime(2.5, 300);
  view.zoomPrice(0.3, 100);
  assert.ok(Math.abs(view.xOf(time) - 300) < 1e-6);
  assert.ok(Math.abs(view.yOf(price) - 100) < 1e-6);
  const before = view.timeAt(0);
  view.pan(100, 0);
  assert.ok(Math.abs(view.xOf(before) - 100) < 1e-6);
  view.pan(0, 1e9);
  view.pan(0, -1e9);
  assert.ok(view.low >= 0);
});

test("a view that follows the market keeps its end, and one that is moved follows no more", () => {
  const view = new HeatmapView();
  Object.assign(view, { width: 1_000, endNs: 500e9, spanNs: 100e9 });
  view.zoomTime(2, 10);
  assert.equal(view.endNs, 500e9);
  assert.equal(view.following, true);
  view.pan(-5, 0);
  assert.equal(view.following, false);
});

test("prices of an address stay through the start of its market, and end with another one", () => {
  const at = 37_800e9;
  const sent = { symbol: "AAPL", day: "2026112600", at, span: 60, low: 990_000, high: 1_010_000 };
  const view = new HeatmapView();
  const prices = () => [view.low, view.high, view.centring];
  view.restore(sent);
  assert.deepEqual([view.endNs, view.spanNs, view.following], [at, 60e9, false]);
  for (const symbol of [undefined, "AAPL", "AAPL"]) {
    view.begin(symbol, "2026112600");
    assert.deepEqual(prices(), [990_000, 1_010_000, false]);
  }
  view.begin("MSFT", "2026112600");
  assert.deepEqual(prices(), [0, 0, true]);
  view.restore({ low: 990_000, high: 1_010_000 });
  view.begin("AAPL", undefined);
  assert.deepEqual(prices(), [990_000, 1_010_000, false], "the first instrument that comes");
  view.begin("MSFT", undefined);
  assert.deepEqual(prices(), [0, 0, true]);
  view.restore({ low: 990_000, high: 980_000 });
  assert.deepEqual(prices(), [0, 0, true]);
});

test("prices fit with a margin, and are not fewer than asked for", () => {
  const view = new HeatmapView();
  view.fit(990_000, 1_010_000, 4_000);
  assert.deepEqual([view.low, view.high], [987_000, 1_013_000]);
  view.fit(1_000_000, 1_000_100, 4_000);
  assert.deepEqual([view.low, view.high], [998_050, 1_002_050]);
  const grid = new HeatGrid(shape);
  assert.equal(grid.pricesBetween(0, 1_000), undefined);
  for (const [column, bid, ask] of [
    [3, 900, 1_100],
    [5, 1_000, undefined],
    [6, undefined, 1_020],
  ] as const) {
    grid.begin(column);
    grid.setLines(column, bid, ask);
  }
  grid.addTrade(6, "crossed", 1_044, 10);
  assert.deepEqual(grid.pricesBetween(401, 699), { low: 1_000, high: 1_044 });
  assert.deepEqual(grid.pricesBetween(300, 599), { low: 900, high: 1_100 });
});

test("an empty book is shown around the last trade, or the day's prices at that time", () => {
  const source = () => ({ book: new DepthBook(), tape: new Tape() });
  const [past, present] = [source(), source()];
  const candle = { open: 1, high: 9, low: 1, volume: 1, trades: 1, turnover: 1 };
  const candles = [
    { ...candle, time_ns: 60e9, close: 7 },
    { ...candle, time_ns: 120e9, close: 8 },
  ];
  assert.equal(shownPrice([past, present], [], 0), undefined);
  assert.equal(shownPrice([past, present], candles, 119e9), 70_000);
  assert.equal(shownPrice([past, present], candles, 500e9), 80_000);
  assert.equal(shownPrice([past, present], candles, 1e9), 70_000);
  present.tape.add([{ sequence: 1, timeNs: 1, price: 65_000, quantity: 1, aggressor: 0 }]);
  assert.equal(shownPrice([past, present], candles, 500e9), 65_000);
  present.book.set("bid", { price: 60_000, quantity: 1, orders: 1 });
  assert.equal(shownPrice([past, present], candles, 500e9), 60_000);
  past.book.set("ask", { price: 50_000, quantity: 1, orders: 1 });
  assert.equal(shownPrice([past, present], candles, 500e9), 50_000);
});

test("contrast goes through its steps, and no further", () => {
  assert.equal(stepContrast(1, 1), 2);
  assert.equal(stepContrast(1, -1), 0.5);
  assert.equal(stepContrast(contrasts[0], -1), contrasts[0]);
  assert.equal(stepContrast(8, 1), 8);
});

test("a cross is a bubble of its own", () => {
  Object.assign(globalThis, { window: { devicePixelRatio: 1 } });
  const grid = new HeatGrid(shape);
  grid.begin(5);
  for (const [aggressor, price, quantity] of [
    [1, 1_020, 10],
    [-1, 1_010, 10],
    [0, 1_015, 40],
  ] as const)
    grid.addTrade(5, kindOf(aggressor), price, quantity);
  const view = new HeatmapView();
  Object.assign(view, { width: 1_000, height: 80, endNs: 1_000, spanNs: 1_000 });
  Object.assign(view, { low: 1_000, high: 1_080 });
  const { values, count } = new BubbleMaker().make(view, grid);
  const bubbles = Array.from({ length: count }, (_, i) => [...values.subarray(i * 4, i * 4 + 4)]);
  assert.deepEqual(
    bubbles.map(([x, y, , kind]) => [x, y, tradeKinds[kind!]]),
    [
      [550, 70, "sold"],
      [550, 60, "bought"],
      [550, 65, "crossed"],
    ],
  );
  assert.ok(Math.abs(bubbles[2]![2]! - 2 * bubbles[0]![2]!) < 1e-5, "four times the area");
});

test("labels stand at round numbers, no more than asked for", () => {
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(999_750, 1_000_150, 4, 100), [999_800, 999_900, 1_000_000, 1_000_100]);
  const { step, at } = timeTicks(95e9, 400e9, 6);
  assert.equal(step, 60e9);
  assert.deepEqual(at, [120e9, 180e9, 240e9, 300e9, 360e9]);
});

test("a column that comes round the ring takes the place of the one before", () => {
  const grid = new HeatGrid(shape);
  grid.begin(5)[0] = 7;
  grid.setLines(5, 1_010, 1_020);
  grid.addTrade(5, "bought", 1_020, 30);
  grid.addTrade(5, "bought", 1_030, 10);
  assert.deepEqual(grid.at(512, 1_003), {
    bidQuantity: 7,
    askQuantity: 0,
    bid: 1_010,
    ask: 1_020,
    bought: { quantity: 40, price: 1_022.5 },
    sold: { quantity: 0, price: 0 },
    crossed: { quantity: 0, price: 0 },
  });
  grid.begin(5 + ringColumns);
  assert.equal(grid.has(5), false);
  assert.equal(grid.at(512, 1_003), undefined);
  const later = grid.at((5 + ringColumns) * 100, 1_003);
  assert.equal(later?.bidQuantity, 0);
  assert.equal(later?.bought.quantity, 0);
  assert.notEqual(HeatGrid.round(5), HeatGrid.round(5 + ringColumns));
});

test("only columns that changed are dirty", () => {
  const grid = new HeatGrid(shape);
  for (const column of [7, 8, 8, 9, 3, 7]) grid.begin(column);
  assert.deepEqual(grid.dirty, [
    [7, 10],
    [3, 4],
    [7, 8],
  ]);
});

test("a live column has the mean of the quantity over its time", () => {
  const grid = new HeatGrid(shape);
  const live = new LiveColumns(grid);
  const book = new DepthBook();
  const change = (side: "bid" | "ask", price: number, quantity: number) =>
    book.set(side, { price, quantity, orders: 1 }, (...[on, at, before, after]) =>
      live.change(on, at, after - before),
    );
  change("bid", 1_012, 40);
  live.begin(book, 1_000);
  live.advance(1_025, 1_012, undefined);
  change("bid", 1_012, 100);
  change("ask", 1_035, 8);
  live.advance(1_050, 1_012, 1_035);
  change("bid", 1_018, 10);
  live.advance(1_300, 1_018, 1_035);
  change("bid", 1_018, 0);
  change("bid", 5_000, 3);
  const row = (column: number, price: number) => grid.at(column * 100 + 1, price);
  assert.equal(row(10, 1_012)?.bidQuantity, 40 * 0.25 + 100 * 0.25 + 110 * 0.5);
  assert.equal(row(10, 1_035)?.askQuantity, 8 * 0.75);
  assert.equal(row(11, 1_012)?.bidQuantity, 110);
  assert.equal(row(12, 1_012)?.bidQuantity, 110);
  assert.equal(row(12, 1_012)?.bid, 1_018);
  assert.equal(grid.has(13), false);
  live.show(1_012, 1_035);
  assert.equal(row(13, 1_012)?.bidQuantity, 100, "the column under way shows what is there now");
});

test("after a long pause, live columns cost no more than a screen of them", () => {
  const grid = new HeatGrid(shape);
  const live = new LiveColumns(grid);
  const book = new DepthBook();
  book.set("ask", { price: 1_000, quantity: 5, orders: 1 });
  live.begin(book, 0);
  live.advance(1e9, undefined, 1_000);
  const last = 1e9 / shape.columnNs - 1;
  assert.equal(grid.at(last * 100, 1_000)?.askQuantity, 5);
  assert.equal(grid.has(last - 1_400), true);
  assert.equal(grid.has(last - 1_600), false);
});

test("colours are scaled by what most cells have", () => {
  const grid = new HeatGrid(shape);
  grid.weigh(new Float32Array(990).fill(127));
  grid.weigh(new Float32Array(10).fill(1_000_000));
  assert.ok(Math.abs(grid.scale(0.5) - 7) <= 0.25);
  assert.ok(grid.scale(0.999) > 19);
});

test("lightness of the colours grows or falls without a turn", () => {
  for (const theme of ["dark", "light"] as const) {
    const bytes = palette(theme);
    const luminance = Array.from(
      { length: 256 },
      (_, i) =>
        0.2126 * bytes[i * 4]! ** 2.2 +
        0.7152 * bytes[i * 4 + 1]! ** 2.2 +
        0.0722 * bytes[i * 4 + 2]! ** 2.2,
    );
    const direction = theme === "dark" ? 1 : -1;
    for (let i = 4; i < 256; i += 4)
      assert.ok(direction * (luminance[i]! - luminance[i - 4]!) > 0, `${theme} ${i}`);
  }
});
