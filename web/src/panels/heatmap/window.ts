// Which part of time and price the heatmap shows, and how finely.

const millisecondNs = 1e6;

/** Lengths of a column; those of a second and more are ones that the archive keeps exactly. */
export const columnLengths = [
  10, 20, 50, 100, 200, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000,
].map((ms) => ms * millisecondNs);

const leastColumnPixels = 1.5;
const leastRowPixels = 2;
/** The grid has twice as many, so that a small move needs no new one. */
const mostRows = 500;
const leastSpanNs = 1e9;
const mostSpanNs = 24 * 3600 * 1e9;
const unitsOfCent = 100;
const unitsOfDollar = 10_000;

/** The least height of a row that the API has at this price. */
export function tickAt(low: number): number {
  return low >= unitsOfDollar ? unitsOfCent : 1;
}

/** Heights of a row: 1, 2, 5, 10, 20, 50, … times the least. */
export function rowStep(low: number, high: number, heightPixels: number): number {
  const least = tickAt(low);
  const rows = Math.max(1, Math.min(mostRows, Math.floor(heightPixels / leastRowPixels)));
  for (let decade = least; ; decade *= 10)
    for (const factor of [1, 2, 5])
      if ((high - low) / (decade * factor) <= rows) return decade * factor;
}

export function columnLength(spanNs: number, widthPixels: number): number {
  const columns = Math.max(1, widthPixels / leastColumnPixels);
  return columnLengths.find((ns) => spanNs / ns <= columns) ?? columnLengths.at(-1)!;
}

/** What an address says of the view, and of which market its prices are. */
export interface SentView {
  symbol?: string;
  day?: string;
  at?: number;
  span?: number;
  low?: number;
  high?: number;
}

export class HeatmapView {
  /** In CSS pixels. */
  width = 1;
  height = 1;
  endNs = 0;
  spanNs = 180e9;
  /** In units of a price. */
  low = 0;
  high = 0;
  /** The end is the present, and moves with it. */
  following = true;
  /** The prices move with the market. */
  centring = true;
  private sent: Pick<SentView, "symbol" | "day"> | undefined;

  restore(sent: SentView): void {
    const { symbol, day, at, span, low, high } = sent;
    if (span) this.spanNs = span * 1e9;
    if (at !== undefined) {
      this.following = false;
      this.endNs = at;
    }
    if (!low || !high || high <= low) return;
    [this.low, this.high, this.centring] = [low, high, false];
    this.sent = { ...(symbol && { symbol }), ...(day && { day }) };
  }

  /** Another market has other prices, unless it is the one of the restored view. */
  begin(symbol: string | undefined, day: string | undefined): void {
    const { sent } = this;
    // At first the instrument is not known yet.
    const isSame = symbol === undefined || symbol === (sent?.symbol ?? symbol);
    if (sent && day === sent.day && isSame) {
      if (symbol !== undefined) sent.symbol = symbol;
      return;
    }
    this.sent = undefined;
    this.low = this.high = 0;
    this.centring = true;
  }

  get startNs(): number {
    return this.endNs - this.spanNs;
  }
  get columnNs(): number {
    return columnLength(this.spanNs, this.width);
  }
  get step(): number {
    return rowStep(this.low, this.high, this.height);
  }
  /** A row begins half a tick below its lowest price: a price is in the middle of its row. */
  get halfTick(): number {
    return tickAt(this.low) / 2;
  }

  timeAt(x: number): number {
    return this.startNs + (x / this.width) * this.spanNs;
  }
  xOf(timeNs: number): number {
    return ((timeNs - this.startNs) / this.spanNs) * this.width;
  }
  priceAt(y: number): number {
    return this.high - (y / this.height) * (this.high - this.low);
  }
  yOf(price: number): number {
    return ((this.high - price) / (this.high - this.low)) * this.height;
  }

  /** Moves by pixels, as a drag does. */
  pan(dx: number, dy: number): void {
    if (dx !== 0) {
      this.following = false;
      this.endNs -= (dx / this.width) * this.spanNs;
    }
    if (dy !== 0) {
      this.centring = false;
      const by = Math.max(-this.low, (dy / this.height) * (this.high - this.low));
      this.low += by;
      this.high += by;
    }
  }

  /** The time at `x` stays where it is; while the view follows the market, its end does. */
  zoomTime(factor: number, x: number): void {
    const time = this.timeAt(x);
    this.spanNs = Math.min(mostSpanNs, Math.max(leastSpanNs, this.spanNs * factor));
    if (!this.following) this.endNs = time + (1 - x / this.width) * this.spanNs;
  }

  /** The price at `y` stays where it is; while the view is centred, the middle does. */
  zoomPrice(factor: number, y: number): void {
    const fixed = this.priceAt(this.centring ? this.height / 2 : y);
    const least = 10 * tickAt(this.low);
    const range = Math.max(least, Math.min(4 * fixed, (this.high - this.low) * factor));
    const below = (fixed - this.low) / (this.high - this.low);
    this.low = Math.max(0, fixed - below * range);
    this.high = this.low + range;
  }

  /** Shows these prices with a margin, at least `least` of them. */
  fit(low: number, high: number, least: number): void {
    const half = Math.max(least / 2, (high - low) * 0.65);
    const middle = (low + high) / 2;
    this.low = Math.max(0, middle - half);
    this.high = middle + half;
  }

  /** Puts the price into the middle. */
  centre(price: number): void {
    const half = (this.high - this.low) / 2;
    this.low = Math.max(0, price - half);
    this.high = this.low + 2 * half;
  }

  /** Whether a price is so far from the middle that a centred view has to move. */
  strays(price: number): boolean {
    const range = this.high - this.low;
    return price < this.low + range / 4 || price > this.high - range / 4;
  }
}
