// The displayed depth of one instrument, from a snapshot and the changes after it.

export interface Level {
  price: number;
  quantity: number;
  /** How many; null: not known. */
  orders: number | null;
}

/** What a level was before a change, for those who follow single prices. */
export type LevelListener = (side: Side, price: number, before: number, after: number) => void;

export type Side = "bid" | "ask";

export class DepthSide {
  /** Best first. */
  readonly levels: Level[] = [];

  constructor(readonly side: Side) {}

  /** Index of the first level that is not better than the price. */
  private place(price: number): number {
    let low = 0;
    let high = this.levels.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = this.levels[middle]!.price;
      if (this.side === "bid" ? at > price : at < price) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Sets a level, or removes it if the quantity is 0. Returns the quantity before. */
  set(price: number, quantity: number, orders: number | null): number {
    const index = this.place(price);
    const found = this.levels[index];
    if (found === undefined || found.price !== price) {
      if (quantity > 0) this.levels.splice(index, 0, { price, quantity, orders });
      return 0;
    }
    const before = found.quantity;
    if (quantity > 0) Object.assign(found, { quantity, orders });
    else this.levels.splice(index, 1);
    return before;
  }

  at(price: number): Level | undefined {
    const level = this.levels[this.place(price)];
    return level?.price === price ? level : undefined;
  }

  get best(): Level | undefined {
    return this.levels[0];
  }

  /** Quantity of the first `count` levels. */
  depth(count: number): number {
    let sum = 0;
    for (let i = 0; i < Math.min(count, this.levels.length); i++) sum += this.levels[i]!.quantity;
    return sum;
  }
}

export class DepthBook {
  readonly bids = new DepthSide("bid");
  readonly asks = new DepthSide("ask");
  sequence = 0;
  timeNs = 0;

  side(side: Side): DepthSide {
    return side === "bid" ? this.bids : this.asks;
  }

  clear(): void {
    this.bids.levels.length = 0;
    this.asks.levels.length = 0;
  }

  set(side: Side, level: Level, listener?: LevelListener): void {
    const before = this.side(side).set(level.price, level.quantity, level.orders);
    if (before !== level.quantity) listener?.(side, level.price, before, level.quantity);
  }

  get middle(): number | undefined {
    const [bid, ask] = [this.bids.best?.price, this.asks.best?.price];
    if (bid !== undefined && ask !== undefined) return (bid + ask) / 2;
    return bid ?? ask;
  }
}
