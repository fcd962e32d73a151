// Orders by hand: only with the token, and as the exchange has them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { eventually, Exchange, launch, open } from "./exchange.mjs";

let exchange, browser, page;
before(async () => {
  exchange = await Exchange.start();
  browser = await launch();
  ({ page } = await open(browser, exchange, { fragment: "#symbol=AAPL" }));
});
after(async () => {
  await browser?.close();
  await exchange?.stop();
});

test("in a market without orders the first one is entered at a price of one's choice", async () => {
  const quiet = await Exchange.start({ market: [] });
  const first = await browser.newPage();
  try {
    await first.goto(quiet.url);
    await first.getByRole("button", { name: "Log in", exact: true }).first().click();
    const operator = readFileSync(join(quiet.data, "operator-token"), "utf8").trim();
    await first.getByLabel("Operator's token").fill(operator);
    await first.keyboard.press("Enter");
    assert.ok(await eventually(() => trading(first).catch(() => false)));
    await first.getByLabel("Price to begin with").fill("50");
    await first.keyboard.press("Enter");
    const price = first.locator(".ladder-row", { hasText: "49.95" });
    assert.ok(
      await eventually(async () => {
        await price.locator(".bid").click();
        return eventually(async () => (await price.locator(".own").textContent()) !== "", 1_000);
      }),
    );
    const { bids } = await quiet.get("/v1/book?symbol=AAPL");
    assert.equal(bids[0].price, 49.95);
  } finally {
    await first.close();
    await quiet.stop();
  }
});

const trading = (of = page) => of.evaluate(() => window.damrakPage.market.hello.trading);
const ownOrders = (of = page) =>
  of.evaluate(() => {
    const { orders } = window.damrakPage.market;
    return [...orders.open.values()].map((order) => ({
      ...order,
      place: orders.queues.place(order.reference),
    }));
  });
const row = (price) =>
  page.locator(".ladder-row", { has: page.locator(`.price:text-is("${price.toFixed(2)}")`) });
const openLogin = () => page.getByRole("button", { name: "Log in", exact: true }).first().click();
const token = () => readFileSync(join(exchange.data, "operator-token"), "utf8").trim();

test("without the token a click enters nothing, and a wrong token is refused", async () => {
  assert.equal(await trading(), false);
  await page.locator(".ladder-row .bid").nth(25).click();
  await openLogin();
  await page.getByLabel("Operator's token").fill("wrong");
  await page.keyboard.press("Enter");
  const alert = page.getByRole("dialog").getByRole("alert");
  assert.ok(await eventually(() => alert.isVisible()));
  assert.match(await alert.textContent(), /token/);
  await page.keyboard.press("Escape");
  assert.equal(await trading(), false);
  assert.deepEqual(await ownOrders(), []);
});

test("with the token the page trades", async () => {
  await openLogin();
  await page.getByLabel("Operator's token").fill(token());
  await page.keyboard.press("Enter");
  assert.ok(await eventually(trading));
  await page.waitForFunction(() => window.damrakPage.market.book.bids.levels.length > 0);
});

let bid;
test("an order by keyboard is in the book, and the page knows its place", async () => {
  await page.getByLabel("Quantity of a new order").fill("70");
  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowDown");
  // At first the exchange reads orders of earlier runs, and answers: try again.
  await eventually(async () => {
    await page.keyboard.press("b");
    return eventually(async () => (await ownOrders()).length > 0, 1_000);
  });
  const order = await eventually(async () =>
    (await ownOrders()).find((one) => one.state === "open" && one.reference && one.place),
  );
  assert.ok(order, JSON.stringify(await ownOrders()));
  bid = order.price;
  assert.deepEqual([order.side, order.open, order.symbol], ["buy", 70, "AAPL"]);
  const { steps, side } = await exchange.get(`/v1/orders/${order.reference}`);
  assert.equal(side, "buy");
  assert.deepEqual([steps[0].price, steps[0].quantity], [bid, 70]);
  assert.deepEqual(
    [order.place.orders, order.place.quantity],
    [steps.at(-1).orders_ahead, steps.at(-1).quantity_ahead],
  );
  assert.equal(await row(bid).locator(".own").textContent(), "70");
});

test("a second page of the same viewer sees the order", async () => {
  const second = await page.context().newPage();
  await second.goto(`${exchange.url}/#symbol=AAPL`);
  assert.ok(
    await eventually(
      async () =>
        (await trading(second).catch(() => false)) &&
        (await ownOrders(second)).some((order) => order.price === bid && order.open === 70),
    ),
  );
  await second.close();
});

test("an own order is dragged to another price, and cancelled by a click", async () => {
  const lower = Math.round((bid - 0.02) * 100) / 100;
  await row(bid).locator(".chip").dragTo(row(lower).locator(".price"));
  assert.ok(
    await eventually(async () =>
      (await ownOrders()).some((order) => order.price === lower && order.state === "open"),
    ),
    JSON.stringify(await ownOrders()),
  );
  await row(lower).locator(".chip").click();
  assert.ok(await eventually(async () => (await ownOrders()).length === 0));
  assert.ok(await eventually(async () => (await row(lower).locator(".own").textContent()) === ""));
});

test("an order that crosses the spread is filled, and the tape shows the trade", async () => {
  const seen = new Set();
  const filled = await eventually(async () => {
    for (const text of await page.$$eval(".notice", (all) => all.map((one) => one.textContent)))
      seen.add(text);
    if ([...seen].some((text) => /filled: \d+ at/.test(text))) return true;
    // The market may have moved away: at the present best offer, again.
    const offer = await page.evaluate(() => window.damrakPage.market.book.asks.best.price / 10_000);
    if (await row(offer).count())
      await row(offer)
        .locator(".bid")
        .click({ timeout: 1_000 })
        .catch(() => {});
    await page.waitForTimeout(300);
    return false;
  });
  assert.ok(filled, [...seen].join("\n"));
  const bought = await exchange.get("/v1/trades?symbol=AAPL&limit=10000");
  assert.ok(bought.trades.some((trade) => trade.quantity <= 70 && trade.aggressor === "buy"));
});

test("after the logout it is read-only again", async () => {
  await page.getByRole("button", { name: "Log out" }).click();
  assert.ok(await eventually(async () => !(await trading())));
  assert.equal(
    await page.getByRole("button", { name: "Log in", exact: true }).first().isVisible(),
    true,
  );
});
