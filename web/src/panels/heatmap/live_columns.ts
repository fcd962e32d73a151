// The columns of the present: quantities over time as the stream tells them, averaged over the time
// of a column as the archive does. They stand until the archive's exact columns replace them.
import type { DepthBook, Side } from "../../core/book.js";
import type { HeatGrid } from "./grid.js";

class SideRows {
  readonly quantity: Float64Array;
  /** Quantity times nanoseconds of the column so far, up to `since`. */
  readonly sum: Float64Array;
  readonly since: Float64Array;

  constructor(rows: number) {
    this.quantity = new Float64Array(rows);
    this.sum = new Float64Array(rows);
    this.since = new Float64Array(rows);
  }

  add(row: number, difference: number, nowNs: number): void {
    this.sum[row]! += this.quantity[row]! * (nowNs - this.since[row]!);
    this.since[row] = nowNs;
    this.quantity[row]! += difference;
  }

  /** Means up to the end of the column, which is where the next begins. */
  finish(cells: Float32Array, offset: 0 | 1, endNs: number, columnNs: number): void {
    for (let row = 0; row < this.quantity.length; row++) {
      const sum = this.sum[row]! + this.quantity[row]! * (endNs - this.since[row]!);
      cells[row * 2 + offset] = sum / columnNs;
      this.sum[row] = 0;
      this.since[row] = endNs;
    }
  }

  show(cells: Float32Array, offset: 0 | 1): void {
    for (let row = 0; row < this.quantity.length; row++)
      cells[row * 2 + offset] = this.quantity[row]!;
  }

  /** Forgets the time up to now, not the quantities. */
  restart(nowNs: number): void {
    this.sum.fill(0);
    this.since.fill(nowNs);
  }
}

export class LiveColumns {
  private readonly sides: Record<Side, SideRows>;
  private column = 0;
  private nowNs = 0;

  get latestColumn(): number {
    return this.column;
  }

  constructor(private readonly grid: HeatGrid) {
    const { rows } = grid.shape;
    this.sides = { bid: new SideRows(rows), ask: new SideRows(rows) };
  }

  /**
   * Begins with a whole book. What the column had before is not known; it gets the book's quantity
   * for that time, too.
   */
  begin(book: DepthBook, timeNs: number): void {
    this.nowNs = timeNs;
    this.column = this.grid.columnOf(timeNs);
    const beginNs = this.column * this.grid.shape.columnNs;
    for (const side of ["bid", "ask"] as const) {
      this.sides[side].quantity.fill(0);
      this.sides[side].restart(beginNs);
      for (const { price, quantity } of book.side(side).levels) {
        const row = this.grid.rowOf(price);
        if (row >= 0 && row < this.grid.shape.rows) this.sides[side].quantity[row]! += quantity;
      }
    }
  }

  change(side: Side, price: number, difference: number): void {
    const row = this.grid.rowOf(price);
    if (row >= 0 && row < this.grid.shape.rows) this.sides[side].add(row, difference, this.nowNs);
  }

  /** Finishes the columns that end up to a time. To be called before the changes of that time. */
  advance(timeNs: number, bid: number | undefined, ask: number | undefined): void {
    const { columnNs } = this.grid.shape;
    // After a long pause, only as many columns as a screen has.
    const least = this.grid.columnOf(timeNs) - 1_500;
    if (this.column < least) {
      this.column = least;
      for (const side of Object.values(this.sides)) side.restart(least * columnNs);
    }
    for (; (this.column + 1) * columnNs <= timeNs; this.column++) {
      const endNs = (this.column + 1) * columnNs;
      const cells = this.grid.begin(this.column);
      for (const [offset, side] of [
        [0, "bid"],
        [1, "ask"],
      ] as const)
        this.sides[side].finish(cells, offset, endNs, columnNs);
      this.grid.setLines(this.column, bid, ask);
      if (this.column % 8 === 0) this.grid.weigh(cells);
    }
    this.nowNs = Math.max(this.nowNs, timeNs);
  }

  /** Draws the column under way as if it were to stay as it is now. */
  show(bid: number | undefined, ask: number | undefined): void {
    const cells = this.grid.begin(this.column);
    this.sides.bid.show(cells, 0);
    this.sides.ask.show(cells, 1);
    this.grid.setLines(this.column, bid, ask);
  }
}
