// What the elements of the page say, made without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Frames } from "../../web/src/core/frames.js";
import { Market } from "../../web/src/core/market.js";
import type { OrderMessage } from "../../web/src/core/messages.js";
import { orderNews, ownText } from "../../web/src/core/own_words.js";
import { Signal } from "../../web/src/core/signal.js";
import type { Socket } from "../../web/src/core/stream.js";
import { Travel } from "../../web/src/core/travel.js";
import { LadderPanel } from "../../web/src/panels/ladder/view.js";
import type { App } from "../../web/src/ui/app.js";
import { loginDialog } from "../../web/src/ui/dialogs.js";
import { ReplayControl } from "../../web/src/ui/replay.js";
import { Notices, Status } from "../../web/src/ui/status.js";
import { fake, fakeDocument, nextFrame, resize, type FakeElement } from "./dom.js";
import { depthRow, FakeTime, frame, hello } from "./support.js";

fakeDocument();

/** A market at a socket that the test holds. */
function setup() {
  const sockets: Socket[] = [];
  const market = new Market(() => {
    const socket = { onmessage: null, onclose: null, send: () => {}, close: () => {} };
    sockets.push(socket);
    return socket;
  });
  const said: string[] = [];
  const app: App = {
    market,
    travel: new Travel(),
    frames: new Frames(),
    state: {},
    remember: () => {},
    announce: (text) => said.push(text),
    onTheme: new Signal(),
  };
  const tell = (data: unknown) => sockets.at(-1)!.onmessage!({ data });
  return { app, market, said, tell, lose: () => sockets.at(-1)!.onclose!() };
}

const order: OrderMessage = {
  type: "order",
  order: 12,
  reference: 7,
  symbol: "AAPL",
  side: "buy",
  price: 99.98,
  open: 1_200,
  filled: 0,
  state: "open",
  what: "accepted",
  message: "",
};

const withClass = (name: string) => (element: FakeElement) => element.classList.contains(name);

test("the ladder of a lost connection is grey, names its time, and is whole again", (t) => {
  const time = new FakeTime();
  t.after(() => time.restore());
  const { app, market, tell, lose } = setup();
  const panel = new LadderPanel(app);
  const body = fake(panel.body);
  resize(300, 220);
  market.connect();
  tell(JSON.stringify(hello()));
  market.select("AAPL");
  const book = { kind: 1, channel: 2, sequence: 5, timeNs: 36_000e9 } as const;
  tell(frame(book, [depthRow(0, 999_800, 100, 1), depthRow(1, 1_000_000, 50, 1)]));
  nextFrame();
  const note = () => body.find(withClass("panel-note")).at(-1)!;
  assert.ok(body.textContent.includes("99.98"));
  assert.deepEqual([body.classList.contains("stale"), note().hidden], [false, true]);
  lose();
  nextFrame();
  assert.equal(body.classList.contains("stale"), true);
  assert.equal(note().textContent, "Not connected: the book of 10:00:00");
  time.pass(300);
  tell(JSON.stringify(hello()));
  nextFrame();
  assert.deepEqual([body.classList.contains("stale"), note().hidden], [false, true]);
});

test("own orders say you: in the ladder, over the heatmap, in messages", (t) => {
  const time = new FakeTime();
  t.after(() => time.restore());
  const { app, market, tell } = setup();
  const panel = new LadderPanel(app);
  resize(300, 220);
  market.connect();
  tell(JSON.stringify(hello()));
  market.select("AAPL");
  const book = { kind: 1, channel: 2, sequence: 5, timeNs: 36_000e9 } as const;
  tell(frame(book, [depthRow(0, 999_800, 1_200, 1)]));
  tell(JSON.stringify(order));
  nextFrame();
  const [chip] = fake(panel.body).find(withClass("chip"));
  assert.match(chip!.attributes.get("title")!, /^You buy 1,200 at 99\.98, open\. Click cancels/);
  assert.ok(fake(panel.body).textContent.startsWith("You"), "the column");
  assert.equal(ownText(order, { orders: 2, quantity: 3_000 }), "You buy 1,200 · 3,000 ahead");
  assert.equal(ownText({ ...order, side: "sell" }, undefined), "You sell 1,200");
});

test("a message of an order says whose it is, and which is bad", () => {
  const text = "Your order 12 accepted: you buy 1200 AAPL at 99.98";
  assert.deepEqual(orderNews(order), { text, kind: "info" });
  assert.equal(orderNews({ ...order, what: "sent" }), undefined);
  assert.deepEqual(orderNews({ ...order, what: "cancel_rejected", message: "too late" }), {
    text: "Your order 12 cancel rejected: too late",
    kind: "error",
  });
  assert.equal(
    orderNews({ ...order, what: "filled", open: 20, last: [99.9, 1_180] })?.text,
    "Your order 12 filled: 1180 at 99.90, 20 open",
  );
  assert.match(orderNews({ ...order, price: null })!.text, /at market$/);
});

test("the login begins in its field, not at its close button", () => {
  const controls = fake(loginDialog(setup().app)).find(({ tag }) => /input|button/.test(tag));
  const begins = controls.filter(({ attributes }) => attributes.has("autofocus"));
  assert.deepEqual(
    begins.map(({ attributes }) => attributes.get("aria-label")),
    ["Operator's token"],
  );
});

test("Live and Pause are words of the heatmap alone", async (t) => {
  const time = new FakeTime();
  t.after(() => time.restore());
  const { app, market, tell } = setup();
  const status = new Status(app);
  market.connect();
  tell(JSON.stringify(hello()));
  assert.equal(status.element.textContent, "Connected");
  const replay = { date: 20261126, speed: 1, paused: false, over: false, seeking: null };
  globalThis.fetch = async () => Response.json(replay);
  const control = fake(new ReplayControl(app, () => {}).element);
  for (let i = 0; i < 20 && control.hidden; i++) await new Promise(setImmediate);
  assert.equal(control.find(({ tag }) => tag === "button")[0]!.textContent, "Pause replay");
});

test("kept runs, which have timelines, are without an exchange", (t) => {
  const time = new FakeTime();
  t.after(() => time.restore());
  const { market, tell } = setup();
  market.connect();
  tell(JSON.stringify({ ...hello(), session: null }));
  const told = { type: "snapshot", channel: "exchange", sequence: 0 };
  tell(JSON.stringify(told));
  assert.equal(market.hasExchange, false);
  tell(JSON.stringify({ ...told, uptime_s: 5, status: "ok", levels: {} }));
  assert.equal(market.hasExchange, true, "between two sessions");
  const other = setup();
  other.market.connect();
  other.tell(JSON.stringify(hello()));
  assert.equal(other.market.hasExchange, true);
});

test("a message that does not fit its line can be read whole", (t) => {
  const time = new FakeTime();
  t.after(() => time.restore());
  const notices = new Notices();
  notices.add("a long story");
  const [notice] = fake(notices.element).find(withClass("notice"));
  assert.equal(notice!.attributes.get("title"), "a long story");
});
