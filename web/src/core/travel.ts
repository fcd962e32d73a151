// Going back in time: the book and the trades at an earlier moment, from the archive.
import { api, tradeOf } from "./api.js";
import { DepthBook } from "./book.js";
import { Signal } from "./signal.js";
import { toUnits } from "./prices.js";
import { Tape } from "./tape.js";

const levels = 200;
const patienceMs = 150;
const tapeLengthsNs = [60e9, 600e9, 3_600e9, 86_400e9];
const wantedTrades = 200;

export class Travel {
  /** Nanoseconds since midnight; undefined: the present. */
  at: number | undefined;
  /** An archived day; undefined: the present one. */
  day: string | undefined;
  readonly book = new DepthBook();
  readonly tape = new Tape();
  /** `at` has changed, or the book or trades for it have arrived. */
  readonly onChange = new Signal();
  readonly onError = new Signal<unknown>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Another day or instrument: what was shown is not of it. */
  forget(): void {
    this.book.clear();
    this.tape.clear();
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
      const answer = await api.book({ symbol, day, at, depth: levels });
      const trades = await this.tradesBefore(symbol, at);
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
      this.tape.add(trades);
      this.onChange.emit();
    } catch (error) {
      this.onError.emit(error);
    }
  }

  /** Pages begin with the oldest, so it looks back further and further. */
  private async tradesBefore(symbol: string, at: number) {
    for (const length of tapeLengthsNs) {
      const from = Math.max(0, at - length);
      const trades = await api.trades({
        symbol,
        day: this.day,
        from,
        until: at,
        limit: 10_000,
      });
      if (trades.length >= wantedTrades || from === 0) return trades.map(tradeOf);
    }
    return [];
  }
}
