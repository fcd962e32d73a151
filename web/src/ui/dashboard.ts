// What the dashboards of the market share: a window of time that ends now or at the moment that the
// page shows, and fetching what is in it, again and again while it is the present.
import type { App } from "./app.js";
import { select, Size } from "./dom.js";

export const windows = [
  [60, "1 min"],
  [300, "5 min"],
  [900, "15 min"],
  [3_600, "1 h"],
  [0, "Day"],
] as const;
const usual = 300;
const wholeDay = 86_400;

/** Seconds of a column; so many that a window has about sixty of them. */
export function columnSeconds(windowSeconds: number): number {
  return Math.max(1, (windowSeconds || wholeDay / 4.8) / 60);
}

export interface Span {
  symbol: string;
  /** Undefined: the present one. */
  day: string | undefined;
  /** Nanoseconds since midnight; undefined: from the first one, up to the last one of the day. */
  from: number | undefined;
  until: number | undefined;
  columnSeconds: number;
}

/** Of an axis of times: they are those of the exchange, on the day that is shown. */
export function timeTitle({ market, travel }: App): string {
  const digits = /^\d{8}/.exec(travel.day ?? String(market.hello?.date ?? ""))?.[0];
  const date = digits?.replace(/(....)(..)(..)/, "$1-$2-$3") ?? travel.day ?? "today";
  return `${date}, time zone of the exchange`;
}

const tickMs = 500;

export class Windowed {
  readonly choice: HTMLSelectElement;
  private seconds: number;
  private asked = "";
  private askedAt = -Infinity;
  private isBusy = false;

  constructor(
    private readonly app: App,
    private readonly size: Size,
    private readonly refreshMs: number,
    private readonly fetch: (span: Span) => Promise<void>,
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

  get span(): Span | undefined {
    const { market, travel } = this.app;
    const { symbol } = market;
    if (symbol === undefined) return undefined;
    const isPresent = travel.day === undefined && travel.at === undefined;
    const now = market.clock.now(performance.now());
    const until = isPresent ? now || undefined : travel.at;
    if (isPresent && until === undefined) return undefined;
    const column = columnSeconds(this.seconds);
    const from =
      this.seconds && until !== undefined ? Math.max(0, until - this.seconds * 1e9) : undefined;
    return { symbol, day: travel.day, from, until, columnSeconds: column };
  }

  private look(): void {
    const { travel } = this.app;
    const { span } = this;
    if (!span || !this.size.visible || this.isBusy) return;
    const isPresent = span.day === undefined && travel.at === undefined;
    const wanted = [span.symbol, span.day, travel.at, this.seconds].join();
    const isDue = isPresent && performance.now() - this.askedAt >= this.refreshMs;
    if (wanted === this.asked && !isDue) return;
    this.asked = wanted;
    this.askedAt = performance.now();
    this.isBusy = true;
    void this.fetch(span).finally(() => {
      this.isBusy = false;
      // What changed meanwhile is not waited for.
      this.look();
    });
  }
}
