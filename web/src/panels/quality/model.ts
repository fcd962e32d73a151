// The texts of the measures.
import type { DepthBook } from "../../core/book.js";
import { imbalance, spread, volatilityWindowNs, type Volatility } from "../../core/measures.js";
import { formatPrice, formatQuantity, formatShort } from "../../core/prices.js";

export const levels = 5;
const none = "–";

/** 0.02 · 2.0 bp */
export function spreadText(book: DepthBook): string {
  const [width, { middle }] = [spread(book), book];
  if (width === undefined || middle === undefined) return none;
  return `${formatPrice(width)} · ${((1e4 * width) / middle).toFixed(1)} bp`;
}

export function depthText({ bids, asks }: DepthBook): string {
  return `${formatQuantity(bids.depth(levels))} / ${formatQuantity(asks.depth(levels))}`;
}

export function imbalanceText(book: DepthBook): string {
  const part = imbalance(book, levels);
  return `${part >= 0 ? "+" : "−"}${Math.abs(part).toFixed(2)}`;
}

/** With the time that it is over, while that is shorter than the window. */
export function volatilityText({ value, lengthNs }: Volatility): string {
  if (value === undefined) return none;
  const isWhole = lengthNs >= volatilityWindowNs * 0.98;
  const length = isWhole ? "" : ` · ${Math.round(lengthNs / 1e9)} s`;
  return `${value.toFixed(1)} bp/√min${length}`;
}

export interface Counts {
  orders: number;
  trades: number;
  cancels: number;
}

/** Of a past moment the trades are known, not how many orders there were: then `counts` is absent. */
export function countTexts(counts: Counts | undefined): { ratio: string; cancels: string } {
  const { orders, trades, cancels } = counts ?? { orders: 0, trades: 0, cancels: 0 };
  return {
    ratio: trades ? (orders / trades).toFixed(1) : none,
    cancels: orders ? `${((100 * cancels) / orders).toFixed(0)} %` : none,
  };
}

export interface Traded {
  volume: number;
  turnover: number;
}

export function tradedTexts(traded: Traded | undefined): { vwap: string; turnover: string } {
  if (!traded?.volume) return { vwap: none, turnover: none };
  const { turnover, volume } = traded;
  return { vwap: (turnover / volume).toFixed(2), turnover: formatShort(turnover) };
}
