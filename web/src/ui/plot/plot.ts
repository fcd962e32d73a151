// A chart with axes: title and legend above it, off the data; ticks, axis titles and units around
// it; a readout where the pointer or, by the keyboard, the cursor is.
import type { App } from "../app.js";
import { colour, h, setText, Size } from "../dom.js";
import { canvasSurface, type PlotSurface } from "../surface.js";
import {
  readOf,
  scaleOf,
  stretches,
  type Bubbles,
  type Line,
  type Picture,
  type Pointer,
  type Rects,
  type Scale,
  type Series,
} from "./model.js";

const left = 54;
const right = 12;
const top = 18;
const bottom = 34;
const pixelsOfTick = { x: 84, y: 34 };
const mostRadius = 18;
const leastRadius = 2;
/** Of a step of the keyboard. */
const steps = 60;

interface Box {
  width: number;
  height: number;
  x: Scale;
  y: Scale;
}

export class Plot {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { tabindex: "0", role: "img" });
  private readonly heading: HTMLElement;
  private readonly legend = h("div", { class: "plot-legend" });
  private readonly note = h("p", { class: "plot-note", hidden: true });
  private readonly values: HTMLElement[] = [];
  private names = "";
  private picture: Picture | undefined;
  private box: Box | undefined;
  private pointer: Pointer | undefined;
  private readonly draw = () => this.drawNow();
  private readonly size = new Size(this.canvas, () => this.app.frames.request(this.draw));
  /** The pointer is at this value of x here; undefined: it has left. */
  onPoint: (x: number | undefined) => void = () => {};

  constructor(
    private readonly app: App,
    readonly title: string,
    /** Says how it is computed. */
    help = "",
  ) {
    this.heading = h("h3", { text: title, title: help });
    this.canvas.setAttribute("aria-label", title);
    this.element = h(
      "figure",
      { class: "plot" },
      h("figcaption", {}, this.heading, this.legend),
      h("div", { class: "plot-stage" }, this.canvas, this.note),
    );
    app.onTheme.subscribe(() => app.frames.request(this.draw));
    this.listen();
  }

  show(picture: Picture): void {
    this.picture = picture;
    this.app.frames.request(this.draw);
  }

  /** Where the pointer of another chart of the same times is. */
  point(x: number | undefined): void {
    this.pointer = x === undefined ? undefined : { x, y: NaN };
    this.app.frames.request(this.draw);
  }

  private listen(): void {
    const { canvas } = this;
    const move = (pointer: Pointer | undefined) => {
      this.pointer = pointer;
      this.onPoint(pointer?.x);
      this.app.frames.request(this.draw);
    };
    canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
      if (!this.box) return;
      const { x, y, width, height } = this.box;
      move({ x: x.value((offsetX - left) / width), y: y.value(1 - (offsetY - top) / height) });
    });
    canvas.addEventListener("pointerleave", () => move(undefined));
    canvas.addEventListener("blur", () => move(undefined));
    canvas.addEventListener("keydown", ({ key }) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (by === undefined || !this.box) return;
      const { x, y } = this.box;
      const part = this.pointer ? x.part(this.pointer.x) + by / steps : 1;
      move({ x: x.value(Math.min(1, Math.max(0, part))), y: this.pointer?.y ?? y.value(0.5) });
    });
  }

  private drawNow(): void {
    const { picture } = this;
    if (!picture || !this.size.visible) return;
    const surface = canvasSurface(this.canvas, this.size);
    const [x, y] = [scaleOf(picture, "x"), scaleOf(picture, "y")];
    const note = picture.note ?? (x && y ? "" : "Nothing in this time");
    setText(this.note, note);
    this.note.hidden = note === "";
    this.showLegend(picture, note === "");
    this.box = undefined;
    if (note !== "" || !x || !y) return;
    const width = Math.max(1, surface.width - left - right);
    const height = Math.max(1, surface.height - top - bottom);
    const box = (this.box = { width, height, x, y });
    this.axes(surface, box);
    for (const series of picture.series) this.series(surface, box, series);
    this.cursor(surface, box);
    this.canvas.setAttribute("aria-label", `${this.title}: ${this.legend.textContent ?? ""}`);
  }

  private showLegend({ series, y }: Picture, isShown: boolean): void {
    this.legend.hidden = !isShown;
    const names = series.map(({ name, colour, kind }) => `${name} ${colour} ${kind}`).join();
    if (names !== this.names) {
      this.names = names;
      this.values.length = 0;
      this.legend.replaceChildren(
        ...series.map((one) => {
          const value = h("span", { class: "plot-value" });
          this.values.push(value);
          const isDashed = one.kind === "line" && one.isDashed;
          const key = h("i", { class: isDashed ? "dashed" : one.kind });
          key.style.color = `var(--${one.colour})`;
          return h("span", { class: "plot-key" }, key, `${one.name} `, value);
        }),
      );
    }
    series.forEach((one, i) => setText(this.values[i]!, readOf(one, this.pointer, y)));
  }

  private axes(surface: PlotSurface, { width, height, x, y }: Box): void {
    const [grid, muted] = [colour("grid"), colour("muted")];
    const rows = y.ticks(Math.max(2, height / pixelsOfTick.y));
    const rowStep = (rows[1] ?? 0) - (rows[0] ?? 0);
    for (const value of rows) {
      const at = Math.round(top + (1 - y.part(value)) * height);
      const isZero = value === 0 && y.low < 0;
      surface.rect(left, at, width, 1, isZero ? muted : grid, isZero ? 0.6 : 1);
      surface.text(left - 6, at, y.text(value, rowStep), muted, "right");
    }
    const columns = x.ticks(Math.max(2, width / pixelsOfTick.x));
    const columnStep = (columns[1] ?? Infinity) - (columns[0] ?? 0);
    for (const value of columns) {
      const at = Math.round(left + x.part(value) * width);
      surface.rect(at, top, 1, height, grid);
      // A label within the picture; half of it may be beyond the plot.
      const text = x.text(value, columnStep);
      const half = text.length * 3.4;
      const middle = Math.min(surface.width - half, Math.max(half, at));
      surface.text(middle, top + height + 10, text, muted, "center");
    }
    surface.rect(left, top + height, width, 1, muted, 0.6);
    surface.text(4, 7, y.axis.title, muted);
    surface.text(left + width, surface.height - 7, x.axis.title, muted, "right");
  }

  private series(surface: PlotSurface, box: Box, series: Series): void {
    if (series.kind === "line") this.line(surface, box, series);
    else if (series.kind === "rects") this.rects(surface, box, series);
    else this.bubbles(surface, box, series);
  }

  private place({ width, height, x, y }: Box, atX: number, atY: number): [number, number] {
    return [left + x.part(atX) * width, top + (1 - y.part(atY)) * height];
  }

  private line(
    surface: PlotSurface,
    box: Box,
    { points, colour: name, isFilled, isDashed }: Line,
  ): void {
    const stroke = colour(name);
    const zero = this.place(box, box.x.low, Math.max(box.y.low, Math.min(box.y.high, 0)))[1];
    for (const stretch of stretches(points)) {
      const places = stretch
        .filter(([x]) => x >= box.x.low && x <= box.x.high)
        .map(([x, y]) => this.place(box, x, y));
      if (isFilled && places.length > 1) surface.area(places, zero, stroke, 0.18);
      if (places.length > 1) surface.line(places, stroke, isDashed);
      // What has no neighbour would not be seen as a line.
      else if (places.length === 1) surface.circle(...places[0]!, leastRadius, stroke);
    }
  }

  private rects(surface: PlotSurface, box: Box, { rects, colour: name }: Rects): void {
    const fill = colour(name);
    for (const rect of rects) {
      const [x0, y0] = this.place(box, Math.max(rect.x0, box.x.low), Math.min(rect.y0, box.y.high));
      const [x1, y1] = this.place(
        box,
        Math.min(rect.x1, box.x.high),
        Math.min(rect.y1, box.y.high),
      );
      const width = Math.max(x1 - x0, 0.5);
      // Bars that are wide enough have a gap between them.
      const gap = rect.fill === undefined && width > 4 ? 1 : 0;
      const [height, from] = [Math.abs(y1 - y0), Math.min(y0, y1)];
      if (x1 <= left || height === 0) continue;
      surface.rect(x0, from, width - gap, height, rect.fill ?? fill, rect.opacity ?? 0.85);
    }
  }

  private bubbles(
    surface: PlotSurface,
    box: Box,
    { bubbles, colour: name, largest }: Bubbles,
  ): void {
    for (const { x, y, size } of bubbles) {
      const radius = Math.max(leastRadius, mostRadius * Math.sqrt(size / largest));
      surface.circle(...this.place(box, x, y), radius, colour(name), 0.55);
    }
  }

  private cursor(surface: PlotSurface, box: Box): void {
    const { pointer } = this;
    if (!pointer || pointer.x < box.x.low || pointer.x > box.x.high) return;
    const [x, y] = this.place(box, pointer.x, pointer.y);
    surface.rect(Math.round(x), top, 1, box.height, colour("text"), 0.55);
    const text = box.x.text(pointer.x, box.x.axis.kind === "time" ? 1e9 : box.x.high - box.x.low);
    const half = text.length * 3.4 + 5;
    const middle = Math.min(surface.width - half, Math.max(half, x));
    surface.rect(middle - half, top + box.height + 2, 2 * half, 16, colour("text"));
    surface.text(middle, top + box.height + 10, text, colour("panel"), "center");
    const near = this.nearBubble(box, x, y);
    if (!near) return;
    const wide = near.length * 6.7 + 10;
    const from = Math.min(surface.width - right - wide, Math.max(left, x + 8));
    surface.rect(from, Math.max(top, y - 26), wide, 18, colour("panel"), 0.92);
    surface.text(from + 5, Math.max(top, y - 26) + 9, near, colour("text"));
  }

  /** What the bubble at a place of the canvas says. */
  private nearBubble(box: Box, x: number, y: number): string | undefined {
    let [found, distance]: [string | undefined, number] = [undefined, mostRadius];
    for (const one of this.picture?.series ?? [])
      if (one.kind === "bubbles")
        for (const bubble of one.bubbles) {
          const [bx, by] = this.place(box, bubble.x, bubble.y);
          const away = Math.hypot(bx - x, by - y);
          if (away < distance) [found, distance] = [bubble.text, away];
        }
    return found;
  }
}

/** The charts of the same times have one cursor. */
export function linkPointers(plots: Plot[]): void {
  for (const one of plots)
    one.onPoint = (x) => {
      for (const other of plots) if (other !== one) other.point(x);
    };
}
