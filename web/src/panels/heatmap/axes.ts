// Labels of time and price around the heatmap, and what lies on it: own orders and the time that
// the other panels show.
import type { TimelineEntry } from "../../core/api.js";
import type { OwnOrders } from "../../core/orders.js";
import { ownText } from "../../core/own_words.js";
import { formatPrice, toUnits } from "../../core/prices.js";
import { formatTime } from "../../core/time.js";
import { colour } from "../../ui/dom.js";
import { chartFont } from "../../ui/surface.js";
import { drawTimeline } from "./timeline.js";
import { type HeatmapView } from "./window.js";
import { ticks, timeTicks } from "../../core/ticks.js";

export const axisWidth = 64;
export const axisHeight = 24;

const pixelsOfTimeLabel = 90;
const pixelsOfPriceLabel = 36;

export interface Shown {
  symbol: string | undefined;
  orders: OwnOrders;
  bid: number | undefined;
  ask: number | undefined;
  /** Of an auction that is being collected for. */
  auction: number | undefined;
  /** The time that the other panels show, if it is not the present. */
  at: number | undefined;
  timeline: TimelineEntry[];
}

export class Axes {
  private readonly context: CanvasRenderingContext2D;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d")!;
  }

  draw(view: HeatmapView, shown: Shown): void {
    const { context } = this;
    const scale = window.devicePixelRatio;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, view.width + axisWidth, view.height + axisHeight);
    context.font = chartFont;
    context.textBaseline = "middle";
    this.times(view);
    this.prices(view, [shown.bid, shown.ask, shown.auction]);
    this.best(view, shown);
    if (shown.auction !== undefined) this.auction(view, shown.auction);
    drawTimeline(context, view, shown.timeline);
    if (shown.at !== undefined) this.cursor(view, shown.at);
    if (shown.symbol !== undefined) this.orders(view, shown.symbol, shown.orders);
  }

  private times(view: HeatmapView): void {
    const { context } = this;
    context.textAlign = "center";
    const { step, at } = timeTicks(view.startNs, view.endNs, view.width / pixelsOfTimeLabel);
    for (const ns of at) {
      const x = Math.round(view.xOf(ns)) + 0.5;
      context.fillStyle = colour("grid");
      context.fillRect(x - 0.5, 0, 1, view.height);
      context.fillStyle = colour("muted");
      const decimals = step >= 1e9 ? 0 : step >= 1e8 ? 1 : 3;
      if (x > 28 && x < view.width - 20)
        context.fillText(formatTime(Math.max(0, Math.round(ns)), decimals), x, view.height + 13);
    }
  }

  /** Prices that a label of the best ones would hide are left out. */
  private prices(view: HeatmapView, best: (number | undefined)[]): void {
    const { context } = this;
    context.textAlign = "left";
    const least = view.low >= 10_000 ? 100 : 1;
    const at = ticks(view.low, view.high, view.height / pixelsOfPriceLabel, least);
    const step = at.length > 1 ? at[1]! - at[0]! : 0;
    for (const price of at) {
      const y = Math.round(view.yOf(price));
      context.fillStyle = colour("grid");
      context.fillRect(0, y, view.width, 1);
      context.fillStyle = colour("muted");
      const hidden = best.some((one) => one !== undefined && Math.abs(view.yOf(one) - y) < 15);
      if (y > 8 && y < view.height - 4 && !hidden)
        context.fillText(formatPrice(Math.round(price), step), view.width + 8, y);
    }
  }

  private best(view: HeatmapView, shown: Shown): void {
    const middle = view.yOf(((shown.bid ?? 0) + (shown.ask ?? 0)) / 2);
    // The two labels keep apart although their prices may be next to each other.
    if (shown.ask !== undefined)
      this.tag(view, Math.min(view.yOf(shown.ask), middle - 9), "ask", formatPrice(shown.ask));
    if (shown.bid !== undefined)
      this.tag(view, Math.max(view.yOf(shown.bid), middle + 9), "bid", formatPrice(shown.bid));
  }

  private auction(view: HeatmapView, price: number): void {
    const { context } = this;
    const y = Math.round(view.yOf(price));
    if (y < 0 || y > view.height) return;
    context.fillStyle = colour("accent");
    for (let x = 0; x < view.width; x += 8) context.fillRect(x, y, 5, 1);
    this.tag(view, y, "accent", formatPrice(price));
  }

  private tag(view: HeatmapView, y: number, side: "bid" | "ask" | "accent", text: string): void {
    const { context } = this;
    if (y < 0 || y > view.height) return;
    context.fillStyle = colour(side);
    context.fillRect(view.width + 2, Math.round(y) - 8, axisWidth - 4, 16);
    context.fillStyle = colour("on-side");
    context.fillText(text, view.width + 8, Math.round(y) + 0.5);
  }

  private cursor(view: HeatmapView, at: number): void {
    const { context } = this;
    const x = Math.round(view.xOf(at));
    if (x < 0 || x > view.width) return;
    context.fillStyle = colour("text");
    for (let y = 0; y < view.height; y += 6) context.fillRect(x, y, 1, 3);
  }

  private orders(view: HeatmapView, symbol: string, orders: OwnOrders): void {
    const { context } = this;
    context.textAlign = "right";
    for (const order of orders.of(symbol)) {
      if (order.price === null) continue;
      const y = Math.round(view.yOf(toUnits(order.price)));
      if (y < 0 || y > view.height) continue;
      const place = orders.queues.place(order.reference);
      const text = ownText(order, place);
      const width = context.measureText(text).width + 12;
      context.fillStyle = colour(order.side === "buy" ? "bid" : "ask");
      for (let x = 0; x < view.width - width - 8; x += 12) context.fillRect(x, y, 8, 1);
      context.fillRect(view.width - width - 4, y - 8, width, 16);
      context.fillStyle = colour("on-side");
      context.fillText(text, view.width - 10, y + 0.5);
    }
    context.textAlign = "left";
  }
}
