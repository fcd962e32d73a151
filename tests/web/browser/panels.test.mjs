// Each panel against the truth of the HTTP API.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { books, eventually, Exchange, ladder, launch, open } from "./exchange.mjs";

let exchange, browser, page, problems;
before(async () => {
  exchange = await Exchange.start();
  browser = await launch();
  ({ page, problems } = await open(browser, exchange, { fragment: "#symbol=MSFT&candle=1" }));
  await page.waitForTimeout(5_000);
});
after(async () => {
  await browser?.close();
  await exchange?.stop();
});

const levelsIn = (book, low, high) => {
  const found = {};
  for (const [index, side] of [book.bids, book.asks].entries())
    for (const { price, quantity } of side) {
      const units = Math.round(price * 10_000);
      if (units < low || units > high) continue;
      (found[units] ??= [0, 0])[index] = quantity;
    }
  return found;
};

test("the book is that of the exchange after the same message, again and again", async () => {
  for (let i = 0; i < 10; i++) {
    const { own, exchange: truth } = await books(page, exchange);
    assert.equal(own.symbol, "MSFT");
    assert.ok(own.bids.length > 5);
    assert.deepEqual(own, truth);
    await page.waitForTimeout(300);
  }
});

test("the ladder shows the book of the moment that was clicked", async () => {
  await page.getByLabel("Heatmap of displayed").click({ position: { x: 860, y: 200 } });
  await page.waitForFunction(() =>
    /^Book at/.test(document.querySelector(".ladder [role=status]").textContent),
  );
  const at = await page.evaluate(() => window.damrakPage.travel.at);
  const book = await exchange.get(`/v1/book?symbol=MSFT&at=${at}&depth=500`);
  const equal = await eventually(async () => {
    const shown = await ladder(page);
    const prices = await page.$$eval(".ladder-row .price", (all) =>
      all.map((one) => Math.round(Number(one.textContent) * 10_000)),
    );
    const expected = levelsIn(book, Math.min(...prices), Math.max(...prices));
    return Object.keys(shown).length > 5 && JSON.stringify(shown) === JSON.stringify(expected);
  });
  assert.ok(equal);
});

test("the tape shows the trades of that moment, then those of the present", async () => {
  const at = await page.evaluate(() => window.damrakPage.travel.at);
  const shown = () =>
    page.$$eval(".tape-row", (all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent)).filter(([time]) => time),
    );
  const expected = async (until) => {
    const { trades } = await exchange.get(`/v1/trades?symbol=MSFT&until=${until}&limit=10000`);
    return trades
      .reverse()
      .map((trade) => [
        trade.time.slice(0, 12),
        trade.price.toFixed(2),
        trade.quantity,
        trade.aggressor ?? "",
      ]);
  };
  const rows = async () =>
    (await shown()).map(([time, price, quantity, side]) => [
      time,
      price.split(" ")[1],
      Number(quantity.replaceAll(",", "")),
      side,
    ]);
  const then = await expected(at);
  assert.ok(
    await eventually(async () => {
      const drawn = await rows();
      return (
        JSON.stringify(drawn) === JSON.stringify(then.slice(0, drawn.length)) &&
        drawn.length >= Math.min(10, then.length)
      );
    }),
    JSON.stringify([await rows(), then.slice(0, 3)]),
  );
  await page.keyboard.press("l");
  assert.ok(
    await eventually(async () => {
      const drawn = await rows();
      const now = await expected("23:59:59");
      return (
        drawn.length > then.length &&
        JSON.stringify(drawn) === JSON.stringify(now.slice(0, drawn.length))
      );
    }),
  );
});

test("columns of the past in the heatmap are those of the API", async () => {
  const [{ first_time_ns: begin }] = (await exchange.get("/v1/days")).days;
  const column = await eventually(
    () =>
      page.evaluate((begin) => {
        const { grid, layer } = window.damrakPage.heatmap.model;
        // The last column that has been read from the archive.
        const column = layer.tiles.exactUntil - 1;
        if (!grid.has(column) || column * grid.shape.columnNs < begin + 5e9) return undefined;
        const slot = column % 2048;
        const { rows, columnNs } = grid.shape;
        return {
          ...grid.shape,
          column,
          from: column * columnNs,
          cells: [...grid.cells.subarray(slot * rows * 2, (slot + 1) * rows * 2)],
          bid: grid.at(column * columnNs, grid.shape.low).bid,
          bought: grid.trades.bought[slot].quantity,
          sold: grid.trades.sold[slot].quantity,
        };
      }, begin),
  );
  const price = (units) => (units / 10_000).toFixed(4);
  const map = await exchange.get(
    `/v1/heatmap?symbol=MSFT&from=${column.from}` +
      `&until=${column.from + column.columnNs - 1}&columns=1&rows=${column.rows}` +
      `&low=${price(column.low)}&high=${price(column.low + column.rows * column.step)}`,
  );
  const floats = (text) => new Float32Array(Uint8Array.from(Buffer.from(text, "base64")).buffer);
  const [bids, asks] = [floats(map.bids), floats(map.asks)];
  assert.deepEqual(
    column.cells,
    [...bids].flatMap((bid, row) => [bid, asks[row]]),
  );
  assert.ok(column.cells.some((cell) => cell > 0));
  assert.equal(column.bid, Math.round(map.bid[0] * 10_000));
  assert.deepEqual([column.bought, column.sold], [map.volume_bought[0], map.volume_sold[0]]);
});

