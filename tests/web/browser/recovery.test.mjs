// What the page does when messages, the connection or the exchange are lost.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { books, eventually, Exchange, ladder, launch, open } from "./exchange.mjs";

let exchange, browser;
before(async () => {
  exchange = await Exchange.start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await exchange?.stop();
});

const status = (page) => page.$eval(".status", (element) => element.textContent);
const notices = (page) => page.$$eval(".notice", (all) => all.map((one) => one.textContent));

test("a message that is lost leaves no wrong book", async () => {
  let lose = 0;
  const { page } = await open(browser, exchange, {
    before: (one) =>
      one.routeWebSocket(/\/v1\/stream$/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => {
          // Changes of depth, in the binary form.
          const depth = typeof message !== "string" && message[0] === 2 && message[1] === 2;
          if (depth && lose > 0) lose -= 1;
          else socket.send(message);
        });
      }),
  });
  lose = 1;
  assert.ok(await eventually(() => page.evaluate(() => window.damrakPage.market.gaps > 0)));
  for (let i = 0; i < 5; i++) {
    const { own, exchange: truth } = await books(page, exchange);
    assert.deepEqual(own, truth);
    await page.waitForTimeout(200);
  }
  assert.equal(await page.evaluate(() => window.damrakPage.market.gaps), 1);
  assert.equal(await status(page), "Connected");
  await page.context().close();
});

test("bytes that are no frame end the connection, and the next one is exact", async () => {
  let broken = true;
  const { page } = await open(browser, exchange, {
    before: (one) =>
      one.routeWebSocket(/\/v1\/stream$/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => {
          if (broken && typeof message !== "string" && message[1] === 4) {
            broken = false;
            socket.send(Buffer.from([1, 4, 1]));
          } else {
            socket.send(message);
          }
        });
      }),
  });
  assert.ok(await eventually(async () => !broken && (await status(page)) === "Connected"));
  const { own, exchange: truth } = await books(page, exchange);
  assert.deepEqual(own, truth);
  await page.context().close();
});

test("the heatmap comes back after the graphics card was away", async () => {
  const { page, problems } = await open(browser, exchange);
  const colours = () =>
    page.evaluate(() => {
      const { heatmap } = window.damrakPage;
      heatmap.drawNow();
      const { gl, canvas } = heatmap.renderer;
      if (gl.isContextLost()) return 0;
      const pixels = new Uint8Array(canvas.width * canvas.height * 4);
      gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return new Set(new Uint32Array(pixels.buffer)).size;
    });
  assert.ok(await eventually(async () => (await colours()) > 20));
  await page.evaluate(() => {
    window.lostCard = window.damrakPage.heatmap.renderer.gl.getExtension("WEBGL_lose_context");
    window.lostCard.loseContext();
  });
  const note = () => page.$eval(".heatmap-note", (one) => one.textContent);
  assert.ok(await eventually(async () => (await note()) === "Waiting for the graphics card"));
  await page.waitForTimeout(500);
  await page.evaluate(() => window.lostCard.restoreContext());
  assert.ok(await eventually(async () => (await colours()) > 20));
  assert.ok(await eventually(async () => (await note()) === ""));
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("after kill -9 and a restart the page recovers by itself, and says so", async () => {
  const { page } = await open(browser, exchange);
  // A start within a second of the connection is indistinguishable from one before it.
  await page.waitForTimeout(1_500);
  const before = await page.evaluate(() => window.damrakPage.market.book.sequence);
  await exchange.end("SIGKILL");
  assert.ok(await eventually(async () => (await status(page)).startsWith("Reconnecting in")));
  assert.ok((await notices(page)).includes("Connection lost: connecting again"));
  const { data, port } = exchange;
  exchange = await Exchange.start({ data, port });
  assert.ok(await eventually(async () => (await status(page)) === "Connected"));
  const said = await eventually(async () => {
    const all = (await notices(page)).join("\n");
    return /Connection restored after/.test(all) && /restarted/.test(all) && all;
  });
  assert.ok(said, (await notices(page)).join("\n"));
  assert.ok(
    await eventually(() =>
      page.evaluate((least) => window.damrakPage.market.book.sequence > least, before),
    ),
  );
  for (let i = 0; i < 5; i++) {
    const { own, exchange: truth } = await books(page, exchange);
    assert.deepEqual(own, truth);
    await page.waitForTimeout(200);
  }
  assert.ok(Object.keys(await ladder(page)).length > 5);
  await page.context().close();
});
