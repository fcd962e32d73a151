// A call auction as the page shows it, while it is collected for and when it ends.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { eventually, Exchange, ladderRow, launch, logIn, open } from "./exchange.mjs";

const pictures = process.env.DAMRAK_SCREENSHOTS;
const folder = mkdtempSync(join(tmpdir(), "damrak-auction-"));
const config = join(folder, "exchange.toml");
const setPhase = (phase) =>
  writeFileSync(config, `[[instruments]]\nid = 1\nsymbol = "AAPL"\nphase = "${phase}"\n`);

let exchange, browser, page, problems;
before(async () => {
  setPhase("call");
  exchange = await Exchange.start({ market: ["--config", config] });
  browser = await launch();
  ({ page, problems } = await open(browser, exchange, {
    fragment: "#symbol=AAPL",
    quoted: false,
  }));
  await logIn(page, exchange);
});
after(async () => {
  await browser?.close();
  await exchange?.stop();
});

const header = () => page.$eval(".halted", (one) => (one.hidden ? "" : one.textContent));
const note = () => page.$eval(".ladder [role=status]", (one) => one.textContent);
const book = () => exchange.get("/v1/book?symbol=AAPL");
/** The last indicative values of the feed. */
async function told() {
  const text = await (await fetch(`${exchange.url}/v1/messages?symbol=AAPL`)).text();
  const lines = text.trim().split("\n").map((line) => JSON.parse(line));
  return lines.filter(({ type }) => type === "I").at(-1);
}

/** At first the exchange reads orders of earlier runs, and answers: clicks again. */
async function enter(side, price, quantity) {
  await page.getByLabel("Quantity of a new order").fill(String(quantity));
  const rows = side === "bid" ? "bids" : "asks";
  const before = (await book())[rows].length;
  const entered = await eventually(async () => {
    await ladderRow(page, price).locator(`.${side}`).click();
    return eventually(async () => (await book())[rows].length > before, 1_500);
  });
  assert.ok(entered);
}

test("orders are collected, and there is no price yet", async () => {
  assert.ok(await eventually(async () => (await header()) === "Auction: no price yet"));
  await page.getByLabel("Price to begin with").fill("50");
  await page.keyboard.press("Enter");
  await enter("bid", 50.03, 70);
  assert.equal(await header(), "Auction: no price yet");
});

test("header, ladder and heatmap show what the auction would be", async () => {
  await enter("ask", 50, 50);
  const text = "Auction: 50 at 50.03, 20 more to buy";
  assert.ok(await eventually(async () => (await header()) === text && (await note()) === text));
  const { price, quantity, imbalance, direction, cross } = await told();
  assert.deepEqual([price, quantity, imbalance, direction, cross], [50.03, 50, 20, "B", "I"]);
  assert.match(await ladderRow(page, 50.03).getAttribute("class"), /\bauction\b/);
  assert.equal(await page.locator(".ladder-row.auction").count(), 1);
  const dashes = () =>
    page.evaluate(() => {
      const canvas = document.querySelector(".heatmap-axes");
      const hex = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
      const accent = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
      const { view } = window.damrakPage.heatmap;
      const y = Math.round(view.yOf(500_300)) * window.devicePixelRatio;
      const { data } = canvas.getContext("2d").getImageData(0, y, view.width, 1);
      let count = 0;
      for (let i = 0; i < data.length; i += 4)
        if (accent.every((part, k) => data[i + k] === part)) count += 1;
      return count / view.width;
    });
  assert.ok(await eventually(async () => (await dashes()) > 0.1), String(await dashes()));
  if (pictures) await page.screenshot({ path: join(pictures, "live-page-auction.png") });
});

test("it follows the orders", async () => {
  await enter("ask", 50.01, 40);
  const text = "Auction: 70 at 50.01, 20 more to sell";
  assert.ok(await eventually(async () => (await note()) === text), await note());
});

test("rows keep their prices when the panel shrinks", async () => {
  const first = () => page.$eval("#ladder-0 .price", (one) => one.textContent);
  const count = () => page.locator(".ladder-row").count();
  const [price, rows] = [await first(), await count()];
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width, height: height - 100 });
  assert.ok(await eventually(async () => (await count()) < rows));
  assert.equal(await first(), price);
  await page.setViewportSize({ width, height });
  assert.ok(await eventually(async () => (await count()) === rows));
  assert.equal(await first(), price);
});

test("after the auction there is its trade, and no mark", async () => {
  setPhase("continuous");
  exchange.child.kill("SIGHUP");
  assert.ok(await eventually(async () => (await header()) === ""));
  assert.equal(await note(), "");
  assert.equal(await page.locator(".ladder-row.auction").count(), 0);
  const { trades } = await exchange.get("/v1/trades?symbol=AAPL");
  assert.deepEqual(
    trades.filter((one) => one.printable !== false).map((one) => [one.price, one.quantity]),
    [[50.01, 70]],
  );
  // It was opened before the session had begun.
  assert.deepEqual(
    problems.filter((text) => !text.includes("503")),
    [],
  );
});
