import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExchangeFigures } from "../../core/messages.js";
import { capacityOf, factsOf, levelsOf, uptime } from "./model.js";

const figures: ExchangeFigures = {
  type: "snapshot",
  channel: "exchange",
  sequence: 1,
  timeNs: 0,
  uptime_s: 75,
  status: "ok",
  levels: {},
  reason: "",
  commands_per_s: 1,
  messages_per_s: 1,
  connections: 12,
  viewers: 3,
  slow_viewers: 0,
  left_out: 1_200,
  latency: [],
  journal: { appended: 10_000, kept: 10_000, synced: 9_800, snapshot: 0 },
  feed: {
    messages: 20_110,
    unarchived: 12,
    subscribers: 4,
    slow_subscribers: 0,
    most_behind: 0,
    retransmission_requests: 3,
    retransmitted: 120,
  },
  memory_bytes: 120e6,
  capacity: {},
};

test("time since the start has two units", () => {
  assert.equal(uptime(75.9), "1 min 15 s");
  assert.equal(uptime(3_600), "1 h 0 min");
  assert.equal(uptime(90_000), "1 d 1 h");
});

test("facts are those of the exchange, and of the page's frames", () => {
  const facts = factsOf(figures, [9, 1, 2, 3, 4, 5, 6, 7, 8, 10]);
  assert.equal(facts.get("Up"), "1 min 15 s");
  assert.equal(facts.get("Memory"), "120MB");
  assert.equal(facts.get("Not synced"), "200");
  assert.equal(facts.get("Snapshot"), "none");
  assert.equal(facts.get("Slow"), "0");
  assert.equal(facts.get("Resent"), "120 in 3");
  assert.equal(facts.get("Frame"), "10.0 ms");
  assert.equal(factsOf(figures, []).get("Frame"), "0.0 ms");
  const feed = { ...figures.feed, slow_subscribers: 2, most_behind: 5_200 };
  assert.equal(factsOf({ ...figures, feed }, []).get("Slow"), "2, 5.20k behind");
});

test("what is nearly full is a warning, of figures and of levels", () => {
  const rows = [["open orders", "950", "1.00k", "95.0 %"]];
  assert.deepEqual(capacityOf({ open_orders: { used: 950, capacity: 1_000 } }), {
    rows,
    warning: true,
  });
  assert.equal(capacityOf({ open_orders: { used: 900, capacity: 1_000 } }).warning, false);
  assert.deepEqual(levelsOf({ open_orders: "warning" }), {
    rows: [["open orders", "", "", "warning"]],
    warning: false,
  });
  assert.equal(levelsOf({ open_orders: "full" }).warning, true);
});
