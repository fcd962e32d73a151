// The messages of /v1/stream as the page uses them; docs/protocols/stream.md describes them.
import type { Side } from "./book.js";

export interface Instrument {
  symbol: string;
  locate: number;
}

export interface Hello {
  type: "hello";
  version: number;
  session: string | null;
  date: number;
  sequence: number;
  trading: boolean;
  participant?: number;
  instruments: Instrument[];
}

export type Channel =
  "top" | "depth" | "orders" | "trades" | "candles" | "state" | "statistics" | "exchange";

/** What snapshots and changes of all channels have. */
export interface Update {
  type: "snapshot" | "changes";
  channel: Channel;
  symbol?: string;
  sequence: number;
  /** Only changes have it: the state to which they apply. */
  previous?: number;
  timeNs: number;
}

export interface DepthUpdate extends Update {
  channel: "depth";
  rows: { side: Side; price: number; quantity: number; orders: number | null }[];
}

export interface OrdersUpdate extends Update {
  channel: "orders";
  rows: { side: Side; reference: number; price: number; quantity: number }[];
}

/** 1: the buyer came in, -1: the seller, 0: not told. */
export type Aggressor = 1 | -1 | 0;

export interface Trade {
  sequence: number;
  timeNs: number;
  price: number;
  quantity: number;
  aggressor: Aggressor;
  /** The operator has busted or corrected it. */
  broken?: boolean;
  /** False: not in the volume of the day. */
  counts?: boolean;
}

export interface TradesUpdate extends Update {
  channel: "trades";
  trades: Trade[];
  omitted: number;
}

/** [begin_ns, open, high, low, close, volume, trades, turnover] */
export type CandleRow = [number, number, number, number, number, number, number, number];

export interface CandlesUpdate extends Update {
  channel: "candles";
  candle?: CandleRow | null;
  candles?: CandleRow[];
  /** Older ones are missing: more changed than a message tells. */
  omitted?: boolean;
}

/** `call`: orders are collected for an auction. */
export type TradingState = "trading" | "halted" | "call";

/** Why an instrument does not trade as usual. */
export type HaltCause =
  "operator" | "volatility" | "market_wide_1" | "market_wide_2" | "market_wide_3";

/** What an auction would be if it took place now. */
export interface Auction {
  type: "opening" | "closing" | "reopening" | "intraday";
  /** Null: nothing could trade. */
  price: number | null;
  quantity: number;
  imbalance: number;
  /** Of the imbalance. */
  side: "buy" | "sell" | null;
}

export interface StateUpdate extends Update {
  channel: "state";
  state: TradingState;
  cause: HaltCause | null;
  /** [lowest, highest] price of the auction after a pause. */
  collar: [number, number] | null;
  auction: Auction | null;
}

/** What the trades of the day were up to a moment. */
export interface DaySoFar {
  open: number | null;
  high: number | null;
  low: number | null;
  last: number | null;
  volume: number;
  turnover: number;
  trades: number;
}

export interface StatisticsUpdate extends Update, DaySoFar {
  channel: "statistics";
  orders: number;
  executions: number;
  cancels: number;
}

export interface LatencyRow {
  request: string;
  stage: string;
  count: number;
  p50_ns: number;
  p99_ns: number;
  max_ns: number;
}

export type Level = "ok" | "warning" | "full";

/** What everybody is told of the exchange. */
export interface ExchangeUpdate extends Update {
  channel: "exchange";
  uptime_s: number;
  status: string;
  levels: Record<string, Level>;
}

/** What the operator is told. */
export interface ExchangeFigures extends ExchangeUpdate {
  reason: string;
  commands_per_s: number;
  messages_per_s: number;
  connections: number;
  viewers: number;
  slow_viewers: number;
  left_out: number;
  latency: LatencyRow[];
  journal: { appended: number; kept: number; synced: number; snapshot: number };
  feed: {
    messages: number;
    unarchived: number;
    subscribers: number;
    slow_subscribers: number;
    most_behind: number;
    retransmission_requests: number;
    retransmitted: number;
  };
  memory_bytes: number;
  capacity: Record<string, { used: number; capacity: number }>;
}

export function hasFigures(update: ExchangeUpdate): update is ExchangeFigures {
  return "capacity" in update;
}

export type OrderState = "sent" | "open" | "finished" | "unsure";

export interface OrderMessage {
  type: "order";
  order: number;
  reference: number;
  symbol: string;
  side: "buy" | "sell";
  /** Null: a market order. */
  price: number | null;
  open: number;
  filled: number;
  state: OrderState;
  what: string;
  message: string;
  request?: number;
  last?: [number, number];
}

export interface ErrorMessage {
  type: "error";
  code: string;
  message: string;
  channel?: Channel;
  symbol?: string;
  request?: number;
}
