// The latest trades of one instrument, newest last, and which of them a viewer wants to see.
import type { Trade } from "./messages.js";

export interface TapeFilter {
  side: "all" | "buy" | "sell";
  least: number;
}

export class Tape {
  trades: Trade[] = [];

  constructor(private readonly capacity = 20_000) {}

  clear(): void {
    this.trades = [];
  }

  /**
   * Trades that are there already, or older than the newest, are of a snapshot that overlaps; or
   * without quantity: they are broken.
   */
  add(trades: Trade[]): void {
    const newest = this.trades.at(-1)?.sequence ?? 0;
    for (const trade of trades) {
      if (trade.sequence > newest) this.trades.push(trade);
      if (trade.quantity === 0) this.breakTrade(trade.sequence);
    }
    // Cut in larger pieces: each cut copies what remains.
    if (this.trades.length > this.capacity * 1.25) this.trades = this.trades.slice(-this.capacity);
  }

  private breakTrade(sequence: number): void {
    const found = this.trades.find((trade) => trade.sequence === sequence);
    if (found) found.broken = true;
  }

  /** Puts trades before the ones that are known. */
  addEarlier(trades: Trade[]): void {
    const oldest = this.trades[0]?.sequence ?? Infinity;
    this.trades = [...trades.filter((trade) => trade.sequence < oldest), ...this.trades];
  }

  /** Those that count in the volume of the day. */
  get counted(): Trade[] {
    return this.trades.filter(({ broken, counts }) => !broken && counts !== false);
  }

  /** The newest `count` that pass, newest first. */
  latest(count: number, filter: TapeFilter): Trade[] {
    const found: Trade[] = [];
    for (let i = this.trades.length - 1; i >= 0 && found.length < count; i--) {
      const trade = this.trades[i]!;
      if (trade.quantity < filter.least) continue;
      if (filter.side === "buy" && trade.aggressor !== 1) continue;
      if (filter.side === "sell" && trade.aggressor !== -1) continue;
      found.push(trade);
    }
    return found;
  }
}
