// Which candles the chart shows, and between which prices.
import type { Candle } from "../../core/candles.js";

export const leastCandles = 20;
export const mostCandles = 1_000;
const margin = 0.06;
const leastMargin = 100;

export function zoomed(count: number, factor: number): number {
  return Math.round(Math.min(mostCandles, Math.max(leastCandles, count * factor)));
}

/** How many newer candles are out of view after a move, of so many in all. */
export function panned(skipped: number, by: number, all: number): number {
  return Math.min(Math.max(0, all - leastCandles), Math.max(0, skipped + by));
}

/** From which candle to before which. */
export function inView(all: number, count: number, skipped: number): [number, number] {
  const end = Math.max(0, all - skipped);
  return [Math.max(0, end - count), end];
}

/** Lowest and highest price of the picture, in units. */
export function priceRange(candles: Candle[], vwap: number[]): [number, number] {
  const lowest = Math.min(...candles.map((candle) => candle.low), ...vwap);
  const highest = Math.max(...candles.map((candle) => candle.high), ...vwap);
  const apart = Math.max((highest - lowest) * margin, leastMargin);
  return [lowest - apart, highest + apart];
}
