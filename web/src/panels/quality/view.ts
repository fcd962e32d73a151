// Measures of the market: now, and over the last minutes.
import { bestPricesBefore, middlesOf } from "../../core/history.js";
import { imbalance, spread, Volatility } from "../../core/measures.js";
import type { App, Panel } from "../../ui/app.js";
import { h, scrollingGroup, setText, Size } from "../../ui/dom.js";
import { Sparkline } from "../../ui/sparkline.js";
import {
  countTexts,
  depthText,
  imbalanceText,
  levels,
  spreadText,
  tradedTexts,
  volatilityText,
} from "./model.js";

const sampleMs = 1_000;

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
  readonly body = scrollingGroup("measures", "Measures");
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
    "Realised volatility of the middle price over five minutes, basis points per √minute; " +
      "the time, if there are fewer",
    true,
  );
  private readonly ratio = new Measure(
    "Orders per trade",
    "Orders entered, divided by trades, since the day began",
    false,
  );
  private readonly cancels = new Measure(
    "Cancelled",
    "Cancels divided by orders entered, replacements included, since the day began",
    false,
  );
  private readonly vwap = new Measure("VWAP", "Volume-weighted average price of the day", false);
  private readonly turnover = new Measure("Turnover", "Price times quantity of the day", false);
  private readonly changes = new Volatility();
  /** Of the moment that is shown, if it is not the present. */
  private readonly past = new Volatility();
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
    app.market.onTradesMissing.subscribe(() => void this.fetchEarlier());
    app.market.onHello.subscribe(({ newSession }) => {
      // Its times begin again.
      if (newSession) this.changes.clear();
    });
    app.travel.onChange.subscribe(() => {
      this.past.clear();
      this.past.addEarlier(middlesOf(app.travel.prices));
      request();
    });
    app.onTheme.subscribe(request);
    setInterval(() => this.sample(), sampleMs);
  }

  /** The page sees prices from now on; the archive has those before. */
  private async fetchEarlier(): Promise<void> {
    const { market } = this.app;
    const { symbol } = market;
    if (symbol === undefined) return;
    try {
      const prices = await bestPricesBefore({ symbol, day: undefined }, market.clock.lastNs);
      if (symbol === market.symbol) this.changes.addEarlier(middlesOf(prices));
    } catch (error) {
      this.app.announce(`Measures: ${(error as Error).message}`, "error");
    }
  }

  private sample(): void {
    const { book } = this.app.market;
    const { middle } = book;
    const width = spread(book);
    if (middle === undefined) return;
    if (width !== undefined) {
      // A crossed or one-sided book has no middle that moves.
      this.changes.add({ timeNs: book.timeNs, middle });
      this.spread.line?.push(width);
    }
    this.depth.line?.push(book.bids.depth(levels) + book.asks.depth(levels));
    this.imbalance.line?.push(imbalance(book, levels));
    this.volatility.line?.push(this.changes.value ?? 0);
    this.app.frames.request(this.draw);
  }

  private drawNow(): void {
    if (!this.size.visible) return;
    const { market, travel } = this.app;
    const book = travel.at === undefined ? market.book : travel.book;
    const present = travel.at === undefined ? market.statistics : undefined;
    this.spread.set(spreadText(book));
    this.depth.set(depthText(book));
    this.imbalance.set(imbalanceText(book));
    this.volatility.set(volatilityText(travel.at === undefined ? this.changes : this.past));
    const counts = countTexts(present);
    this.ratio.set(counts.ratio);
    this.cancels.set(counts.cancels);
    const traded = tradedTexts(present ?? travel.soFar);
    this.vwap.set(traded.vwap);
    this.turnover.set(traded.turnover);
    for (const { line } of [this.spread, this.depth, this.imbalance, this.volatility]) {
      // The lines are of the present.
      if (line) line.canvas.hidden = travel.at !== undefined;
      if (travel.at === undefined) line?.draw();
    }
  }
}
