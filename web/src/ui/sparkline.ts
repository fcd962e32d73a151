// A small line of recent values.
import { canvasSurface } from "./surface.js";
import { colour, h, Size } from "./dom.js";

/** So many fill the width. */
const fewest = 60;

export class Sparkline {
  readonly canvas = h("canvas", { class: "sparkline", "aria-hidden": "true" });
  private readonly size = new Size(this.canvas, () => this.draw());
  private readonly values: number[] = [];

  constructor(private readonly capacity = 300) {}

  push(value: number): void {
    this.values.push(value);
    if (this.values.length > this.capacity) this.values.shift();
  }
  clear(): void {
    this.values.length = 0;
    this.canvas.width = 0;
  }

  draw(): void {
    if (!this.size.visible || this.values.length < 2) return;
    const surface = canvasSurface(this.canvas, this.size);
    const [low, high] = [Math.min(...this.values), Math.max(...this.values)];
    const bottom = surface.height - 2;
    const newest = this.values.length - 1;
    const width = Math.max(fewest, this.values.length) - 1;
    surface.line(
      this.values.map((value, i) => [
        surface.width * (1 - (newest - i) / width),
        bottom - ((value - low) / (high - low || 1)) * (bottom - 2),
      ]),
      colour("accent"),
    );
  }
}
