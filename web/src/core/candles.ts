// Candles of one instrument and one interval, oldest first.
import type { ApiCandle } from "./api.js";
import type { CandleRow } from "./messages.js";
import { toUnits } from "./prices.js";

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
