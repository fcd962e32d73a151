// What each participant has, by group and one by one.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Participant } from "../../core/api.js";
import { rowsOf } from "./model.js";

const one = (
  participant: number,
  group: string,
  position: number,
  profit: number,
): Participant => ({
  participant,
  group,
  orders: 10,
  cancels: 1,
  trades: 2,
  volume: 100,
  fees: 0.5,
  profit,
  positions: [
    { symbol: "AAPL", position, fees: 0.5, profit },
    { symbol: "MSFT", position: 7, fees: 0, profit: 0 },
  ],
});

test("a group is the sum over its members, the best profit first", () => {
  const all = [one(1, "noise", -20, -5), one(2, "makers", 50, 12.5), one(3, "noise", 5, 1)];
  assert.deepEqual(
    rowsOf(all, "AAPL", true).map(({ name, members, position, profit, fees, trades }) => [
      name,
      members,
      position,
      profit,
      fees,
      trades,
    ]),
    [
      ["makers", 1, 50, 12.5, 0.5, 2],
      ["noise", 2, -15, -4, 1, 4],
    ],
  );
});

test("one by one, each has its number; the position is that of the instrument", () => {
  const all = [one(1, "noise", -20, -5), one(9, "", 50, 3)];
  assert.deepEqual(
    rowsOf(all, "MSFT", false).map(({ name, position }) => [name, position]),
    [
      ["#9", 7],
      ["noise #1", 7],
    ],
  );
  assert.equal(rowsOf(all, "NONE", false)[0]!.position, 0);
  assert.equal(rowsOf(all, "AAPL", true)[0]!.name, "#9", "who has no group stays alone");
});
