// Times are nanoseconds since midnight of the trading day, as in the feed.

export const secondNs = 1e9;

const two = (value: number) => String(value).padStart(2, "0");

/** 10:31:05, with as many decimals of the second as asked for; they are cut off, not rounded. */
export function formatTime(ns: number, decimals = 0): string {
  const seconds = Math.floor(ns / secondNs);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = `${two(h)}:${two(m)}:${two(s)}`;
  if (decimals === 0) return text;
  return `${text}.${String(ns % secondNs)
    .padStart(9, "0")
    .slice(0, decimals)}`;
}

/** The inverse of formatTime; undefined if the text is no time of day. */
export function parseTime(text: string): number | undefined {
  const parts = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/.exec(text.trim());
  if (!parts) return undefined;
  const [h, m, s] = [Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 0)];
  if (h > 23 || m > 59 || s > 59) return undefined;
  return (h * 3600 + m * 60 + s) * secondNs + Number((parts[4] ?? "").padEnd(9, "0"));
}

/** 850 ns, 12.3 µs, 4.56 ms, 1.20 s. */
export function formatDuration(ns: number): string {
  if (ns < 1e3) return `${Math.round(ns)} ns`;
  for (const [unit, suffix] of [
    [1e9, "s"],
    [1e6, "ms"],
    [1e3, "µs"],
  ] as const)
    if (ns >= unit) return `${(ns / unit).toPrecision(3)} ${suffix}`;
  return `${ns} ns`;
}

/** For ticks: 10 µs, without zeros that tell nothing. */
export const shortDuration = (ns: number): string =>
  formatDuration(ns).replace(/^[\d.]+/, (digits) => String(Number(digits)));

/**
 * The present time of the market. Messages tell it; between them it goes on at the market's speed:
 * 1 for a live market, the speed of a replayed day, 0 while that is paused.
 */
export class MarketClock {
  speed = 1;
  private ns = 0;
  private toldAt = 0;

  /** `at` is a time of performance.now(). */
  tell(ns: number, at: number): void {
    this.ns = Math.max(this.ns, ns);
    this.toldAt = at;
  }
  reset(): void {
    this.ns = 0;
  }
  /** Of the last message; 0: there was none. */
  get lastNs(): number {
    return this.ns;
  }
  now(at: number): number {
    if (this.ns === 0) return 0;
    return this.ns + Math.round(Math.max(0, at - this.toldAt) * 1e6 * this.speed);
  }
}
