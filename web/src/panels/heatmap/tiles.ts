// Fetches the columns of the past from the archive: 64 at a time, those that are looked at first,
// and those of the present again once they are complete, so that what stands is exact.
import { api, type Heatmap } from "../../core/api.js";
import { formatPrice, toUnits } from "../../core/prices.js";
import { HeatGrid, kindOf, tileColumns } from "./grid.js";
import { floatsOf } from "../../core/base64.js";

const atOnce = 2;
/** Trades one by one only where a tile cannot have too many. */
const longestColumnWithTradesNs = 1e9;
const mostTrades = 10_000;
const retryMs = 500;

export interface TileSource {
  day: string | undefined;
  symbol: string;
}

export class Tiles {
  /** Columns before it that the stream tells late are known already. */
  exactUntil = 0;
  /** Up to which column a tile was fetched, exclusive. */
  private readonly fetched = new Map<number, number>();
  private readonly loading = new Map<number, AbortController>();
  private readonly failedAt = new Map<number, number>();

  constructor(
    private readonly grid: HeatGrid,
    private readonly source: TileSource,
    private readonly arrived: () => void,
    private readonly failed: (why: unknown) => void,
  ) {}

  /** Ends requests whose answers nobody needs any more. */
  abandon(): void {
    for (const controller of this.loading.values()) controller.abort();
  }

  /** Has everything from a column on fetched again, as after a lost connection. */
  refresh(column: number): void {
    for (const tile of this.fetched.keys())
      if ((tile + 1) * tileColumns > column) this.fetched.delete(tile);
  }

  /** Whether all of these columns are there. */
  complete(from: number, until: number): boolean {
    for (let column = from; column < until; column++) if (!this.grid.has(column)) return false;
    return true;
  }

  /**
   * Requests what is missing from a column to before another; `lastNs` is the last message of the
   * day. Newer tiles first: the eye is at the present.
   */
  want(from: number, until: number, lastNs: number): void {
    const ended = this.grid.columnOf(lastNs);
    const last = Math.floor((Math.min(until, ended) - 1) / tileColumns);
    const first = Math.max(0, Math.floor(from / tileColumns));
    for (const [tile, controller] of this.loading)
      if (tile < first - 2 || tile > last + 2) controller.abort();
    for (let tile = last; tile >= first && this.loading.size < atOnce; tile--) {
      const end = Math.min((tile + 1) * tileColumns, ended);
      if (this.loading.has(tile) || !this.needs(tile, end)) continue;
      void this.load(tile, end);
    }
  }

  private needs(tile: number, end: number): boolean {
    if (end <= tile * tileColumns) return false;
    if (performance.now() - (this.failedAt.get(tile) ?? -Infinity) < retryMs) return false;
    const fetched = this.fetched.get(tile);
    // The present tile comes once now and once when it is over; the stream fills it in between.
    return (
      fetched === undefined ||
      (fetched < end && end === (tile + 1) * tileColumns) ||
      !this.grid.has(tile * tileColumns)
    );
  }

  private async load(tile: number, end: number): Promise<void> {
    const controller = new AbortController();
    this.loading.set(tile, controller);
    const { columnNs, low, step, rows } = this.grid.shape;
    const first = tile * tileColumns;
    const window = { ...this.source, from: first * columnNs, until: end * columnNs - 1 };
    try {
      const [map, trades] = await Promise.all([
        api.heatmap(
          {
            ...window,
            columns: end - first,
            rows,
            low: formatPrice(low, 1),
            high: formatPrice(low + rows * step, 1),
          },
          controller.signal,
        ),
        columnNs <= longestColumnWithTradesNs
          ? api.trades({ ...window, limit: mostTrades }, controller.signal)
          : [],
      ]);
      // The archive may be a little behind the stream; it has the columns soon.
      if (map.columns !== end - first || map.column_ns !== columnNs || map.rows !== rows)
        throw undefined;
      // A busy tile has more than one page: then the volumes of its columns are shown.
      const single = columnNs <= longestColumnWithTradesNs && trades.length < mostTrades;
      this.put(first, map, !single);
      for (const trade of single ? trades : [])
        if (trade.printable !== false && !trade.broken)
          this.grid.addTrade(
            this.grid.columnOf(trade.time_ns),
            kindOf(trade.aggressor),
            toUnits(trade.price),
            trade.quantity,
          );
      this.fetched.set(tile, end);
      this.exactUntil = Math.max(this.exactUntil, end);
      if (map.damage.length) this.failed(map.damage[0]);
    } catch (error) {
      if (!controller.signal.aborted) {
        this.failedAt.set(tile, performance.now());
        if (error !== undefined) this.failed(error);
      }
    } finally {
      this.loading.delete(tile);
      this.arrived();
    }
  }

  private put(first: number, map: Heatmap, withVolumes: boolean): void {
    const { rows } = this.grid.shape;
    const [bids, asks] = [floatsOf(map.bids), floatsOf(map.asks)];
    for (let i = 0; i < map.columns; i++) {
      const column = first + i;
      const cells = this.grid.begin(column);
      for (let row = 0; row < rows; row++) {
        cells[row * 2] = bids[i * rows + row]!;
        cells[row * 2 + 1] = asks[i * rows + row]!;
      }
      const unitsOf = (price: number | null | undefined) =>
        price == null ? undefined : toUnits(price);
      const [bid, ask] = [unitsOf(map.bid[i]), unitsOf(map.ask[i])];
      this.grid.setLines(column, bid, ask);
      this.grid.clearTrades(column);
      if (withVolumes) {
        // Where in the column it traded is not told: buyers pay the ask, sellers get the bid.
        const [low, high] = [bid ?? ask ?? 0, ask ?? bid ?? 0];
        this.grid.addTrade(column, "bought", high, map.volume_bought[i]!);
        this.grid.addTrade(column, "sold", low, map.volume_sold[i]!);
        this.grid.addTrade(column, "crossed", (low + high) / 2, map.volume_other[i]!);
      }
      if (column % 8 === 0) this.grid.weigh(cells);
    }
  }
}
