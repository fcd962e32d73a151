// The HTTP API of the exchange; docs/reference/http.md describes it.
import type { Trade } from "./messages.js";
import { toUnits } from "./prices.js";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

async function answerOf(response: Response): Promise<unknown> {
  if (response.ok) return response.status === 204 ? undefined : response.json();
  const body = await response.json().catch(() => undefined);
  throw new ApiError(
    response.status,
    body?.error?.code ?? "",
    body?.error?.message ?? `${response.status} ${response.statusText}`,
  );
}

/** `busy` is answered while others wait; the second try comes after what the server asks for. */
async function get(path: string, query: object, signal?: AbortSignal): Promise<any> {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  const url = text ? `${path}?${text}` : path;
  const options: RequestInit = signal ? { signal } : {};
  const response = await fetch(url, options);
  if (response.status !== 503) return answerOf(response);
  const wait = Number(response.headers.get("Retry-After") ?? 1);
  await new Promise((done) => setTimeout(done, wait * 1_000));
  return answerOf(await fetch(url, options));
}

async function post(path: string, body: object): Promise<any> {
  return answerOf(
    await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

export interface Day {
  day: string;
  source: string;
  date: number;
  messages: number;
  first_time_ns?: number;
  last_time_ns?: number;
  complete: boolean;
  present: boolean;
  /** What is not known of its books, one sentence each. */
  not_known: string[];
}

export interface Heatmap {
  from_ns: number;
  column_ns: number;
  columns: number;
  rows: number;
  low: number;
  price_step: number;
  bid: (number | null)[];
  ask: (number | null)[];
  volume_bought: number[];
  volume_sold: number[];
  volume_other: number[];
  bids: string;
  asks: string;
  damage: string[];
}

export interface HeatmapQuery {
  day: string | undefined;
  symbol: string;
  from: number;
  until: number;
  columns: number;
  rows: number;
  /** Absent: those of the time. */
  low?: string;
  high?: string;
}

export interface ApiTrade {
  sequence: number;
  time_ns: number;
  price: number;
  quantity: number;
  aggressor?: "buy" | "sell";
  printable?: boolean;
  broken?: boolean;
}

export interface ApiCandle {
  time_ns: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  trades: number;
  turnover: number;
}

/** Of each column; null: no observation. */
export interface ApiMeasure {
  name: string;
  unit: string;
  values: (number | null)[];
}

export interface ApiMeasures {
  from_ns: number;
  interval_s: number;
  columns: number;
  measures: ApiMeasure[];
}

/** [largest value that it counts, count], by value. */
export type Buckets = [number, number][];

export interface LatencyDistribution {
  max: number;
  buckets: Buckets;
}

/** Nanoseconds. */
export interface ApiLatency {
  /** One message in so many is timed; 0: none. */
  sampled_every: number;
  lost_records: number;
  window_s: number;
  column_s: number;
  /** Begin of the last column, since the epoch. */
  end_s: number;
  /** Of finished runs. */
  runs: string[];
  rows: (LatencyDistribution & {
    gateway: string;
    stage: string;
    /** Of the gateway and stage that were asked for. */
    columns?: (LatencyDistribution & { begin_s: number })[];
  })[];
}

export interface SlowSubscriber {
  service: string;
  client: string;
  behind: number;
  unit: string;
}

export interface Book {
  time_ns: number;
  sequence: number;
  bids: { price: number; quantity: number; orders: number | null }[];
  asks: { price: number; quantity: number; orders: number | null }[];
}

export interface Replay {
  file: string;
  date: number;
  time: string;
  time_ns: number;
  speed: number | "max";
  paused: boolean;
  over: boolean;
  seeking: string | null;
}

export interface Participant {
  participant: number;
  group: string;
  orders: number;
  cancels: number;
  trades: number;
  volume: number;
  fees: number;
  profit: number;
  positions: { symbol: string; position: number; fees: number; profit: number }[];
}

export interface FixSession {
  session: string;
  state: string;
  next_outgoing: number;
  next_incoming: number;
  has_gap: boolean;
  is_resending: boolean;
}

export interface TimelineEntry {
  time_ns: number;
  end_ns?: number;
  event: string;
  group?: string;
}

export const api = {
  days: async (): Promise<Day[]> => (await get("/v1/days", {})).days,
  instruments: async (day: string): Promise<{ symbol: string; locate: number }[]> =>
    (await get("/v1/instruments", { day })).instruments,
  book: (query: {
    symbol: string;
    day?: string | undefined;
    at?: number;
    depth: number;
  }): Promise<Book> => get("/v1/book", query),
  heatmap: (query: HeatmapQuery, signal?: AbortSignal): Promise<Heatmap> =>
    get("/v1/heatmap", query, signal),
  trades: async (query: object, signal?: AbortSignal): Promise<ApiTrade[]> =>
    (await get("/v1/trades", query, signal)).trades,
  candles: async (query: object): Promise<ApiCandle[]> => (await get("/v1/candles", query)).candles,
  measures: (query: object): Promise<ApiMeasures> => get("/v1/measures", query),
  latency: (query: object): Promise<ApiLatency> => get("/timing", query),
  participants: (day: string | undefined): Promise<{ participants: Participant[] }> =>
    get("/v1/private/participants", { day }),
  slowSubscribers: async (): Promise<SlowSubscriber[]> =>
    (await get("/v1/private/subscribers", {})).slow,
  fixSessions: async (): Promise<FixSession[]> => (await get("/fix/sessions", {})).sessions,
  /** Only kept runs have one. */
  timeline: async (day: string): Promise<TimelineEntry[]> =>
    (await get("/v1/timeline", { day })).timeline,
  replay: (): Promise<Replay> => get("/v1/replay", {}),
  controlReplay: (change: object): Promise<Replay> => post("/v1/replay", change),
  login: (token: string): Promise<void> => post("/v1/login", { token }),
  logout: (): Promise<void> => post("/v1/logout", {}),
};

export function tradeOf(trade: ApiTrade): Trade {
  const aggressor = trade.aggressor === "buy" ? 1 : trade.aggressor === "sell" ? -1 : 0;
  return {
    sequence: trade.sequence,
    timeNs: trade.time_ns,
    price: toUnits(trade.price),
    quantity: trade.quantity,
    aggressor,
    ...(trade.broken ? { broken: true } : {}),
    ...(trade.printable === false ? { counts: false } : {}),
  };
}
