// Which price each row of the ladder has.
import type { DepthBook } from "../../core/book.js";
import { spread } from "../../core/measures.js";
import { commonStep } from "../../core/prices.js";

const levelsForStep = 40;
/** With a wider spread, as a part of the rows, the ladder begins with levels only. */
const wideSpread = 0.25;

/** The step between rows that has a row for each price near the middle. */
export function stepOf(book: DepthBook, middle: number): number {
  const near = [book.bids, book.asks].flatMap(({ levels }) => levels.slice(0, levelsForStep));
  return commonStep(
    near.map(({ price }) => price),
    middle < 10_000 ? 1 : 100,
  );
}

/** Whether so few rows would have orders that only these are shown at first. */
export function isWide(book: DepthBook, step: number, rows: number): boolean {
  return (spread(book) ?? 0) / step > rows * wideSpread;
}

/** A row for each step, highest first. */
export function stepPrices(centre: number, step: number, rows: number): number[] {
  const top = centre + Math.floor(rows / 2) * step;
  return Array.from({ length: rows }, (_, i) => top - i * step);
}

/** The best offers above an empty row, the best bids below it; 0: no price. */
export function levelPrices(book: DepthBook, rows: number): number[] {
  const above = Math.floor((rows - 1) / 2);
  const prices = (levels: { price: number }[], most: number) =>
    levels.slice(0, most).map(({ price }) => price);
  const asks = prices(book.asks.levels, above).reverse();
  const bids = prices(book.bids.levels, rows - 1 - above);
  return [...Array<number>(above - asks.length).fill(0), ...asks, 0, ...bids];
}
