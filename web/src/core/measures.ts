// Measures of the market over the last minutes, from samples of its book.
import type { DepthBook } from "./book.js";

export interface Sample {
  timeNs: number;
  middle: number;
}

export const volatilityWindowNs = 300e9;
const nsOfMinute = 60e9;

/** Between -1, all on the ask side, and 1; of the first `levels` of each side. */
export function imbalance(book: DepthBook, levels: number): number {
  const [bid, ask] = [book.bids.depth(levels), book.asks.depth(levels)];
  return bid + ask > 0 ? (bid - ask) / (bid + ask) : 0;
}

/** Undefined if a side is empty, or the book is crossed, as while orders are collected. */
export function spread(book: DepthBook): number | undefined {
  const [bid, ask] = [book.bids.best?.price, book.asks.best?.price];
  return bid === undefined || ask === undefined || ask < bid ? undefined : ask - bid;
}

/** Realised volatility of the middle price in basis points for the square root of a minute. */
export class Volatility {
  private samples: Sample[] = [];

  clear(): void {
    this.samples = [];
  }

  /** Samples of equal times, or that go back, are left out. */
  add(sample: Sample): void {
    if (sample.timeNs <= (this.samples.at(-1)?.timeNs ?? -Infinity)) return;
    this.samples.push(sample);
    this.forget(sample.timeNs);
  }

  /** Puts samples before those that are known, oldest first. */
  addEarlier(samples: Sample[]): void {
    const oldest = this.samples[0]?.timeNs ?? Infinity;
    this.samples = [...samples.filter(({ timeNs }) => timeNs < oldest), ...this.samples];
    this.forget(this.samples.at(-1)?.timeNs ?? 0);
  }

  private forget(nowNs: number): void {
    const first = this.samples.findIndex(({ timeNs }) => timeNs >= nowNs - volatilityWindowNs);
    this.samples.splice(0, first);
  }

  /** What `value` is over: less than the window at the start of a day. */
  get lengthNs(): number {
    return (this.samples.at(-1)?.timeNs ?? 0) - (this.samples[0]?.timeNs ?? 0);
  }

  get value(): number | undefined {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || first === last) return undefined;
    let squares = 0;
    for (let i = 1; i < this.samples.length; i++)
      squares += Math.log(this.samples[i]!.middle / this.samples[i - 1]!.middle) ** 2;
    return 1e4 * Math.sqrt((squares * nsOfMinute) / (last.timeNs - first.timeNs));
  }
}
