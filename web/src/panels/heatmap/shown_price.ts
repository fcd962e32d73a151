// The price around which the heatmap shows prices.
import type { ApiCandle } from "../../core/api.js";
import type { DepthBook } from "../../core/book.js";
import { toUnits } from "../../core/prices.js";
import type { Tape } from "../../core/tape.js";

export interface Source {
  book: DepthBook;
  tape: Tape;
}

/**
 * The middle of the first book that is not empty; else the last trade; else the price of the day's
 * candles at a time. Undefined: nothing has a price.
 */
export function shownPrice(
  sources: Source[],
  candles: ApiCandle[],
  timeNs: number,
): number | undefined {
  for (const { book } of sources) if (book.middle !== undefined) return book.middle;
  for (const { tape } of sources) {
    const last = tape.trades.at(-1);
    if (last) return last.price;
  }
  const candle = candles.filter(({ time_ns }) => time_ns <= timeNs).at(-1) ?? candles[0];
  return candle && toUnits(candle.close);
}
