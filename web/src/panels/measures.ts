// Measures of the market: now, and over the last minutes.
import { imbalance, spread, Volatility } from "../core/measures.js";
import { formatPrice, formatQuantity, formatShort } from "../core/prices.js";
import type { App, Panel } from "../ui/app.js";
import { h, setText, Size } from "../ui/dom.js";
import { Sparkline } from "../ui/sparkline.js";

const sampleMs = 1_000;
const levels = 5;

class Measure {
  readonly line: Sparkline | undefined;
  private readonly value = h("dd");
  readonly element: HTMLElement;

  constructor(label: string, title: string, hasLine: boolean) {
    this.line = hasLine ? new Sparkline() : undefined;
    this.element = h(
      "div",
      { class: hasLine ? "measure" : "measure plain", title },
      h("dt", { text: label }),
      this.value,
      this.line?.canvas,
    );
  }
  set(text: string): void {
    setText(this.value, text);
  }
}

export class MeasuresPanel implements Panel {
  readonly title = "Measures";
  readonly tools = [];
  readonly body = h("div", {
    class: "measures",
    tabindex: "0",
    role: "group",
    "aria-label": "Measures",
  });
  readonly exports = [];
  private readonly spread = new Measure("Spread", "Best offer less best bid", true);
  private readonly depth = new Measure(
    `Depth ${levels}`,
    `Quantity of the best ${levels} prices: bids and offers`,
    true,
  );
  private readonly imbalance = new Measure(
    "Imbalance",
    `(bids − offers) ÷ (bids + offers) of the best ${levels} prices`,
    true,
  );
  private readonly volatility = new Measure(
    "Volatility",
    "Realised volatility of the middle price over five minutes, basis points per √minute",
    true,
  );
  private readonly ratio = new Measure(
    "Orders per trade",
    "Orders entered, divided by trades, since the day began",
    false,
  );
  private readonly cancels = new Measure(
    "Cancelled",
    "Cancels divided by orders entered, since the day began",
    false,
  );
  private readonly vwap = new Measure("VWAP", "Volume-weighted average price of the day", false);
  private readonly turnover = new Measure("Turnover", "Price times quantity of the day", false);
  private readonly changes = new Volatility();
  private readonly draw = () => this.drawNow();
  private readonly size = new Size(this.body, () => this.app.frames.request(this.draw));

  constructor(private readonly app: App) {
    const all = [
      this.spread,
      this.depth,
      this.imbalance,
      this.volatility,
      this.ratio,
      this.cancels,
      this.vwap,
      this.turnover,
    ];
    this.body.append(h("dl", { class: "measure-list" }, ...all.map(({ element }) => element)));
    app.market.onSymbol.subscribe(() => {
      this.changes.clear();
      for (const { line } of all) line?.clear();
    });
    const request = () => app.frames.request(this.draw);
    app.market.onStatistics.subscribe(request);
    app.travel.onChange.subscribe(request);
    app.onTheme.subscribe(request);
    setInterval(() => this.sample(), sampleMs);
  }

  private sample(): void {
    const { book } = this.app.market;
    const { middle } = book;
    if (middle === undefined) return;
    this.changes.add({ timeNs: book.timeNs, middle });
    this.spread.line?.push(spread(book) ?? 0);
    this.depth.line?.push(book.bids.depth(levels) + book.asks.depth(levels));
    this.imbalance.line?.push(imbalance(book, levels));
    this.volatility.line?.push(this.changes.value ?? 0);
    this.app.frames.request(this.draw);
  }

  private drawNow(): void {
    if (!this.size.visible) return;
    const { market, travel } = this.app;
    const book = travel.at === undefined ? market.book : travel.book;
    const statistics = travel.day === undefined ? market.statistics : undefined;
    const width = spread(book);
    const bps = width === undefined ? 0 : (1e4 * width) / (book.middle ?? 1);
    this.spread.set(width === undefined ? "–" : `${formatPrice(width)} · ${bps.toFixed(1)} bp`);
    this.depth.set(
      `${formatQuantity(book.bids.depth(levels))} / ` + formatQuantity(book.asks.depth(levels)),
    );
    const part = imbalance(book, levels);
    this.imbalance.set(`${part >= 0 ? "+" : "−"}${Math.abs(part).toFixed(2)}`);
    const volatility = travel.at === undefined ? this.changes.value : undefined;
    this.volatility.set(volatility === undefined ? "–" : `${volatility.toFixed(1)} bp/√min`);
    const { orders, trades, cancels, turnover, volume } = statistics ?? {
      orders: 0,
      trades: 0,
      cancels: 0,
      turnover: 0,
      volume: 0,
    };
    this.ratio.set(trades ? (orders / trades).toFixed(1) : "–");
    this.cancels.set(orders ? `${((100 * cancels) / orders).toFixed(0)} %` : "–");
    this.vwap.set(volume ? (turnover / volume).toFixed(2) : "–");
    this.turnover.set(volume ? formatShort(turnover) : "–");
    for (const { line } of [this.spread, this.depth, this.imbalance, this.volatility]) line?.draw();
  }
}
