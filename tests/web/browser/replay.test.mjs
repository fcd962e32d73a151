// A recorded day as the market: the page controls it, and shows the session before.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { books, eventually, Exchange, launch, open } from "./exchange.mjs";

// LOBSTER: an order every 0.1 s from 9:30 on for ten minutes, the older ones cancelled again.
function recordedDay(folder) {
  const rows = [];
  const [rest, first] = [40, 34_200];
  const order = (i) => ({
    side: i % 2 ? 1 : -1,
    size: 100 + (i % 7) * 10,
    price: 1_000_000 - (i % 2 ? 1 : -1) * 100 * (1 + (i % 13)),
  });
  for (let i = 1; i <= 6_000; i++) {
    const time = (first + i / 10).toFixed(3);
    const { side, size, price } = order(i);
    rows.push([time, 1, i, size, price, side]);
    const old = i - rest;
    if (old > 0) {
      const gone = order(old);
      // Each tenth is executed instead.
      rows.push([time, old % 10 ? 3 : 4, old, gone.size, gone.price, gone.side]);
    }
  }
  const file = join(folder, "AAPL_2012-06-21_34200000_57600000_message_1.csv");
  writeFileSync(file, rows.map((row) => `${row.join(",")}\n`).join(""));
  return file;
}

let exchange, browser, page, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "damrak-day-"));
  // The messages are the whole day: it has no order book file, and needs none.
  const day = ["--replay", recordedDay(folder), "--trust-messages", "--speed", "10"];
  exchange = await Exchange.start({ market: day });
  browser = await launch();
  ({ page } = await open(browser, exchange));
});
after(async () => {
  await browser?.close();
  await exchange?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const replay = () => exchange.get("/v1/replay");
const control = () => page.getByRole("region", { name: "Replay" });

test("the page shows the day and its speed", async () => {
  assert.ok(await eventually(() => control().isVisible()));
  assert.match(await control().textContent(), /Replay of 2012-06-21/);
  assert.equal(await control().getByLabel("Speed").inputValue(), "10");
  const { own, exchange: truth } = await books(page, exchange);
  assert.deepEqual(own, truth);
});

test("without a login it asks for one", async () => {
  await control().getByRole("button", { name: "Pause" }).click();
  const dialog = page.getByRole("dialog", { name: "Log in" });
  assert.ok(await eventually(() => dialog.isVisible()));
  assert.equal((await replay()).paused, false);
  await page
    .getByLabel("Operator's token")
    .fill(readFileSync(join(exchange.data, "operator-token"), "utf8").trim());
  await page.keyboard.press("Enter");
  assert.ok(await eventually(async () => !(await dialog.isVisible())));
});

test("it pauses, continues and changes the speed, and the clock goes with it", async () => {
  await control().getByRole("button", { name: "Pause" }).click();
  assert.ok(await eventually(async () => (await replay()).paused));
  const clock = () => page.locator(".clock").textContent();
  await eventually(async () => (await control().textContent()).includes("Continue"));
  const stands = await clock();
  await page.waitForTimeout(1_200);
  assert.equal(await clock(), stands);
  await control().getByRole("button", { name: "Continue" }).click();
  assert.ok(await eventually(async () => !(await replay()).paused));
  await control().getByLabel("Speed").selectOption("60");
  assert.ok(await eventually(async () => (await replay()).speed === 60));
  assert.ok(await eventually(async () => (await clock()) !== stands));
});

test("it goes to another time, and the page follows", async () => {
  await control().getByLabel("Go to a time of the day").fill("09:31:30");
  await page.keyboard.press("Enter");
  assert.ok(
    await eventually(() =>
      page.$eval(".status", (one) => one.textContent.startsWith("Reconnecting")),
    ),
  );
  assert.ok(
    await eventually(() => page.$eval(".status", (one) => one.textContent === "Connected")),
  );
  await page.waitForFunction(() => window.damrakPage.market.book.bids.levels.length > 0);
  const { time } = await replay();
  assert.ok(time >= "09:31:30", time);
  const { own, exchange: truth } = await books(page, exchange);
  assert.deepEqual(own, truth);
});

test("the session before is among the days, with its own book and heatmap", async () => {
  const { days } = await exchange.get("/v1/days");
  const earlier = days.find(({ present, source }) => !present && source.startsWith("feed session"));
  const list = page.getByLabel("Day", { exact: true });
  assert.ok(await eventually(() => list.isVisible()));
  await list.selectOption(earlier.day);
  const looks = await eventually(() =>
    page.evaluate(() => {
      const { travel, heatmap } = window.damrakPage;
      const { grid, lastNs } = heatmap.model;
      const last = grid?.columnOf(lastNs) - 1;
      if (!travel.book.bids.levels.length || !grid?.has(last) || heatmap.model.behind)
        return undefined;
      const levels = (side) => side.levels.slice(0, 10).map((one) => [one.price, one.quantity]);
      return {
        at: travel.at,
        day: travel.day,
        bids: levels(travel.book.bids),
        asks: levels(travel.book.asks),
        bid: grid.at(lastNs - grid.shape.columnNs, 0).bid,
      };
    }),
  );
  assert.ok(looks);
  assert.equal(looks.day, earlier.day);
  const { symbol } = (await exchange.get("/v1/instruments")).instruments[0];
  const book = await exchange.get(`/v1/book?symbol=${symbol}&day=${earlier.day}&at=${looks.at}`);
  const levels = (side) =>
    side.map(({ price, quantity }) => [Math.round(price * 10_000), quantity]);
  assert.deepEqual([looks.bids, looks.asks], [levels(book.bids), levels(book.asks)]);
  assert.ok(looks.bid > 900_000);
  // The header shows the day of that moment too.
  assert.ok(await eventually(() => page.locator(".quote").isVisible()));
  await list.selectOption("");
  assert.ok(await eventually(() => page.evaluate(() => window.damrakPage.travel.at === undefined)));
  assert.ok(await eventually(() => page.locator(".quote").isVisible()));
});
