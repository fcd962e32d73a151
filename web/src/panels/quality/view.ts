// Market quality: figures of now, and measures over time, of one market or of two over each other.
import { api } from "../../core/api.js";
import { bestPricesBefore, middlesOf } from "../../core/history.js";
import { MeasureColumns } from "../../core/measure_columns.js";
import { spread, Volatility } from "../../core/measures.js";
import { formatTime } from "../../core/time.js";
import type { App, Panel } from "../../ui/app.js";
import { timeAxis, Windowed, type Span } from "../../ui/dashboard.js";
import { h, scrollingGroup, select, setText, Size } from "../../ui/dom.js";
import { downloadCsv } from "../../ui/download.js";
import { linkPointers, Plot } from "../../ui/plot/plot.js";
import { chartsOf, compared, linesOf, type Chart, type Market, type Unit } from "./charts.js";
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
const refreshMs = 3_000;
/** Name and title of each figure of now. */
const figures = {
  spread: ["Spread", "Best offer less best bid"],
  depth: [`Depth ${levels}`, `Quantity of the best ${levels} prices: bids and offers`],
  imbalance: ["Imbalance", `(bids − offers) ÷ (bids + offers) of the best ${levels} prices`],
  volatility: [
    "Volatility",
    "Realised volatility of the middle price over five minutes, basis points per √minute; " +
      "the time, if there are fewer",
  ],
  ratio: ["Orders per trade", "Orders entered, divided by trades, since the day began"],
  cancels: [
    "Cancelled",
    "Cancels divided by orders entered, replacements included, since the day began",
  ],
  vwap: ["VWAP", "Volume-weighted average price of the day"],
  turnover: ["Turnover", "Price times quantity of the day"],
} as const;

export class QualityPanel implements Panel {
  readonly title = "Quality";
  readonly tools: HTMLElement[];
  readonly body = scrollingGroup("dashboard quality-body", "Market quality");
  readonly exports = [{ label: "Market quality as CSV", run: () => this.exportCsv() }];
  private readonly values = new Map<string, HTMLElement>();
  private readonly charts = h("div", { class: "dashboard-charts" });
  private plots = new Map<string, Plot>();
  private unit: Unit = "bp";
  private readonly own = new MeasureColumns();
  private readonly other = new MeasureColumns();
  private readonly others = h("select", {
    "aria-label": "Compare with",
    title: "Another market over this one",
    onchange: () => this.compareWith(this.others.value),
  });
  /** The day whose others are listed. */
  private listedFor: string | undefined;
  private readonly changes = new Volatility();
  /** Of the moment that is shown, if it is not the present. */
  private readonly past = new Volatility();
  private readonly draw = () => this.drawNow();
  private readonly size = new Size(this.body, () => this.app.frames.request(this.draw));
  private readonly windowed: Windowed;

  constructor(private readonly app: App) {
    const list = h("dl", { class: "measure-list" });
    for (const [name, [label, title]] of Object.entries(figures)) {
      const value = h("dd");
      this.values.set(name, value);
      list.append(h("div", { class: "measure", title }, h("dt", { text: label }), value));
    }
    this.body.append(list, this.charts);
    this.windowed = new Windowed(
      app,
      this.size,
      refreshMs,
      (span) => this.fetch(span),
      (error) => this.say(error.message),
    );
    const units = [
      ["bp", "bp"],
      ["currency", "Currency"],
    ] as const;
    this.tools = [
      this.others,
      select<Unit>("Unit of prices", units, this.unit, (unit) => {
        this.unit = unit;
        this.windowed.again();
      }),
      this.windowed.choice,
    ];
    app.market.onSymbol.subscribe(() => {
      this.changes.clear();
      void this.listOthers();
    });
    const request = () => app.frames.request(this.draw);
    app.market.onStatistics.subscribe(request);
    app.market.onTradesMissing.subscribe(() => void this.fetchEarlier());
    app.market.onHello.subscribe(({ newSession }) => {
      // Its times begin again.
      if (newSession) {
        this.changes.clear();
        this.own.clear();
        this.other.clear();
      }
      void this.listOthers();
    });
    app.travel.onChange.subscribe(() => {
      this.past.clear();
      this.past.addEarlier(middlesOf(app.travel.prices));
      if (app.travel.day !== this.listedFor) void this.listOthers();
      request();
    });
    setInterval(() => this.sample(), sampleMs);
  }

