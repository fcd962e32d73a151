// The crosshair of the heatmap with the values of the cell under it. It is made of elements, so
// that moving it draws nothing again.
import { formatPrice, formatQuantity } from "../../core/prices.js";
import { formatTime } from "../../core/time.js";
import { h, setText } from "../../ui/dom.js";
import type { HeatGrid } from "./grid.js";
import type { HeatmapView } from "./window.js";

const mean = (quantity: number) =>
  Number.isInteger(quantity) ? formatQuantity(quantity) : quantity.toFixed(1);

export class Crosshair {
  readonly element = h("div", { class: "crosshair", hidden: true, "aria-hidden": "true" });
  private readonly vertical = h("div", { class: "crosshair-line vertical" });
  private readonly horizontal = h("div", { class: "crosshair-line horizontal" });
  private readonly label = h("div", { class: "crosshair-label" });
  private readonly lines: HTMLElement[] = [];
  private x = 0;
  private y = 0;

  constructor() {
    for (let i = 0; i < 6; i++) this.lines.push(h("div"));
    this.label.append(...this.lines);
    this.element.append(this.vertical, this.horizontal, this.label);
  }

  hide(): void {
    this.element.hidden = true;
  }

  move(x: number, y: number): void {
    [this.x, this.y] = [x, y];
    this.element.hidden = false;
  }

  /** Values change under a crosshair that stands still, too. */
  show(view: HeatmapView, grid: HeatGrid | undefined): void {
    const { x, y } = this;
    if (this.element.hidden) return;
    if (x < 0 || x > view.width || y < 0 || y > view.height) return this.hide();
    this.vertical.style.transform = `translateX(${x}px)`;
    this.horizontal.style.transform = `translateY(${y}px)`;
    this.horizontal.style.width = `${view.width}px`;
    this.vertical.style.height = `${view.height}px`;
    this.texts(view, grid).forEach((text, i) => setText(this.lines[i]!, text));
    const left = x > view.width - 190 ? x - 182 : x + 12;
    const top = y > view.height - 110 ? y - 104 : y + 12;
    this.label.style.transform = `translate(${left}px, ${top}px)`;
  }

  private texts(view: HeatmapView, grid: HeatGrid | undefined): string[] {
    const [timeNs, price] = [view.timeAt(this.x), view.priceAt(this.y) + view.halfTick];
    if (!grid) return ["", "", "", "", "", ""];
    const { low, step, columnNs } = grid.shape;
    const rowLow = low + grid.rowOf(price) * step;
    const decimals = columnNs >= 1e9 ? 0 : columnNs >= 1e8 ? 1 : 2;
    const begin = grid.columnOf(timeNs) * columnNs;
    const at = grid.at(timeNs, price);
    const highest = rowLow + step - 2 * view.halfTick;
    const rows = highest > rowLow ? ` to ${formatPrice(highest)}` : "";
    const traded = at
      ? (["bought", "sold", "crossed"] as const)
          .filter((kind) => at[kind].quantity > 0)
          .map((kind) => `${kind} ${formatQuantity(at[kind].quantity)}`)
      : [];
    return [
      formatTime(Math.max(0, begin), decimals),
      `${formatPrice(rowLow)}${rows}`,
      at?.bidQuantity ? `${mean(at.bidQuantity)} bid` : "",
      at?.askQuantity ? `${mean(at.askQuantity)} offered` : "",
      at?.bid !== undefined && at.ask !== undefined
        ? `${formatPrice(at.bid)} / ${formatPrice(at.ask)}`
        : "",
      traded.join(", "),
    ];
  }
}
