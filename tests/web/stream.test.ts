import assert from "node:assert/strict";
import { mock, test, type TestContext } from "node:test";
import type { Update } from "../../web/src/core/messages.js";
import { Stream, type Socket } from "../../web/src/core/stream.js";
import { depthRow, frame, hello, FakeTime } from "./support.js";

class FakeSocket implements Socket {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: any[] = [];
  closed = false;
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.closed = true;
  }
  tell(message: object) {
    const data = message instanceof ArrayBuffer ? message : JSON.stringify(message);
    this.onmessage?.({ data });
  }
}

function setup(t: TestContext, greet: (stream: Stream) => void = () => {}) {
  const time = new FakeTime();
  t.after(() => time.restore());
  const sockets: FakeSocket[] = [];
  const states: string[] = [];
  const gaps: string[] = [];
  const stream: Stream = new Stream(
    () => {
      sockets.push(new FakeSocket());
      return sockets.at(-1)!;
    },
    {
      state: (state, ms) => states.push(`${state} ${ms}`),
      hello: () => greet(stream),
      order: () => {},
      error: () => {},
      gap: (channel) => gaps.push(channel),
    },
  );
  stream.connect();
  const heard: Update[] = [];
  stream.subscribe("depth", "AAPL", { levels: 10 }, (update) => heard.push(update));
  return { stream, sockets, states, gaps, heard, time };
}

const snapshot = (sequence: number) =>
  frame({ kind: 1, channel: 2, sequence }, [depthRow(0, 999800, 100, 1)]);
const changes = (previous: number, sequence: number) =>
  frame({ kind: 2, channel: 2, sequence, previous }, [depthRow(0, 999800, 200, 2)]);
const subscribeDepth = { op: "subscribe", channel: "depth", symbol: "AAPL", levels: 10 };

test("it subscribes after hello, and passes the snapshot and what follows it", (t) => {
  const { sockets, heard, states } = setup(t);
  const socket = sockets[0]!;
  assert.deepEqual(socket.sent, []);
  socket.tell(hello());
  assert.deepEqual(states, ["live 0"]);
  assert.deepEqual(socket.sent, [subscribeDepth]);
  socket.tell(changes(1, 2));
  assert.equal(heard.length, 0, "changes before the snapshot have nothing to apply to");
  socket.tell(snapshot(5));
  socket.tell(changes(5, 9));
  socket.tell(changes(9, 12));
  assert.deepEqual(
    heard.map((update) => update.sequence),
    [5, 9, 12],
  );
});

test("what a hello makes others subscribe to is asked for once", (t) => {
  const { sockets } = setup(t, (stream) => stream.subscribe("state", "AAPL", {}, () => {}));
  sockets[0]!.tell(hello());
  assert.deepEqual(sockets[0]!.sent, [
    subscribeDepth,
    { op: "subscribe", channel: "state", symbol: "AAPL" },
  ]);
});

test("after a gap it asks for a new snapshot, and passes nothing until that is there", (t) => {
  const { sockets, heard, gaps } = setup(t);
  const socket = sockets[0]!;
  socket.tell(hello());
  socket.tell(snapshot(5));
  socket.tell(changes(6, 9));
  assert.deepEqual(gaps, ["depth"]);
  assert.deepEqual(socket.sent, [subscribeDepth, subscribeDepth]);
  socket.tell(changes(9, 10));
  assert.deepEqual(
    heard.map((update) => update.sequence),
    [5],
  );
  assert.equal(socket.sent.length, 2, "it asks once");
  socket.tell(snapshot(10));
  socket.tell(changes(10, 11));
  assert.deepEqual(
    heard.map((update) => update.sequence),
    [5, 10, 11],
  );
});

