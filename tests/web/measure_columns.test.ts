// Columns of measures: what is asked for, and what is kept.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MeasureColumns } from "../../web/src/core/measure_columns.js";

const answer = (from_s: number, values: (number | null)[]) => ({
  from_ns: from_s * 1e9,
  interval_s: 5,
  columns: values.length,
  measures: [{ name: "depth_1", unit: "shares", values }],
});

test("the present is asked for from its last column on, and the oldest ones are forgotten", async () => {
  const asked: string[] = [];
  const answers = [answer(100, [1, null, 3]), answer(110, [30, 4]), answer(200, [9])];
  globalThis.fetch = ((url: string) => {
    asked.push(url);
    return Promise.resolve(new Response(JSON.stringify(answers.shift())));
  }) as typeof fetch;
  const columns = new MeasureColumns();
  const window = { symbol: "AAPL", day: undefined, columnSeconds: 5 };
  await columns.fetch({ ...window, from: 101e9, until: 112e9 });
  assert.equal(
    asked[0],
    "/v1/measures?symbol=AAPL&from=101000000000&until=112000000000&interval=5",
  );
  assert.deepEqual(columns.points("depth_1"), [
    [102.5e9, 1],
    [107.5e9, undefined],
    [112.5e9, 3],
  ]);
  await columns.fetch({ ...window, from: 106e9, until: 117e9 });
  assert.match(asked[1]!, /from=110000000000/);
  assert.deepEqual(columns.points("depth_1", 2), [
    [107.5e9, undefined],
    [112.5e9, 60],
    [117.5e9, 8],
  ]);
  await columns.fetch({ ...window, symbol: "MSFT", from: 198e9, until: 203e9 });
  assert.deepEqual(columns.points("depth_1"), [[202.5e9, 9]], "another market");
  columns.clear();
  assert.deepEqual(columns.points("depth_1"), []);
});
