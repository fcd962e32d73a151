// What the dashboards of the market share: a window of time that ends now or at the moment that the
// page shows, and fetching what is in it, again and again while it is the present.
import { api, type Day } from "../core/api.js";
import type { App } from "./app.js";
import { select, Size } from "./dom.js";
import type { Axis } from "./plot/model.js";

export const windows = [
  [60, "1 min"],
  [300, "5 min"],
  [900, "15 min"],
  [3_600, "1 h"],
  [0, "Day"],
] as const;
const usual = 300;
const columnLengths = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900];
const mostColumns = 65;

/** Seconds of a column, so that a window has about sixty of them at most. */
export function columnSeconds(lengthNs: number): number {
  const fitting = columnLengths.find((seconds) => lengthNs / (seconds * 1e9) <= mostColumns);
  return fitting ?? columnLengths.at(-1)!;
}

export interface Span {
  symbol: string;
  /** Undefined: the present one. */
  day: string | undefined;
  /** 2026-12-01 */
  date: string;
  /** Nanoseconds since midnight. */
  from: number;
  until: number;
  columnSeconds: number;
}

/** Times are those of the exchange, on the day that is shown. */
export const timeAxis = ({ date, from, until }: Span): Axis => ({
  title: `${date}, time zone of the exchange`,
  kind: "time",
  low: from,
  high: until,
});

const tickMs = 500;

export class Windowed {
  readonly choice: HTMLSelectElement;
  private seconds: number;
  private asked = "";
  private askedAt = -Infinity;
  private isBusy = false;
  private day: Day | undefined;

  constructor(
    private readonly app: App,
    private readonly size: Size,
    private readonly refreshMs: number,
    private readonly fetch: (span: Span) => Promise<void>,
    private readonly failed: (error: Error) => void,
  ) {
    const { state, travel, market } = app;
    this.seconds = windows.some(([one]) => one === state.window) ? state.window! : usual;
    this.choice = select("Window of time", windows, this.seconds, (seconds) => {
      this.seconds = state.window = seconds;
      app.remember();
      this.look();
    });
    travel.onChange.subscribe(() => this.look());
    market.onSymbol.subscribe(() => this.look());
    setInterval(() => this.look(), tickMs);
  }

  /** Something else that it depends on has changed. */
  again(): void {
    this.asked = "";
    this.look();
  }

  private get isPresent(): boolean {
    const { travel } = this.app;
    return travel.day === undefined && travel.at === undefined;
  }

  private look(): void {
    const { market, travel } = this.app;
    if (market.symbol === undefined || !this.size.visible || this.isBusy) return;
    if (this.isPresent && market.clock.lastNs === 0) return;
    const wanted = [market.symbol, travel.day, travel.at, this.seconds].join();
    const isDue = this.isPresent && performance.now() - this.askedAt >= this.refreshMs;
    if (wanted === this.asked && !isDue) return;
    this.asked = wanted;
    this.askedAt = performance.now();
    this.isBusy = true;
    this.fetchSpan(market.symbol)
      .catch(this.failed)
      .finally(() => {
        this.isBusy = false;
        // What changed meanwhile is not waited for.
        this.look();
      });
  }

  private async fetchSpan(symbol: string): Promise<void> {
    const { market, travel } = this.app;
    const name = travel.day ?? `${market.hello?.session}`;
    if (this.day?.day !== name) this.day = (await api.days()).find(({ day }) => day === name);
    const now = market.clock.now(performance.now());
    const until = travel.at ?? (this.isPresent ? now : (this.day?.last_time_ns ?? 0));
    const first = this.day?.first_time_ns ?? 0;
    const from = this.seconds ? Math.max(0, until - this.seconds * 1e9) : Math.min(first, until);
    const date = String(this.day?.date ?? "").replace(/^(....)(..)(..)$/, "$1-$2-$3");
    const column = columnSeconds(until - from);
    await this.fetch({ symbol, day: travel.day, date, from, until, columnSeconds: column });
  }
}
