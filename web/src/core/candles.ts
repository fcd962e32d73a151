// Candles of one instrument and one interval, oldest first.
import type { ApiCandle } from "./api.js";
import type { CandleRow, Trade } from "./messages.js";
import { toUnits, unitsPerPrice } from "./prices.js";

export interface Candle {
  beginNs: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  trades: number;
  /** Sum of price (not units) times quantity. */
  turnover: number;
}

export function candleOfRow(row: CandleRow): Candle {
  const [beginNs, open, high, low, close, volume, trades, turnover] = row;
  return {
    beginNs,
    open: toUnits(open),
    high: toUnits(high),
    low: toUnits(low),
    close: toUnits(close),
    volume,
    trades,
    turnover,
  };
}

export function candleOfApi(one: ApiCandle): Candle {
  return {
    beginNs: one.time_ns,
    open: toUnits(one.open),
    high: toUnits(one.high),
    low: toUnits(one.low),
    close: toUnits(one.close),
    volume: one.volume,
    trades: one.trades,
    turnover: one.turnover,
  };
}

/** The candle of these trades, oldest first; undefined if there are none. */
export function candleOfTrades(beginNs: number, trades: Trade[]): Candle | undefined {
  const prices = trades.map(({ price }) => price);
  if (prices.length === 0) return undefined;
  return {
    beginNs,
    open: prices[0]!,
    high: Math.max(...prices),
    low: Math.min(...prices),
    close: prices.at(-1)!,
    volume: trades.reduce((sum, { quantity }) => sum + quantity, 0),
    trades: trades.length,
    turnover: trades.reduce((sum, { price, quantity }) => sum + price * quantity, 0) / unitsPerPrice,
  };
}

export interface Moment {
  atNs: number;
  /** The trades before it, all of those from `sinceNs` on. */
  trades: Trade[];
  sinceNs: number;
}

export class CandleSeries {
  candles: Candle[] = [];

  clear(): void {
    this.candles = [];
  }

  /** Replaces a candle of the same time, or puts it in its place. */
  put(candle: Candle): void {
    let at = this.candles.length;
    while (at > 0 && this.candles[at - 1]!.beginNs > candle.beginNs) at -= 1;
    const same = at > 0 && this.candles[at - 1]!.beginNs === candle.beginNs;
    this.candles.splice(same ? at - 1 : at, same ? 1 : 0, candle);
  }

  /**
   * As they stood at a moment: the candle that had not ended is made of the trades up to then, and
   * left out if they are not known.
   */
  before({ atNs, trades, sinceNs }: Moment, seconds: number): CandleSeries {
    const beginNs = Math.floor(atNs / (seconds * 1e9)) * seconds * 1e9;
    const seen = new CandleSeries();
    seen.candles = this.candles.filter((candle) => candle.beginNs < beginNs);
    const latest = trades.filter(({ timeNs }) => timeNs >= beginNs && timeNs <= atNs);
    const current = sinceNs <= beginNs ? candleOfTrades(beginNs, latest) : undefined;
    if (current) seen.candles.push(current);
    return seen;
  }

  /** Volume-weighted average price of the day after each candle, in units. */
  vwap(): number[] {
    let [volume, turnover] = [0, 0];
    return this.candles.map((candle) => {
      volume += candle.volume;
      turnover += candle.turnover;
      return volume > 0 ? toUnits(turnover / volume) : candle.close;
    });
  }
}
