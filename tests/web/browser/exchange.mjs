// An exchange with its demo market, and a browser that looks at its page.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const require = createRequire(new URL("../../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
export const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const program =
  process.env.DAMRAK_PROGRAM ??
  fileURLToPath(new URL("../../../build/release/damrak", import.meta.url));
const gateways = ["binary", "itch", "ouch"];
const closed = ["fix", "glimpse", "udp", "mold", "retransmit", "l2"];

export class Exchange {
  /** Waits until it is ready. The same folder and port again: it recovers. */
  static async start({
    data = mkdtempSync(join(tmpdir(), "damrak-page-")),
    port = 0,
    market = ["--demo-market"],
  } = {}) {
    const flags = [
      "--data",
      data,
      "--http-port",
      String(port),
      ...gateways.flatMap((gateway) => [`--${gateway}-port`, "0"]),
      ...closed.flatMap((gateway) => [`--${gateway}-port`, "off"]),
    ];
    const child = spawn(program, ["serve", ...market, ...flags], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let told = "";
    child.stderr.on("data", (text) => (told += text));
    const ready = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", (code) => reject(new Error(`damrak ended with status ${code}: ${told}`)));
      createInterface(child.stdout).on("line", (line) => {
        const http = /^ready .*\bhttp=(\d+)/.exec(line);
        if (http) resolve(Number(http[1]));
      });
    });
    // The await below tells of a start that fails; nobody waits for an end later.
    ready.catch(() => {});
    return new Exchange(child, data, await ready);
  }

  constructor(child, data, port) {
    Object.assign(this, { child, data, port, url: `http://127.0.0.1:${port}` });
  }

  async get(path) {
    const response = await fetch(this.url + path);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  async end(signal) {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill(signal);
    await ended;
  }

  async stop() {
    await this.end("SIGTERM");
    rmSync(this.data, { recursive: true, force: true });
  }
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.DAMRAK_CHROMIUM ?? "/usr/bin/chromium",
    // WebGL without a graphics card.
    args: [
      "--no-sandbox",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
    ],
  });
}

/** A page that shows the market; what goes wrong in it is in `problems`. */
export async function open(
  browser,
  exchange,
  { fragment = "", before = async () => {}, quoted = true, ...options } = {},
) {
  const context = await browser.newContext({
    viewport: { width: 1600, height: 950 },
    colorScheme: "dark",
    acceptDownloads: true,
    ...options,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    // Whether a recorded day is the market, or an archived one has a timeline, is asked for, and
    // mostly answered with 404.
    const optional = /\/v1\/(replay|timeline\?day=[^&]*)$/.test(message.location().url);
    if (message.type() === "error" && !optional) problems.push(message.text());
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== exchange.url && protocol !== "blob:" && protocol !== "data:")
      problems.push(`a request to ${request.url()}`);
  });
  await before(page);
  await page.goto(`${exchange.url}/${fragment}`);
  await page.waitForFunction(
    (quoted) =>
      quoted
        ? window.damrakPage.market.book.bids.levels.length > 0
        : window.damrakPage.market.hello !== undefined,
    quoted,
  );
  return { page, problems };
}

/** As in tests/support/eventually.hpp. */
const patience = 1_000 * Number(process.env.DAMRAK_TEST_PATIENCE ?? 600);

const nap = () => new Promise((done) => setTimeout(done, 100)); // real time: for a condition

/** Asks again until the answer is true; the last answer otherwise. */
export async function eventually(what, ms = patience) {
  const end = Date.now() + ms; // real time: patience
  for (; ; await nap()) {
    const answer = await what();
    if (answer || Date.now() > end) return answer; // real time: patience
  }
}

const units = (price) => Math.round(price * 10_000);
const rows = (levels) =>
  levels.map(({ price, quantity, orders }) => [units(price), quantity, orders]);

/** The book in the page, and the exchange's after the same message. */
export async function books(page, exchange) {
  const own = await page.evaluate(() => {
    const { market } = window.damrakPage;
    const side = ({ levels }) => levels.map((one) => [one.price, one.quantity, one.orders]);
    return {
      symbol: market.symbol,
      sequence: market.book.sequence,
      bids: side(market.book.bids),
      asks: side(market.book.asks),
    };
  });
  const answer = await exchange.get(
    `/v1/book?symbol=${own.symbol}&sequence=${own.sequence}&depth=1000`,
  );
  return {
    own,
    exchange: {
      symbol: own.symbol,
      sequence: own.sequence,
      bids: rows(answer.bids),
      asks: rows(answer.asks),
    },
  };
}

export const mayTrade = (page) =>
  page.evaluate(() => window.damrakPage.market.hello?.trading ?? false);

export async function showLogin(page) {
  await page.getByRole("button", { name: "Log in", exact: true }).first().click();
  return page.getByLabel("Operator's token");
}

export async function logIn(page, exchange) {
  const field = await showLogin(page);
  await field.fill(readFileSync(join(exchange.data, "operator-token"), "utf8").trim());
  await page.keyboard.press("Enter");
  if (!(await eventually(() => mayTrade(page)))) throw new Error("the token is refused");
}

export const ladderRow = (page, price) =>
  page.locator(".ladder-row", { has: page.locator(`.price:text-is("${price.toFixed(2)}")`) });

/** The ladder as it is drawn: price in units to [bid, ask], of rows that have a quantity. */
export function ladder(page) {
  return page.$$eval(".ladder-row", (all) =>
    Object.fromEntries(
      all
        .map((row) => {
          const text = (name) => Number(row.querySelector(name).textContent.replaceAll(",", ""));
          return [Math.round(text(".price") * 10_000), [text(".bid"), text(".ask")]];
        })
        .filter(([, [bid, ask]]) => bid || ask),
    ),
  );
}