test("the chart has the candles of the API", async () => {
  const { candles } = await exchange.get("/v1/candles?symbol=MSFT&interval=1");
  const shown = await page.evaluate(() => window.damrakPage.market.candles.candles);
  const rows = (all, units) =>
    all
      .slice(0, candles.length - 1)
      .map((one) => [
        one.beginNs ?? one.time_ns,
        ...["open", "high", "low", "close"].map((name) => Math.round(one[name] * units)),
        one.volume,
        one.trades,
      ]);
  assert.ok(candles.length > 1);
  assert.deepEqual(rows(shown, 1), rows(candles, 10_000));
});

test("measures and statistics are those of the book and the day", async () => {
  const told = await page.evaluate(() => window.damrakPage.market.statistics);
  const { trades } = await exchange.get("/v1/trades?symbol=MSFT&limit=10000");
  const until = trades.filter((trade) => trade.sequence <= told.sequence);
  const sum = (value) => until.reduce((total, trade) => total + value(trade), 0);
  assert.equal(told.trades, until.length);
  assert.equal(
    told.volume,
    sum((trade) => trade.quantity),
  );
  assert.ok(Math.abs(told.turnover - sum((trade) => trade.quantity * trade.price)) < 0.01);
  const spread = await page.$eval(".measure dd", (value) => value.textContent);
  assert.match(spread, /^\d+\.\d\d · \d+\.\d bp$/);
});

test("operations has what /metrics has", async () => {
  const shown = () =>
    page.$$eval(".facts div", (all) =>
      Object.fromEntries(
        all.map((one) => [one.children[0].textContent, one.children[1].textContent]),
      ),
    );
  assert.ok(
    await eventually(async () => {
      const metrics = await (await fetch(`${exchange.url}/metrics`)).text();
      const connections = /^damrak_connections(?:\{[^}]*\})? (\d+)$/m.exec(metrics)?.[1];
      return connections !== undefined && (await shown())["Connections"] === connections;
    }),
    JSON.stringify(await shown()),
  );
  assert.equal((await shown())["Viewers"], "1");
});

test("what is seen can be saved: PNG, SVG and CSV", async () => {
  const save = async (label) => {
    await page.keyboard.press("e");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: label }).click(),
    ]);
    return readFile(await download.path());
  };
  for (const name of ["Heatmap as PNG", "Chart as PNG"]) {
    const png = await save(name);
    assert.equal(png.toString("latin1", 1, 4), "PNG");
    assert.ok(png.length > 5_000, `${name}: ${png.length} bytes`);
  }
  const svg = (await save("Chart as SVG")).toString();
  const error = await page.evaluate(
    (text) =>
      new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")
        ?.textContent,
    svg,
  );
  assert.equal(error, undefined);
  assert.ok(svg.includes("<polyline"));
  const lines = (text) => text.toString().trim().split("\n");
  assert.equal(lines(await save("Ladder as CSV"))[0], "side,price,quantity,orders");
  const tape = lines(await save("Tape as CSV"));
  const { trades } = await exchange.get("/v1/trades?symbol=MSFT&limit=10000");
  const first = trades.find((trade) => tape.at(-1).startsWith(`${trade.sequence},`));
  assert.equal(
    tape.at(-1),
    [
      first.sequence,
      first.time,
      first.price.toFixed(4),
      first.quantity,
      first.aggressor ?? "",
    ].join(","),
  );
  assert.ok(lines(await save("Candles as CSV")).length > 1);
});

test("a view comes back from its address", async () => {
  await page.getByLabel("Which trades").selectOption({ label: "▲ Buys" });
  await page.getByLabel("Heatmap of displayed").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("-");
  await page.waitForTimeout(400);
  const state = (of) =>
    of.evaluate(() => {
      const { view } = window.damrakPage.heatmap;
      return {
        symbol: window.damrakPage.market.symbol,
        end: Math.round(view.endNs),
        span: Math.round(view.spanNs / 1e9),
        following: view.following,
        side: document.querySelector("[aria-label='Which trades']").value,
      };
    });
  const { page: second, problems: others } = await open(browser, exchange, {
    fragment: new URL(page.url()).hash,
  });
  assert.deepEqual(await state(second), await state(page));
  assert.equal((await state(second)).following, false);
  assert.deepEqual(others, []);
  await second.context().close();
});

test("nothing went wrong in the page, and it asked nobody else", () => {
  assert.deepEqual(problems, []);
});

test("frames are measured", async (t) => {
  const times = await page.evaluate(() => [...window.damrakPage.frameTimes].sort((a, b) => a - b));
  const at = (part) => times[Math.floor(part * (times.length - 1))].toFixed(1);
  t.diagnostic(`${times.length} frames, ms: median ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}`);
  assert.ok(times.length > 0);
});
