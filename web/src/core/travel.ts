// Going back in time: the book and the trades at an earlier moment, from the archive.
import { api } from "./api.js";
import { DepthBook } from "./book.js";
import { bestPricesBefore, dayBefore, tradesBefore, type BestPrices } from "./history.js";
import type { DaySoFar } from "./messages.js";
import { Signal } from "./signal.js";
import { toUnits } from "./prices.js";
import { Tape } from "./tape.js";

const levels = 200;
const patienceMs = 150;
const wantedTrades = 200;

export class Travel {
  /** Nanoseconds since midnight; undefined: the present. */
  at: number | undefined;
  /** An archived day; undefined: the present one. */
  day: string | undefined;
  readonly book = new DepthBook();
  readonly tape = new Tape();
  /** The tape has all trades from this time on. */
  tapeSinceNs = Infinity;
  /** Of the minutes before. */
  prices: BestPrices[] = [];
  soFar: DaySoFar | undefined;
  /** `at` has changed, or the book or trades for it have arrived. */
  readonly onChange = new Signal();
  readonly onError = new Signal<unknown>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Another day or instrument: what was shown is not of it. */
  forget(): void {
    this.book.clear();
    this.tape.clear();
    this.tapeSinceNs = Infinity;
    this.prices = [];
    this.soFar = undefined;
  }

  /** The book and trades arrive a little later; of quick moves, only for the last one. */
  goTo(at: number | undefined, symbol: string | undefined): void {
    clearTimeout(this.timer);
    this.at = at === undefined ? undefined : Math.max(0, Math.floor(at));
    if (at !== undefined && symbol !== undefined)
      this.timer = setTimeout(() => void this.fetch(symbol), patienceMs);
    this.onChange.emit();
  }

  private async fetch(symbol: string): Promise<void> {
    const { at, day } = this;
    if (at === undefined) return;
    try {
      const where = { symbol, day };
      const [answer, before, prices, soFar] = await Promise.all([
        api.book({ ...where, at, depth: levels }),
        tradesBefore(where, at, wantedTrades),
        bestPricesBefore(where, at),
        dayBefore(where, at),
      ]);
      if (at !== this.at || day !== this.day) return;
      this.book.clear();
      this.book.sequence = answer.sequence;
      this.book.timeNs = answer.time_ns;
      for (const [side, rows] of [
        ["bid", answer.bids],
        ["ask", answer.asks],
      ] as const)
        for (const { price, quantity, orders } of rows)
          this.book.set(side, { price: toUnits(price), quantity, orders });
      this.tape.clear();
      this.tape.add(before.trades);
      this.tapeSinceNs = before.sinceNs;
      this.prices = prices;
      this.soFar = soFar;
      this.onChange.emit();
    } catch (error) {
      this.onError.emit(error);
    }
  }
}
