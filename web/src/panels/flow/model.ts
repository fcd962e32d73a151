// Trade flow and liquidity of a window: what the charts show, from the heatmap's columns and from
// trades.
import type { Heatmap } from "../../core/api.js";
import { floatsOf } from "../../core/base64.js";
import type { Trade } from "../../core/messages.js";
import { unitsPerPrice } from "../../core/prices.js";
import type { Bubble, Point, Rect } from "../../ui/plot/model.js";

/** Where a column is, and what was traded in it. */
type Columns = Pick<Heatmap, "from_ns" | "column_ns" | "volume_bought" | "volume_sold">;
/** Best prices at the end of the columns. */
type Lines = Pick<Heatmap, "from_ns" | "column_ns" | "bid" | "ask">;
type Cells = Lines & Pick<Heatmap, "columns" | "rows" | "low" | "price_step" | "bids" | "asks">;

const middleOf = ({ from_ns, column_ns }: Pick<Heatmap, "from_ns" | "column_ns">, i: number) =>
  from_ns + (i + 0.5) * column_ns;

/** Bars of a volume up from zero, or, with a sign of −1, down. */
export function volumeBars(map: Columns, volumes: number[], sign: 1 | -1): Rect[] {
  return volumes.map((volume, i) => ({
    x0: map.from_ns + i * map.column_ns,
    x1: map.from_ns + (i + 1) * map.column_ns,
    y0: 0,
    y1: sign * volume,
    text: volume.toLocaleString("en-US"),
  }));
}

/** Bought less sold, summed up since the window began. */
export function cumulativeDelta(map: Columns): Point[] {
  let sum = 0;
  return map.volume_bought.map((bought, i) => {
    sum += bought - map.volume_sold[i]!;
    return [map.from_ns + (i + 1) * map.column_ns, sum];
  });
}

/** (bought − sold) ÷ (bought + sold) of each column with trades. */
export function tradeImbalance(map: Columns): Point[] {
  return map.volume_bought.map((bought, i) => {
    const sold = map.volume_sold[i]!;
    const all = bought + sold;
    return [middleOf(map, i), all ? (bought - sold) / all : undefined];
  });
}

/** Between the best prices, where there are both and they do not cross. */
export function middles(map: Lines): Point[] {
  return map.bid.map((bid, i) => {
    const ask = map.ask[i];
    const isKnown = bid !== null && ask != null && bid <= ask;
    return [map.from_ns + (i + 1) * map.column_ns, isKnown ? (bid + ask) / 2 : undefined];
  });
}

/** Displayed quantity of a side at most so many basis points from the mid, mean of each column. */
export function depthWithin(map: Cells, side: "bids" | "asks", basisPoints: number): Point[] {
  const cells = floatsOf(map[side]);
  return middles(map).map(([, middle], i) => {
    if (middle === undefined) return [middleOf(map, i), undefined];
    const most = (middle * basisPoints) / 1e4;
    let sum = 0;
    for (let row = 0; row < map.rows; row++) {
      // A row of one tick begins at its price; of a higher row this is its lowest one.
      const away = Math.abs(map.low + row * map.price_step - middle);
      if (away <= most + 1e-9) sum += cells[i * map.rows + row]!;
    }
    return [middleOf(map, i), sum];
  });
}

export interface ProfileRow {
  price: number;
  bought: number;
  sold: number;
  other: number;
}

const counted = (trades: Trade[]) =>
  trades.filter(({ broken, counts }) => !broken && counts !== false);

/** Volume by price, in steps of `step` units; lowest price first. */
export function profileOf(trades: Trade[], step: number): ProfileRow[] {
  const rows = new Map<number, ProfileRow>();
  for (const { price, quantity, aggressor } of counted(trades)) {
    const at = Math.floor(price / step) * step;
    const row = rows.get(at) ?? { price: at, bought: 0, sold: 0, other: 0 };
    rows.set(at, row);
    row[aggressor === 1 ? "bought" : aggressor === -1 ? "sold" : "other"] += quantity;
  }
  return [...rows.values()].sort((a, b) => a.price - b.price);
}

/** So that a profile of these prices has at most `most` rows: 1, 2 or 5 times a power of 10 cents. */
export function profileStep(trades: Trade[], most: number): number {
  const prices = counted(trades).map(({ price }) => price);
  const range = Math.max(...prices) - Math.min(...prices);
  for (let decade = 100; ; decade *= 10)
    for (const factor of [1, 2, 5])
      if (!(range / (decade * factor) > most - 1)) return decade * factor;
}

/** Bars beside each other from zero: bought, then sold, then the others. */
export function profileRects(
  rows: ProfileRow[],
  step: number,
  kind: "bought" | "sold" | "other",
): Rect[] {
  return rows.map((row) => {
    const from = kind === "bought" ? 0 : kind === "sold" ? row.bought : row.bought + row.sold;
    return {
      x0: from,
      x1: from + row[kind],
      y0: row.price / unitsPerPrice,
      y1: (row.price + step * 0.86) / unitsPerPrice,
      text: row[kind].toLocaleString("en-US"),
    };
  });
}

/** The price at which most was traded. */
export function pointOfControl(rows: ProfileRow[]): number | undefined {
  const volume = ({ bought, sold, other }: ProfileRow) => bought + sold + other;
  const best = rows.reduce<ProfileRow | undefined>(
    (found, row) => (!found || volume(row) > volume(found) ? row : found),
    undefined,
  );
  return best && best.price / unitsPerPrice;
}

/** The largest trades, oldest first. Of equal ones, if there are too many, some of all the time. */
export function largest(trades: Trade[], most: number): Trade[] {
  const scattered = ({ sequence }: Trade) => Math.imul(sequence, 0x9e3779b1) >>> 0;
  return counted(trades)
    .sort((a, b) => b.quantity - a.quantity || scattered(a) - scattered(b))
    .slice(0, most)
    .sort((a, b) => a.sequence - b.sequence);
}

/** The quantity of the largest bubble: trades of the usual size stay small, even if all are alike. */
export function bubbleScale(trades: Trade[]): number {
  const sizes = trades.map(({ quantity }) => quantity).sort((a, b) => a - b);
  const median = sizes[sizes.length >> 1] ?? 1;
  return Math.max(10 * median, sizes.at(-1) ?? 1);
}

export function bubblesOf(trades: Trade[], aggressor: Trade["aggressor"]): Bubble[] {
  const word = { "1": "bought", "-1": "sold", "0": "auction or hidden" }[String(aggressor)];
  return trades
    .filter((trade) => trade.aggressor === aggressor)
    .map(({ timeNs, price, quantity }) => ({
      x: timeNs,
      y: price / unitsPerPrice,
      size: quantity,
      text: `${quantity.toLocaleString("en-US")} ${word} at ${(price / unitsPerPrice).toFixed(2)}`,
    }));
}
