// Trades as bubbles: one for the buyers, one for the sellers and one for the crosses of a column,
// with an area in proportion to the quantity.
import { HeatGrid, ringColumns, tradeKinds } from "./grid.js";
import type { Bubbles } from "./renderer.js";
import type { HeatmapView } from "./window.js";

const typicalDiameter = 8;
const leastDiameter = 3;
const mostDiameter = 44;

export class BubbleMaker {
  private readonly bubbles: Bubbles = {
    values: new Float32Array(ringColumns * 4 * tradeKinds.length),
    count: 0,
  };

  make(view: HeatmapView, grid: HeatGrid | undefined): Bubbles {
    const { bubbles } = this;
    bubbles.count = 0;
    if (!grid) return bubbles;
    const { columnNs } = grid.shape;
    const first = grid.columnOf(view.startNs);
    const last = Math.min(grid.columnOf(view.endNs), first + ringColumns - 1);
    const typical = this.typical(grid, first, last);
    const scale = window.devicePixelRatio;
    for (let column = first; column <= last; column++) {
      if (!grid.has(column)) continue;
      const slot = HeatGrid.slot(column);
      for (const [colour, kind] of tradeKinds.entries()) {
        const trades = grid.trades[kind][slot]!;
        if (trades.quantity === 0) continue;
        const diameter = typicalDiameter * Math.sqrt(trades.quantity / typical);
        bubbles.values.set(
          [
            view.xOf((column + 0.5) * columnNs) * scale,
            view.yOf(trades.price) * scale,
            Math.min(mostDiameter, Math.max(leastDiameter, diameter)) * scale,
            colour,
          ],
          bubbles.count++ * 4,
        );
      }
    }
    return bubbles;
  }

  /** Mean quantity of the bubbles in view. */
  private typical(grid: HeatGrid, first: number, last: number): number {
    let [sum, count] = [0, 0];
    for (let column = first; column <= last; column++) {
      if (!grid.has(column)) continue;
      for (const kind of tradeKinds) {
        const { quantity } = grid.trades[kind][HeatGrid.slot(column)]!;
        sum += quantity;
        if (quantity > 0) count += 1;
      }
    }
    return count > 0 ? sum / count : 1;
  }
}
