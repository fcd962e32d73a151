// Orders by hand: only with the token, and as the exchange has them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  eventually,
  Exchange,
  ladderRow,
  launch,
  logIn,
  mayTrade,
  open,
  showLogin,
} from "./exchange.mjs";
import { faultOf } from "./schema.mjs";

// Nobody else is in this market, so orders stay where they are.
let exchange, browser, page;
/** What the exchange said over the stream, apart from binary frames. */
const said = [];
const listen = (socket) =>
  socket.on("framereceived", ({ payload }) => {
    if (typeof payload === "string") said.push(JSON.parse(payload));
  });
before(async () => {
  exchange = await Exchange.start({ market: [] });
  browser = await launch();
  ({ page } = await open(browser, exchange, {
    fragment: "#symbol=AAPL",
    quoted: false,
    before: async (one) => void one.on("websocket", listen),
  }));
});
after(async () => {
  await browser?.close();
  await exchange?.stop();
});

const trading = (of = page) => mayTrade(of);
const ownOrders = (of = page) =>
  of.evaluate(() => {
    const { orders } = window.damrakPage.market;
    return [...orders.open.values()].map((order) => ({
      ...order,
      place: orders.queues.place(order.reference),
    }));
  });
const row = (price, of = page) => ladderRow(of, price);

/** Answers reach a client before the feed has the order. */
const lifeOf = (order) =>
  eventually(() => exchange.get(`/v1/orders/${order.reference}`).catch(() => undefined));

test("without the token a click enters nothing, and a wrong token is refused", async () => {
  assert.equal(await trading(), false);
  await page.getByLabel("Price to begin with").fill("50");
  await page.keyboard.press("Enter");
  await row(49.95).locator(".bid").click();
  const field = await showLogin(page);
  await field.fill("wrong");
  await page.keyboard.press("Enter");
  const alert = page.getByRole("dialog").getByRole("alert");
  assert.ok(await eventually(() => alert.isVisible()));
  assert.match(await alert.textContent(), /token/);
  await page.keyboard.press("Escape");
  assert.equal(await trading(), false);
  assert.deepEqual((await exchange.get("/v1/book?symbol=AAPL")).bids, []);
});

test("an order by keyboard is in the book", async () => {
  await logIn(page, exchange);
  await page.getByLabel("Quantity of a new order").fill("70");
  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowDown");
  // At first the exchange reads orders of earlier runs, and answers: try again.
  await eventually(async () => {
    await page.keyboard.press("b");
    return eventually(async () => (await ownOrders()).length > 0, 1_000);
  });
  const order = await eventually(async () => (await ownOrders()).find((one) => one.reference));
  assert.deepEqual([order.side, order.open, order.price, order.symbol], ["buy", 70, 49.95, "AAPL"]);
  const { steps, side } = await lifeOf(order);
  assert.deepEqual([side, steps[0].price, steps[0].quantity], ["buy", 49.95, 70]);
  assert.ok(
    await eventually(async () => (await row(49.95).locator(".own").textContent()) === "70"),
  );
});

test("the page knows the place of an order in its queue", async () => {
  await page.getByLabel("Quantity of a new order").fill("30");
  await row(49.95).locator(".bid").click();
  const placed = () => ownOrders().then((all) => all.find((one) => one.open === 30 && one.place));
  const order = await eventually(placed);
  const { steps } = await lifeOf(order);
  assert.deepEqual(order.place, {
    orders: steps.at(-1).orders_ahead,
    quantity: steps.at(-1).quantity_ahead,
  });
  assert.deepEqual(order.place, { orders: 1, quantity: 70 });
});

test("a second page of the same viewer sees the orders", async () => {
  const second = await page.context().newPage();
  await second.goto(`${exchange.url}/#symbol=AAPL`);
  assert.ok(await eventually(async () => (await ownOrders(second)).length === 2));
  await second.close();
});

test("an own order is dragged to another price, and cancelled by click and by key", async () => {
  await row(49.95).locator(".chip").first().dragTo(row(49.93).locator(".price"));
  const prices = async () => (await ownOrders()).map((order) => order.price).sort();
  assert.ok(await eventually(async () => (await prices()).join() === "49.93,49.95"));
  const { bids } = await exchange.get("/v1/book?symbol=AAPL");
  assert.deepEqual(
    bids.map(({ price, quantity }) => [price, quantity]),
    [
      [49.95, 30],
      [49.93, 70],
    ],
  );
  await row(49.93).locator(".chip").click();
  assert.ok(await eventually(async () => (await prices()).join() === "49.95"));
  await page.keyboard.press("2");
  await page.keyboard.press("Delete");
  assert.ok(await eventually(async () => (await ownOrders()).length === 0));
  assert.ok(await eventually(async () => (await row(49.95).locator(".own").textContent()) === ""));
});

test("after the logout it is read-only again", async () => {
  await page.getByRole("button", { name: "Log out" }).click();
  assert.ok(await eventually(async () => !(await trading())));
  await row(49.95).locator(".bid").click();
  await page.waitForTimeout(500);
  assert.deepEqual((await exchange.get("/v1/book?symbol=AAPL")).bids, []);
});

test("what was said of orders, and everything else, is as /v1/asyncapi.json describes it", async () => {
  const description = await exchange.get("/v1/asyncapi.json");
  const kinds = new Set();
  for (const message of said) {
    const { payload } = description.components.messages[message.type];
    assert.equal(faultOf(message, payload, description), undefined, JSON.stringify(message));
    kinds.add(message.type === "order" ? message.what : message.type);
  }
  for (const kind of ["hello", "snapshot", "sent", "accepted", "replaced", "cancelled"])
    assert.ok(kinds.has(kind), kind);
});

test("an order that crosses the spread is filled, and is told", async () => {
  const busy = await Exchange.start();
  try {
    const { page: trader } = await open(browser, busy, { fragment: "#symbol=AAPL" });
    await logIn(trader, busy);
    const seen = new Set();
    const filled = await eventually(async () => {
      for (const text of await trader.$$eval(".notice", (all) => all.map((one) => one.textContent)))
        seen.add(text);
      if ([...seen].some((text) => /filled: \d+ at/.test(text))) return true;
      // The market may have moved away: at the current best offer, again.
      const offer = await trader.evaluate(
        () => window.damrakPage.market.book.asks.best.price / 10_000,
      );
      await row(offer, trader)
        .locator(".bid")
        .click({ timeout: 1_000 })
        .catch(() => {});
      await trader.waitForTimeout(300);
      return false;
    });
    assert.ok(filled, [...seen].join("\n"));
    // The feed publishes a little after the owner's report.
    const published = async () => {
      const { trades } = await busy.get("/v1/trades?symbol=AAPL&limit=10000");
      return trades.some((trade) => trade.aggressor === "buy");
    };
    assert.ok(await eventually(published));
  } finally {
    await busy.stop();
  }
});
