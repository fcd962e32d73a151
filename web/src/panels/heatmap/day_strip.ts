// The whole day below the heatmap: its price, and which part is in view. Drag to go there.
import { api, type ApiCandle } from "../../core/api.js";
import { toUnits } from "../../core/prices.js";
import { formatTime } from "../../core/time.js";
import { colour, fitCanvas, h, Size } from "../../ui/dom.js";
import type { HeatmapView } from "./window.js";

const mostCandles = 400;
const refreshMs = 10_000;

export class DayStrip {
  readonly canvas = h("canvas", {
    class: "day-strip",
    role: "slider",
    tabindex: "0",
    "aria-label": "Time of day",
    "aria-valuemin": "0",
    "aria-valuemax": "86400",
  });
  private readonly size = new Size(this.canvas);
  private readonly context = this.canvas.getContext("2d")!;
  candles: ApiCandle[] = [];
  private fetchedAt = -Infinity;
  private fetchedFor = "";
  /** The prices of the day are on their way. */
  loading = false;
  firstNs = 0;
  lastNs = 0;

  constructor(
    private readonly view: HeatmapView,
    moved: (endNs: number) => void,
  ) {
    const go = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect();
      const part = (event.clientX - box.left) / box.width;
      const time = this.firstNs + part * (this.lastNs - this.firstNs);
      moved(Math.min(this.lastNs, time + view.spanNs / 2));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (this.canvas.hasPointerCapture(event.pointerId)) go(event);
    });
    this.canvas.addEventListener("keydown", (event) => {
      const steps: Record<string, number> = {
        ArrowLeft: -0.5,
        ArrowDown: -0.5,
        ArrowRight: 0.5,
        ArrowUp: 0.5,
        PageDown: -5,
        PageUp: 5,
      };
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      moved(Math.min(this.lastNs, view.endNs + step * view.spanNs));
    });
  }

  /** Lowest and highest price of the trades in view; undefined: none, or not known yet. */
  range(): { low: number; high: number } | undefined {
    const { startNs, endNs } = this.view;
    const seen = this.candles.filter(({ time_ns }) => time_ns >= startNs && time_ns <= endNs);
    if (seen.length === 0) return undefined;
    const low = Math.min(...seen.map((candle) => candle.low));
    const high = Math.max(...seen.map((candle) => candle.high));
    return { low: toUnits(low), high: toUnits(high) };
  }

  /** Fetches the day's prices again now and then. */
  update(symbol: string, day: string | undefined, redraw: () => void): void {
    const wanted = `${symbol} ${day ?? ""} ${this.firstNs}`;
    if (wanted === this.fetchedFor && performance.now() - this.fetchedAt < refreshMs) return;
    if (wanted !== this.fetchedFor) {
      this.candles = [];
      this.loading = true;
    }
    this.fetchedFor = wanted;
    this.fetchedAt = performance.now();
    const seconds = (this.lastNs - this.firstNs) / 1e9;
    const interval = Math.max(1, Math.ceil(seconds / mostCandles));
    api.candles({ symbol, day, interval }).then(
      (candles) => {
        this.candles = candles;
        this.loading = false;
        redraw();
      },
      () => (this.loading = false),
    );
  }

  draw(): void {
    const { context, view } = this;
    const { width, height } = this.size;
    fitCanvas(this.canvas, this.size);
    const length = this.lastNs - this.firstNs;
    const scale = window.devicePixelRatio;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    if (length <= 0) return;
    const xOf = (ns: number) => ((ns - this.firstNs) / length) * width;
    this.price(xOf, height);
    const from = Math.max(0, xOf(view.startNs));
    const until = Math.min(width, Math.max(xOf(view.endNs), from + 3));
    context.fillStyle = colour("accent");
    context.globalAlpha = 0.18;
    context.fillRect(from, 0, until - from, height);
    context.globalAlpha = 1;
    context.fillRect(from, 0, 1, height);
    context.fillRect(until - 1, 0, 1, height);
    this.canvas.setAttribute("aria-valuenow", String(Math.round(view.endNs / 1e9)));
    this.canvas.setAttribute("aria-valuetext", formatTime(Math.max(0, view.endNs)));
  }

  private price(xOf: (ns: number) => number, height: number): void {
    const { context, candles } = this;
    if (candles.length === 0) return;
    const low = Math.min(...candles.map((candle) => candle.low));
    const high = Math.max(...candles.map((candle) => candle.high));
    const yOf = (price: number) => 3 + ((high - price) / (high - low || 1)) * (height - 6);
    context.strokeStyle = colour("muted");
    context.beginPath();
    for (const candle of candles) context.lineTo(xOf(candle.time_ns), yOf(candle.close));
    context.stroke();
  }
}
