// The page on a phone, by keyboard alone, and for a screen reader; and the pictures of the manual.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { axeSource, eventually, Exchange, launch, open } from "./exchange.mjs";

const pictures = process.env.DAMRAK_SCREENSHOTS;
const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};
const minutes = (n) => new Promise((done) => setTimeout(done, n * 60_000)); // real time: pictures
const panels = ["Heatmap", "Ladder", "Tape", "Chart", "Quality", "Operations"];
const dashboards = ["Flow", "Quality", "Latency"];

let exchange, browser;
before(async () => {
  exchange = await Exchange.start();
  browser = await launch();
  if (pictures) await minutes(4);
});
after(async () => {
  await browser?.close();
  await exchange?.stop();
});

async function serious(page) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

async function picture(page, name) {
  if (!pictures) return;
  await page.waitForTimeout(6_000);
  await page.screenshot({ path: join(pictures, `live-page-${name}.png`) });
}

test("a wide screen shows all panels, without serious findings of axe", async () => {
  for (const [fragment, name] of [
    ["", "wide"],
    ["#theme=light", "light"],
  ]) {
    const { page, problems } = await open(browser, exchange, { fragment });
    for (const panel of panels)
      assert.ok(await page.getByRole("region", { name: panel, exact: true }).isVisible(), panel);
    await picture(page, name);
    assert.deepEqual(await serious(page), []);
    assert.deepEqual(problems, []);
    await page.context().close();
  }
});

test("a dashboard takes the place of the other panels, and its charts have data", async () => {
  const { page, problems } = await open(browser, exchange, {});
  for (const panel of dashboards) {
    const views = page.getByRole("navigation", { name: "Views" });
    await views.getByRole("button", { name: panel }).click();
    const region = page.getByRole("region", { name: panel, exact: true });
    assert.ok(await region.isVisible(), panel);
    assert.equal(await page.getByRole("region", { name: "Tape" }).isVisible(), false);
    const charts = region.locator("figure:not(:has(.plot-note:not([hidden])))");
    assert.ok(await eventually(async () => (await charts.count()) >= 3), `${panel} has no data`);
    await picture(page, panel.toLowerCase());
    assert.deepEqual(await serious(page), []);
  }
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("a phone shows one panel at a time, and nothing sticks out", async () => {
  const { page, problems } = await open(browser, exchange, phone);
  await picture(page, "phone");
  const all = [...new Set([...panels, ...dashboards])];
  for (const panel of all) {
    await page.getByRole("navigation").getByRole("button", { name: panel }).tap();
    for (const other of all) {
      const region = page.getByRole("region", { name: other, exact: true });
      assert.equal(await region.isVisible(), other === panel, `${other} beside ${panel}`);
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${panel} is ${width} pixels wide`);
    assert.deepEqual(await serious(page), []);
  }
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("two fingers zoom the heatmap", async () => {
  const { page } = await open(browser, exchange, phone);
  const span = () => page.evaluate(() => window.damrakPage.heatmap.view.spanNs);
  const before = await span();
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...points) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  await touch("touchStart", [100, 400], [200, 400]);
  for (let by = 10; by <= 60; by += 10) await touch("touchMove", [100 - by, 400], [200 + by, 400]);
  await touch("touchEnd");
  assert.ok((await span()) < before / 1.5, `${await span()} of ${before}`);
  await page.context().close();
});

test("the keyboard reaches everything", async () => {
  const { page, problems } = await open(browser, exchange);
  const view = () =>
    page.evaluate(() => {
      const { following, endNs, spanNs, low, high } = window.damrakPage.heatmap.view;
      return { following, endNs, spanNs, range: high - low };
    });
  const focused = () =>
    page.evaluate(() => document.activeElement.className || document.activeElement.tagName);
  const press = (key) => page.keyboard.press(key);

  await eventually(() => page.evaluate(() => window.damrakPage.heatmap.view.endNs > 0));
  await press("1");
  assert.equal(await focused(), "heatmap-surface");
  const first = await view();
  assert.equal(first.following, true);
  await press(" ");
  assert.equal((await view()).following, false);
  const paused = await view();
  await press("ArrowLeft");
  assert.ok((await view()).endNs < paused.endNs);
  await press("-");
  assert.ok((await view()).spanNs > paused.spanNs);
  await press("Shift+ArrowDown");
  assert.ok((await view()).range > paused.range);
  await press("End");
  assert.equal((await view()).following, true);

  await press("2");
  assert.equal(await focused(), "ladder-rows");
  await press("ArrowUp");
  assert.ok(await eventually(() => page.$(".ladder-row.selected")));
  assert.equal(
    await page.$eval(".ladder-rows", (grid) =>
      document
        .getElementById(grid.getAttribute("aria-activedescendant"))
        ?.className.includes("selected"),
    ),
    true,
  );

  await press("?");
  assert.equal(await page.getByRole("dialog", { name: "Keys" }).isVisible(), true);
  assert.deepEqual(await serious(page), []);
  await press("Escape");
  assert.equal(await page.getByRole("dialog").count(), 0);
  await press("e");
  assert.equal(await page.getByRole("dialog", { name: "Export" }).isVisible(), true);
  await press("Escape");

  const symbol = () => page.evaluate(() => window.damrakPage.market.symbol);
  const [before, theme] = [await symbol(), await page.getAttribute("html", "data-theme")];
  await press(".");
  assert.notEqual(await symbol(), before);
  await press(",");
  assert.equal(await symbol(), before);
  await press("t");
  assert.notEqual(await page.getAttribute("html", "data-theme"), theme);

  // Tab comes to every control and continues.
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    await press("Tab");
    seen.add(
      await page.evaluate(
        () =>
          document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent,
      ),
    );
  }
  for (const name of [
    "Instrument",
    "Export",
    "Help",
    "Time of day",
    "Which trades",
    "Candles",
    "Quantity of a new order",
    "Market quality",
    "Operations",
  ])
    assert.ok(seen.has(name), `${name} is not among ${[...seen].join(", ")}`);
  assert.deepEqual(problems, []);
  await page.context().close();
});