  /** Other instruments of the day, and the instrument on other days. */
  private async listOthers(): Promise<void> {
    const { market, travel, state } = this.app;
    const { symbol } = market;
    this.listedFor = travel.day;
    const days = await api.days().catch(() => []);
    const day = travel.day ?? days.find(({ present }) => present)?.day;
    const symbols = day ? await api.instruments(day).catch(() => []) : [];
    const rows: [string, string][] = [
      ["", "Compare…"],
      ...symbols
        .filter((one) => one.symbol !== symbol)
        .map((one): [string, string] => [`symbol ${one.symbol}`, `with ${one.symbol}`]),
      ...days
        .filter((one) => one.day !== day)
        .map((one): [string, string] => [`day ${one.day}`, `with ${one.day}`]),
    ];
    this.others.replaceChildren(...rows.map(([value, text]) => h("option", { value, text })));
    const wanted = state.compare ?? "";
    this.others.value = rows.some(([value]) => value === wanted) ? wanted : "";
    this.others.hidden = rows.length === 1;
    this.windowed.again();
  }

  private compareWith(value: string): void {
    const { state } = this.app;
    if (value) state.compare = value;
    else delete state.compare;
    this.app.remember();
    this.other.clear();
    this.windowed.again();
  }

  private async fetch(span: Span): Promise<void> {
    // Realised spreads need columns that are longer than their time.
    const wider = { ...span, columnSeconds: Math.max(5, span.columnSeconds) };
    const market = (name: string, columns: MeasureColumns): Market => ({
      name,
      points: (measure, scale) => columns.points(measure, scale),
    });
    await this.own.fetch(wider);
    const [, kind, name] = /^(day|symbol) (.+)$/.exec(this.others.value) ?? [];
    if (!kind || !name) return this.show(wider, [market(span.symbol, this.own)]);
    try {
      await this.other.fetch({ ...wider, [kind]: name });
    } catch (error) {
      // A day need not have the instrument.
      this.app.announce(`Compare with ${name}: ${(error as Error).message}`, "error");
      this.others.value = "";
      return this.compareWith("");
    }
    const own = market(kind === "day" ? (span.day ?? "today") : span.symbol, this.own);
    this.show(wider, [own, market(name, this.other)]);
  }

  private show(span: Span, markets: Market[]): void {
    const all = chartsOf(this.unit, span.columnSeconds);
    const charts = markets.length > 1 ? compared(all) : all;
    const x = timeAxis(span);
    this.plotsFor(charts).forEach((plot, i) => {
      const chart = charts[i]!;
      const series = linesOf(chart, markets);
      const isKnown = series.some(({ points }) => points.some(([, value]) => value !== undefined));
      plot.show({
        x,
        y: { title: chart.axis, ...(chart.hasZero && { hasZero: true }) },
        series,
        ...(!isKnown && { note: "Nothing was measured in this time" }),
      });
    });
  }

  private say(note: string): void {
    const charts = chartsOf(this.unit, 5);
    for (const plot of this.plotsFor(charts))
      plot.show({ x: { title: "" }, y: { title: "" }, series: [], note });
  }

  private plotsFor(charts: Chart[]): Plot[] {
    const titles = charts.map(({ title }) => title);
    if (titles.join() !== [...this.plots.keys()].join()) {
      const plots = charts.map(
        ({ title, help }) => this.plots.get(title) ?? new Plot(this.app, title, help),
      );
      this.plots = new Map(plots.map((plot) => [plot.title, plot]));
      linkPointers(plots);
      this.charts.replaceChildren(...plots.map(({ element }) => element));
    }
    return [...this.plots.values()];
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
      this.app.announce(`Quality: ${(error as Error).message}`, "error");
    }
  }

  private sample(): void {
    const { book } = this.app.market;
    const { middle } = book;
    // A crossed or one-sided book has no middle that moves.
    if (middle === undefined || spread(book) === undefined) return;
    this.changes.add({ timeNs: book.timeNs, middle });
    this.app.frames.request(this.draw);
  }

  private drawNow(): void {
    if (!this.size.visible) return;
    const { market, travel } = this.app;
    const book = travel.at === undefined ? market.book : travel.book;
    const present = travel.at === undefined ? market.statistics : undefined;
    const texts: Record<string, string> = {
      spread: spreadText(book),
      depth: depthText(book),
      imbalance: imbalanceText(book),
      volatility: volatilityText(travel.at === undefined ? this.changes : this.past),
      ...countTexts(present),
      ...tradedTexts(present ?? travel.soFar),
    };
    for (const [name, text] of Object.entries(texts)) setText(this.values.get(name)!, text);
  }

  private exportCsv(): void {
    const columnSeconds = this.own.lengthNs / 1e9;
    const names = chartsOf(this.unit, columnSeconds).flatMap(({ measures }) =>
      measures.map(({ measure }) => measure),
    );
    const columns = names.map((name) => this.own.points(name));
    downloadCsv(
      `quality-${this.app.market.symbol}.csv`,
      ["time", ...names],
      (columns[0] ?? []).map(([middle], i) => [
        formatTime(middle - this.own.lengthNs / 2),
        ...columns.map((points) => points[i]![1] ?? ""),
      ]),
    );
  }
}
