// What the archive tells of the time before a moment: trades, best prices, and the day so far.
import { api, ApiError, tradeOf, type Heatmap } from "./api.js";
import { volatilityWindowNs, type Sample } from "./measures.js";
import type { DaySoFar, Trade } from "./messages.js";
import { toUnits } from "./prices.js";

const mostTrades = 10_000;
const firstLengthNs = 60e9;
const longer = 10;
const shorter = 8;
const leastLengthNs = 1e6;

export interface Where {
  symbol: string;
  /** Undefined: the present one. */
  day: string | undefined;
}

export interface TradesBefore {
  trades: Trade[];
  /** All trades from this time on are there. */
  sinceNs: number;
}

/**
 * At least `wanted` trades up to a time, if there are as many. Pages begin with the oldest, so it
 * looks back further while there are too few, and less far if a page does not hold them all.
 */
export async function tradesBefore(
  where: Where,
  atNs: number,
  wanted: number,
): Promise<TradesBefore> {
  let [length, full] = [firstLengthNs, Infinity];
  for (;;) {
    const sinceNs = Math.max(0, atNs - length);
    const rows = await api.trades({ ...where, from: sinceNs, until: atNs, limit: mostTrades });
    if (rows.length >= mostTrades && length > leastLengthNs) {
      full = length;
      length = Math.ceil(length / shorter);
      continue;
    }
    // So many at one time that no page holds them.
    if (rows.length >= mostTrades) return { trades: rows.map(tradeOf), sinceNs: Infinity };
    const isEnough = rows.length >= wanted || sinceNs === 0 || length * longer >= full;
    if (isEnough) return { trades: rows.map(tradeOf), sinceNs };
    length *= longer;
  }
}

/** The best prices of each second of the window of the volatility; a side may be missing. */
export interface BestPrices {
  timeNs: number;
  bid: number | undefined;
  ask: number | undefined;
}

export function bestPricesOf(map: Pick<Heatmap, "from_ns" | "column_ns" | "bid" | "ask">) {
  const units = (price: number | null | undefined) => (price == null ? undefined : toUnits(price));
  return map.bid.map(
    (bid, i): BestPrices => ({
      // They are those of the end of the column.
      timeNs: map.from_ns + (i + 1) * map.column_ns,
      bid: units(bid),
      ask: units(map.ask[i]),
    }),
  );
}

/** None, where the day tells no book of that time. */
export async function bestPricesBefore(where: Where, atNs: number): Promise<BestPrices[]> {
  const from = Math.max(0, atNs - volatilityWindowNs);
  const columns = volatilityWindowNs / 1e9;
  try {
    const map = await api.heatmap({ ...where, from, until: atNs, columns, rows: 1 });
    return bestPricesOf(map).filter(({ timeNs }) => timeNs <= atNs);
  } catch (error) {
    if (error instanceof ApiError && error.code === "book_not_known") return [];
    throw error;
  }
}

/** The middle prices of times with both sides, if these do not cross. */
export function middlesOf(prices: BestPrices[]): Sample[] {
  return prices.flatMap(({ timeNs, bid, ask }) =>
    bid === undefined || ask === undefined || ask < bid ? [] : [{ timeNs, middle: (bid + ask) / 2 }],
  );
}

const nothingTraded: DaySoFar = {
  open: null,
  high: null,
  low: null,
  last: null,
  volume: 0,
  turnover: 0,
  trades: 0,
};

export async function dayBefore(where: Where, atNs: number): Promise<DaySoFar> {
  const [one] = await api.candles({ ...where, until: atNs, interval: 86_400 });
  if (!one) return nothingTraded;
  const { open, high, low, close, volume, turnover, trades } = one;
  return { open, high, low, last: close, volume, turnover, trades };
}