test("a lost connection is made again, at longer and longer intervals", (t) => {
  const { sockets, heard, states, time } = setup(t);
  sockets[0]!.tell(hello());
  sockets[0]!.tell(snapshot(5));
  sockets[0]!.onclose?.();
  assert.deepEqual(states, ["live 0", "reconnecting 250"]);
  for (const ms of [250, 500, 1000, 2000, 4000, 5000, 5000]) {
    const before = sockets.length;
    time.pass(ms - 1);
    assert.equal(sockets.length, before);
    time.pass(1);
    assert.equal(sockets.length, before + 1);
    sockets.at(-1)!.onclose?.();
  }
  time.pass(5000);
  sockets[0]!.tell(changes(5, 6));
  assert.equal(heard.length, 1, "an old connection has nothing more to say");
  const socket = sockets.at(-1)!;
  socket.tell(hello());
  assert.equal(states.at(-1), "live 0");
  assert.deepEqual(socket.sent, [subscribeDepth]);
  socket.tell(changes(5, 6));
  assert.equal(heard.length, 1, "changes do not apply to what was before");
  socket.tell(snapshot(3));
  assert.equal(heard.at(-1)!.sequence, 3);
  socket.onclose?.();
  assert.equal(states.at(-1), "reconnecting 250", "the next loss begins with a short interval");
});

test("a connection that is silent for ten seconds is given up", (t) => {
  const { sockets, states, time } = setup(t);
  sockets[0]!.tell(hello());
  time.pass(9_000);
  sockets[0]!.tell(snapshot(1));
  time.pass(5_000);
  assert.equal(sockets[0]!.closed, false, "it has spoken five seconds ago");
  time.pass(5_000);
  assert.equal(sockets[0]!.closed, true);
  assert.equal(states.at(-1), "reconnecting 250");
});

test("where nothing speaks every second, as beside kept runs, silence is no loss", (t) => {
  const { sockets, states, time } = setup(t);
  sockets[0]!.tell({ ...hello(), session: null });
  sockets[0]!.tell(snapshot(1));
  time.pass(60_000);
  assert.equal(sockets[0]!.closed, false);
  sockets[0]!.tell(snapshot(2));
  time.pass(15_000);
  assert.equal(sockets[0]!.closed, true, "an exchange between two sessions speaks");
  time.pass(300);
  time.pass(15_000);
  assert.equal(sockets[1]!.closed, true, "a server that does not greet is lost");
  assert.equal(states.at(-1), "reconnecting 500");
});

test("a new hello changes nothing by itself; the snapshot after it does", (t) => {
  const { sockets, heard } = setup(t);
  const socket = sockets[0]!;
  socket.tell(hello());
  socket.tell(snapshot(5));
  socket.tell(hello("2026112700"));
  assert.equal(socket.sent.length, 1);
  socket.tell(snapshot(2));
  socket.tell(changes(2, 3));
  assert.deepEqual(
    heard.map((update) => update.sequence),
    [5, 2, 3],
  );
});

test("what was refused before a session began is asked for again when it begins", (t) => {
  const { sockets } = setup(t);
  const socket = sockets[0]!;
  socket.tell({ ...hello(), session: null });
  socket.tell({ type: "error", code: "no_session", message: "", channel: "depth", symbol: "AAPL" });
  socket.tell(hello());
  assert.deepEqual(socket.sent, [subscribeDepth, subscribeDepth]);
  socket.tell(snapshot(3));
  socket.tell(hello());
  assert.equal(socket.sent.length, 2);
});

test("nothing is passed of a channel that nobody subscribes to any more", (t) => {
  const { stream, sockets, heard } = setup(t);
  sockets[0]!.tell(hello());
  stream.unsubscribe("depth", "AAPL");
  assert.deepEqual(sockets[0]!.sent.at(-1), {
    op: "unsubscribe",
    channel: "depth",
    symbol: "AAPL",
  });
  sockets[0]!.tell(snapshot(5));
  assert.equal(heard.length, 0);
});

test("a frame that is none ends the connection", (t) => {
  mock.method(console, "error", () => {});
  t.after(() => mock.restoreAll());
  const { sockets, states } = setup(t);
  sockets[0]!.tell(hello());
  sockets[0]!.tell(new ArrayBuffer(3));
  assert.equal(sockets[0]!.closed, true);
  assert.equal(states.at(-1), "reconnecting 250");
});

test("an operation is not sent while there is no connection", (t) => {
  const { stream, sockets } = setup(t);
  assert.equal(stream.send({ op: "cancel", order: 1 }), false);
  sockets[0]!.tell(hello());
  assert.equal(stream.send({ op: "cancel", order: 1 }), true);
  sockets[0]!.onclose?.();
  assert.equal(stream.send({ op: "cancel", order: 1 }), false);
});
