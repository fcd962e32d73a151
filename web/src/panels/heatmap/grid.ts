// The cells of the heatmap: a ring of columns of equal time, each with rows of equal price.
// Column c is the time from c * columnNs to before (c + 1) * columnNs. The graphics card has a
// copy; `dirty` tells which parts of it are old.

export const ringColumns = 2_048;
export const tileColumns = 64;

export interface GridShape {
  columnNs: number;
  /** Units of the lowest row, and of a row. */
  low: number;
  step: number;
  rows: number;
}

export interface ColumnTrades {
  quantity: number;
  price: number;
}

/** Who came in: the buyer, the seller, or neither, as in an auction or beside the displayed book. */
export const tradeKinds = ["sold", "bought", "crossed"] as const;
export type TradeKind = (typeof tradeKinds)[number];

export function kindOf(aggressor: "buy" | "sell" | 1 | -1 | 0 | undefined): TradeKind {
  if (aggressor === "buy" || aggressor === 1) return "bought";
  return aggressor === "sell" || aggressor === -1 ? "sold" : "crossed";
}

const noPrice = -1e9;

const buckets = 256;
const bucketsPerDoubling = 8;

export class HeatGrid {
  /** Bid and ask quantity of each row of each column. */
  readonly cells: Float32Array;
  /** Best bid and ask above `low`, the round of the ring, and nothing. */
  readonly lines = new Float32Array(ringColumns * 4);
  readonly trades: Record<TradeKind, ColumnTrades[]>;
  /** Parts of the ring that changed: from a slot to before another. */
  dirty: [number, number][] = [];
  /** Quantities by size, to scale the colours. */
  private readonly histogram = new Float64Array(buckets);
  private readonly column = new Float64Array(ringColumns).fill(-1);

  constructor(readonly shape: GridShape) {
    this.cells = new Float32Array(ringColumns * shape.rows * 2);
    const none = () => Array.from({ length: ringColumns }, () => ({ quantity: 0, price: 0 }));
    this.trades = { sold: none(), bought: none(), crossed: none() };
  }

  columnOf(timeNs: number): number {
    return Math.floor(timeNs / this.shape.columnNs);
  }
  rowOf(price: number): number {
    return Math.floor((price - this.shape.low) / this.shape.step);
  }
  get high(): number {
    return this.shape.low + this.shape.rows * this.shape.step;
  }

  static slot(column: number): number {
    return ((column % ringColumns) + ringColumns) % ringColumns;
  }
  /** Tells two columns in one slot apart, in few enough digits for the graphics card. */
  static round(column: number): number {
    return (Math.floor(column / ringColumns) % 1_024) + 1;
  }

  has(column: number): boolean {
    return this.column[HeatGrid.slot(column)] === column;
  }

  /** The cells of a column, to be written; what another column had there is gone. */
  begin(column: number): Float32Array {
    const slot = HeatGrid.slot(column);
    const cells = this.cells.subarray(slot * this.shape.rows * 2, (slot + 1) * this.shape.rows * 2);
    if (this.column[slot] !== column) {
      this.column[slot] = column;
      cells.fill(0);
      this.clearTrades(column);
    }
    this.mark(slot);
    return cells;
  }

  setLines(column: number, bid: number | undefined, ask: number | undefined): void {
    const at = HeatGrid.slot(column) * 4;
    this.lines[at] = bid === undefined ? noPrice : bid - this.shape.low;
    this.lines[at + 1] = ask === undefined ? noPrice : ask - this.shape.low;
    this.lines[at + 2] = HeatGrid.round(column);
  }

  clearTrades(column: number): void {
    for (const kind of tradeKinds) this.trades[kind][HeatGrid.slot(column)]!.quantity = 0;
  }

  addTrade(column: number, kind: TradeKind, price: number, quantity: number): void {
    if (!this.has(column) || quantity === 0) return;
    const trades = this.trades[kind][HeatGrid.slot(column)]!;
    const total = trades.quantity + quantity;
    trades.price = (trades.price * trades.quantity + price * quantity) / total;
    trades.quantity = total;
  }

  /** What is known of a place; undefined: nothing. */
  at(timeNs: number, price: number) {
    const column = this.columnOf(timeNs);
    const row = this.rowOf(price);
    if (!this.has(column)) return undefined;
    const slot = HeatGrid.slot(column);
    const inside = row >= 0 && row < this.shape.rows;
    const cell = (slot * this.shape.rows + row) * 2;
    const line = (index: number) => {
      const above = this.lines[slot * 4 + index]!;
      return above === noPrice ? undefined : above + this.shape.low;
    };
    return {
      bidQuantity: inside ? this.cells[cell]! : 0,
      askQuantity: inside ? this.cells[cell + 1]! : 0,
      bid: line(0),
      ask: line(1),
      bought: this.trades.bought[slot]!,
      sold: this.trades.sold[slot]!,
      crossed: this.trades.crossed[slot]!,
    };
  }

  /** Lowest and highest of the best prices and trades of the columns from one time to another. */
  pricesBetween(fromNs: number, untilNs: number): { low: number; high: number } | undefined {
    let [low, high] = [Infinity, -Infinity];
    const last = this.columnOf(untilNs);
    const first = Math.max(this.columnOf(fromNs), last - ringColumns + 1);
    for (let column = first; column <= last; column++) {
      const at = this.at(column * this.shape.columnNs, this.shape.low);
      if (!at) continue;
      const traded = tradeKinds.map((kind) => at[kind]).filter(({ quantity }) => quantity > 0);
      for (const price of [at.bid, at.ask, ...traded.map(({ price }) => price)])
        if (price !== undefined) [low, high] = [Math.min(low, price), Math.max(high, price)];
    }
    return low <= high ? { low, high } : undefined;
  }

  /** Adds a column's cells to those that scale the colours. */
  weigh(cells: Float32Array): void {
    for (const cell of cells)
      if (cell > 0) {
        const bucket = Math.floor(Math.log2(1 + cell) * bucketsPerDoubling);
        this.histogram[Math.min(buckets - 1, bucket)]! += 1;
      }
  }

  /** log2(1 + quantity) below which a part of the cells is. */
  scale(part: number): number {
    let total = 0;
    for (const count of this.histogram) total += count;
    let sum = 0;
    for (let i = 0; i < buckets; i++) {
      sum += this.histogram[i]!;
      if (sum >= part * total) return (i + 1) / bucketsPerDoubling;
    }
    return 1;
  }

  /** After a lost WebGL context: the graphics card holds none of it. */
  markAll(): void {
    this.dirty = [[0, ringColumns]];
  }

  private mark(slot: number): void {
    const last = this.dirty.at(-1);
    if (last && slot >= last[0] && slot < last[1]) return;
    if (last && slot === last[1]) last[1] += 1;
    else this.dirty.push([slot, slot + 1]);
  }
}

export function sameShape(a: GridShape, b: GridShape): boolean {
  return a.columnNs === b.columnNs && a.low === b.low && a.step === b.step && a.rows === b.rows;
}
