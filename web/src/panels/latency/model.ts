// Distributions of stage times: percentiles, bars and cells of what /timing tells.
import type { ApiLatency, Buckets, LatencyDistribution } from "../../core/api.js";
import { formatDuration, formatTime } from "../../core/time.js";
import type { Axis, Point, Rect } from "../../ui/plot/model.js";

export const percents = [50, 90, 99, 99.9, 99.99] as const;
/** The server's buckets: 32 for each power of two. */
const bucketsOfPower = 32;
/** Bars and cells for each power of two. */
const barsOfPower = 4;

export const countOf = (buckets: Buckets) => buckets.reduce((sum, [, count]) => sum + count, 0);

/**
 * The smallest bound that so many percent do not exceed, never above the largest value; undefined
 * without values. As in the exchange's own tables.
 */
export function percentile(
  { buckets, max }: LatencyDistribution,
  percent: number,
): number | undefined {
  const count = countOf(buckets);
  if (count === 0) return undefined;
  const rank = Math.ceil(((percent * count) / 100) * (1 - 1e-14));
  let seen = 0;
  for (const [bound, times] of buckets) {
    seen += times;
    if (seen >= rank) return Math.min(bound, max);
  }
  return max;
}

/** Where the bar of a value is, on a scale of powers. */
function barOf(bound: number): number {
  // Bounds are the last values of their buckets: what is in the middle belongs to one bar for certain.
  return Math.floor(Math.log2(Math.max(1, bound * (1 - 0.5 / bucketsOfPower))) * barsOfPower);
}

function bars(buckets: Buckets): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [bound, count] of buckets) {
    const bar = barOf(bound);
    counts.set(bar, (counts.get(bar) ?? 0) + count);
  }
  return counts;
}

const edge = (bar: number) => 2 ** (bar / barsOfPower);
const rangeText = (bar: number) =>
  `${formatDuration(edge(bar))} to ${formatDuration(edge(bar + 1))}`;

/** A bar for each quarter of a power of two: part of the messages in percent. */
export function histogramRects(buckets: Buckets): Rect[] {
  const count = countOf(buckets);
  return [...bars(buckets)].map(([bar, times]) => ({
    x0: edge(bar),
    x1: edge(bar + 1),
    y0: 0,
    y1: (100 * times) / count,
    text: `${((100 * times) / count).toFixed(times < count / 100 ? 2 : 1)} % (${times}) ${rangeText(bar)}`,
  }));
}

/** How much slower than a value messages are: percent of them, on a scale of powers of ten. */
export function tailPoints(distribution: LatencyDistribution): Point[] {
  const count = countOf(distribution.buckets);
  let seen = 0;
  return distribution.buckets.flatMap(([bound, times]): Point[] => {
    seen += times;
    const left = count - seen;
    return left > 0 ? [[bound, (100 * left) / count]] : [[distribution.max, (100 * times) / count]];
  });
}

export type Column = NonNullable<ApiLatency["rows"][number]["columns"]>[number];

type Times = Pick<ApiLatency, "column_s" | "end_s">;

/** A cell for each column of time and bar: `shade` is 0 to 1, by the logarithm of the count. */
export function cellsOf(
  columns: Column[],
  { column_s, end_s }: Times,
  shade: (part: number) => string,
): Rect[] {
  const all = columns.map(({ begin_s, buckets }) => ({ begin_s, counts: bars(buckets) }));
  const most = Math.max(1, ...all.flatMap(({ counts }) => [...counts.values()]));
  return all.flatMap(({ begin_s, counts }) =>
    [...counts].map(([bar, count]) => ({
      x0: sinceMidnight(begin_s, end_s),
      x1: sinceMidnight(begin_s + column_s, end_s),
      y0: edge(bar),
      y1: edge(bar + 1),
      fill: shade(Math.log1p(count) / Math.log1p(most)),
      opacity: 1,
      text: `${count} × ${rangeText(bar)}`,
    })),
  );
}

const dayS = 86_400;

/** Times since the epoch as nanoseconds since the midnight before `endS`; negative: the day before. */
export const sinceMidnight = (seconds: number, endS: number): number =>
  (seconds - Math.floor(endS / dayS) * dayS) * 1e9;

export const utcAxis = (endS: number): Axis => ({
  title: `${new Date(endS * 1_000).toISOString().slice(0, 10)}, UTC`,
  kind: "time",
  format: (ns) => formatTime((Math.round(ns) + dayS * 1e9) % (dayS * 1e9)),
});

/** A percentile of each column. */
export function overTime(columns: Column[], { column_s, end_s }: Times, percent: number): Point[] {
  return columns.map((column) => [
    sinceMidnight(column.begin_s + column_s / 2, end_s),
    percentile(column, percent),
  ]);
}

/** Of a gateway and a stage: name, count, percentiles and the largest, as texts. */
export function tableRow(row: ApiLatency["rows"][number]): string[] {
  return [
    row.stage,
    countOf(row.buckets).toLocaleString("en-US"),
    ...percents.map((percent) => formatDuration(percentile(row, percent) ?? 0)),
    formatDuration(row.max),
  ];
}

/** Why there is nothing to see; undefined: there is. */
export function whyNothing(
  { sampled_every, rows }: ApiLatency,
  isFinished: boolean,
): string | undefined {
  if (rows.length > 0) return undefined;
  if (sampled_every === 0) return "Nothing was measured: the exchange runs with --timing off";
  const where = isFinished ? "in the last hour of this run" : "in this time";
  return `No message was timed ${where} (one in ${sampled_every} is)`;
}
