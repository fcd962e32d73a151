// The grids of the heatmap for what is in view: from the archive for the past, from the stream for
// the present. A new grid replaces the old one when time or price are zoomed; the old one stays
// behind it until it is filled.
import type { Market } from "../../core/market.js";
import type { Trade } from "../../core/messages.js";
import { HeatGrid, kindOf, sameShape, tileColumns, type GridShape } from "./grid.js";
import { LiveColumns } from "./live_columns.js";
import { Tiles } from "./tiles.js";
import type { HeatmapView } from "./window.js";

const mostRows = 1_000;
/** How far the colours reach beyond what most cells have, as log2 of the quantity. */
const belowBits = 1.2;
const aboveBits = 0.5;
const leastBits = 4;

interface Layer {
  grid: HeatGrid;
  tiles: Tiles;
  live: LiveColumns | undefined;
}

export class HeatmapModel {
  private layer: Layer | undefined;
  private behind: HeatGrid | undefined;
  private waitingTrades: Trade[] = [];
  /** An archived day and its last message; undefined: the present day. */
  past: { day: string; lastNs: number } | undefined;

  constructor(
    private readonly market: Market,
    private readonly arrived: () => void,
    private readonly failed: (why: unknown) => void,
    private readonly dropped: (grid: HeatGrid) => void,
  ) {
    market.depthListener = {
      before: (timeNs) => this.advance(timeNs),
      change: (side, price, before, after) => this.layer?.live?.change(side, price, after - before),
    };
    market.onBook.subscribe((whole) => {
      if (whole) this.restart();
    });
    market.onTrades.subscribe((trades) => this.waitingTrades.push(...trades));
  }

  /** Forgets everything: another symbol, day or session. */
  clear(): void {
    this.waitingTrades = [];
    if (this.layer) this.retire(this.layer);
    this.layer = undefined;
    this.setBehind(undefined);
  }

  get lastNs(): number {
    return this.past ? this.past.lastNs : this.market.clock.lastNs;
  }

  /** Background first. */
  get grids(): HeatGrid[] {
    return [this.behind, this.layer?.grid].filter((grid) => grid !== undefined);
  }
  get grid(): HeatGrid | undefined {
    return this.layer?.grid;
  }

  /** log2 of the quantities at the two ends of the palette. */
  scale(contrast: number): [number, number] {
    const grid = this.grid;
    if (!grid) return [0, leastBits];
    const low = Math.max(0, grid.scale(0.05) - belowBits);
    const range = Math.max(leastBits, grid.scale(0.995) + aboveBits - low);
    return [low, low + range / contrast];
  }

  /** Brings everything up to date for a frame. */
  prepare(view: HeatmapView, nowNs: number): void {
    const { symbol } = this.market;
    if (symbol === undefined || this.lastNs === 0 || view.high <= view.low) return;
    const shape = this.shapeFor(view);
    if (!this.layer || !sameShape(shape, this.layer.grid.shape)) this.replace(shape, symbol, view);
    const { grid, tiles, live } = this.layer!;
    if (live) {
      this.advance(nowNs);
      live.show(this.market.book.bids.best?.price, this.market.book.asks.best?.price);
      for (const trade of this.waitingTrades) {
        const column = grid.columnOf(trade.timeNs);
        if (column >= tiles.exactUntil)
          grid.addTrade(column, kindOf(trade.aggressor), trade.price, trade.quantity);
      }
    }
    this.waitingTrades = [];
    const [from, until] = [grid.columnOf(view.startNs), grid.columnOf(view.endNs) + 1];
    // A little more than is seen, so that a drag finds it there.
    tiles.want(from - tileColumns, until + (view.following ? 0 : tileColumns), this.lastNs);
    const end = Math.min(until, grid.columnOf(this.lastNs));
    if (this.behind && tiles.complete(Math.max(0, from), end)) this.setBehind(undefined);
  }

  private shapeFor(view: HeatmapView): GridShape {
    const { columnNs, step } = view;
    const old = this.layer?.grid;
    if (
      old &&
      old.shape.columnNs === columnNs &&
      old.shape.step === step &&
      old.shape.low <= view.low &&
      old.high >= view.high
    )
      return old.shape;
    const seen = Math.ceil((view.high - view.low) / step);
    const rows = Math.min(mostRows, Math.max(2 * seen, 16));
    const middle = (view.low + view.high) / 2;
    const low = Math.max(0, Math.floor((middle - (rows * step) / 2) / step) * step);
    return { columnNs, low, step, rows };
  }

  private replace(shape: GridShape, symbol: string, view: HeatmapView): void {
    const grid = new HeatGrid(shape);
    const tiles = new Tiles(grid, { day: this.past?.day, symbol }, this.arrived, this.failed);
    const live = this.past ? undefined : new LiveColumns(grid);
    live?.begin(this.market.book, this.market.book.timeNs);
    const old = this.layer;
    this.layer = { grid, tiles, live };
    if (!old) return;
    old.tiles.abandon();
    const from = Math.max(0, old.grid.columnOf(view.startNs));
    const until = Math.min(old.grid.columnOf(view.endNs), old.grid.columnOf(this.lastNs));
    // Of two that are not filled, the older one has more to show.
    if (this.behind === undefined || old.tiles.complete(from, until)) this.setBehind(old.grid);
    else this.dropped(old.grid);
  }

  private advance(timeNs: number): void {
    const { book } = this.market;
    this.layer?.live?.advance(timeNs, book.bids.best?.price, book.asks.best?.price);
  }

  /** A whole book: what happened since the last one is in the archive. */
  private restart(): void {
    const { layer, market } = this;
    if (!layer?.live || market.book.timeNs === 0) return;
    layer.tiles.refresh(layer.live.latestColumn);
    layer.live.begin(market.book, market.book.timeNs);
  }

  private setBehind(grid: HeatGrid | undefined): void {
    if (this.behind) this.dropped(this.behind);
    this.behind = grid;
  }

  private retire(layer: Layer): void {
    layer.tiles.abandon();
    this.dropped(layer.grid);
  }
}
