// The chart: candles, volume and the volume-weighted average price of the day.
import { api } from "../../core/api.js";
import { candleOfApi, CandleSeries, type Candle } from "../../core/candles.js";
import { formatPrice, formatShort } from "../../core/prices.js";
import { formatTime } from "../../core/time.js";
import { ticks, timeTicks } from "../../core/ticks.js";
import type { App, Panel } from "../../ui/app.js";
import { colour, h, select, setText, Size } from "../../ui/dom.js";
import { download, downloadCsv, downloadPng } from "../../ui/download.js";
import { canvasSurface, svgSurface, type Surface } from "../../ui/surface.js";
import { inView, leastCandles, panned, priceRange, zoomed } from "./model.js";

const axisWidth = 64;
const axisHeight = 20;
const volumePart = 0.2;
/** At first. */
const pixelsOfCandle = 7;
const intervals = [
  [1, "1 s"],
  [5, "5 s"],
  [10, "10 s"],
  [60, "1 min"],
  [300, "5 min"],
  [900, "15 min"],
  [3_600, "1 h"],
] as const;

export class ChartPanel implements Panel {
  readonly title = "Chart";
  readonly tools: HTMLElement[];
  readonly body = h("div", { class: "chart" });
  readonly exports = [
    {
      label: "Chart as PNG",
      run: () => downloadPng(`${this.name}.png`, colour("panel"), [this.canvas]),
    },
    { label: "Chart as SVG", run: () => this.exportSvg() },
    { label: "Candles as CSV", run: () => this.exportCsv() },
  ];
  private readonly canvas = h("canvas", { tabindex: "0", role: "img", "aria-label": "Candles" });
  private readonly readout = h("div", { class: "readout", "aria-live": "off" });
  /** Of an archived day; the present day's are those of the market. */
  private past: CandleSeries | undefined;
  /** Candles in view, and how many newer ones are out of it. */
  private count = 0;
  private skipped = 0;
  private hovered: number | undefined;
  private asked = "";
  private dragged: number | undefined;
  private readonly draw = () => this.drawNow();
  private readonly size = new Size(this.canvas, () => this.app.frames.request(this.draw));

  constructor(private readonly app: App) {
    const { market, state } = app;
    if (intervals.some(([seconds]) => seconds === state.candle))
      market.candleSeconds = state.candle!;
    this.tools = [
      select("Length of a candle", intervals, market.candleSeconds, (seconds) => {
        state.candle = seconds;
        this.skipped = 0;
        app.remember();
        market.selectCandles(seconds);
        this.fetch();
      }),
    ];
    this.body.append(this.canvas, this.readout);
    const request = () => app.frames.request(this.draw);
    market.onCandles.subscribe(request);
    market.onCandlesMissing.subscribe(() => {
      this.asked = "";
      this.fetch();
    });
    market.onSymbol.subscribe(() => this.fetch());
    app.travel.onChange.subscribe(() => {
      this.fetch();
      request();
    });
    app.onTheme.subscribe(request);
    this.listen(request);
  }

  private listen(request: () => void): void {
    const { canvas } = this;
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(1.0015 ** event.deltaY);
      },
      { passive: false },
    );
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.dragged = event.offsetX;
    });
    canvas.addEventListener("pointerup", () => (this.dragged = undefined));
    canvas.addEventListener("pointermove", (event) => {
      this.hovered = event.offsetX;
      const width = (this.size.width - axisWidth) / this.count;
      if (this.dragged !== undefined) {
        const moved = Math.trunc((event.offsetX - this.dragged) / width);
        this.pan(moved);
        this.dragged += moved * width;
      }
      request();
    });
    canvas.addEventListener("pointerleave", () => {
      this.hovered = undefined;
      request();
    });
    canvas.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowLeft") this.pan(5);
      if (key === "ArrowRight") this.pan(-5);
      if (key === "+" || key === "=") this.zoom(1 / 1.4);
      if (key === "-") this.zoom(1.4);
    });
  }

  private zoom(factor: number): void {
    this.count = zoomed(this.count, factor);
    this.app.frames.request(this.draw);
  }
  private pan(candles: number): void {
    this.skipped = panned(this.skipped, candles, this.shown.candles.length);
    this.app.frames.request(this.draw);
  }

  private get series(): CandleSeries {
    return this.past ?? this.app.market.candles;
  }
  /** Back in time, the chart ends there, too. */
  private get shown(): CandleSeries {
    const { at, tape, tapeSinceNs } = this.app.travel;
    if (at === undefined) return this.series;
    const moment = { atNs: at, trades: tape.counted, sinceNs: tapeSinceNs };
    return this.series.before(moment, this.app.market.candleSeconds);
  }
  private get name(): string {
    return `chart-${this.app.market.symbol}`;
  }

  /** The candles that ended before; the stream has the present one. */
  private fetch(): void {
    const { market, travel } = this.app;
    const { symbol, candleSeconds } = market;
    const wanted = `${symbol} ${candleSeconds} ${travel.day ?? ""}`;
    if (wanted === this.asked || symbol === undefined) return;
    // Between two sessions there is no present day to ask for.
    if (travel.day === undefined && !market.hello?.session) return;
    this.asked = wanted;
    const { day } = travel;
    this.past = day === undefined ? undefined : new CandleSeries();
    const series = this.series;
    api.candles({ symbol, day, interval: candleSeconds, limit: 10_000 }).then(
      (candles) => {
        if (wanted !== this.asked) return;
        const latest = series.candles;
        series.candles = candles.map(candleOfApi);
        for (const candle of latest) series.put(candle);
        this.app.frames.request(this.draw);
      },
      (error: Error) => this.app.announce(`Chart: ${error.message}`, "error"),
    );
  }

  private drawNow(): void {
    if (!this.size.visible) return;
    if (this.count === 0)
      this.count = Math.max(leastCandles, Math.round(this.size.width / pixelsOfCandle));
    this.drawOn(canvasSurface(this.canvas, this.size));
  }

  private drawOn(surface: Surface): void {
    const series = this.shown;
    const all = series.candles;
    const [first, end] = inView(all.length, this.count, this.skipped);
    const candles = all.slice(first, end);
    if (candles.length === 0) {
      setText(this.readout, "");
      surface.text(
        surface.width / 2,
        surface.height / 2,
        "No trades yet",
        colour("muted"),
        "center",
      );
      return;
    }
    const vwap = series.vwap().slice(first, end);
    const [low, high] = priceRange(candles, vwap);
    const plot = { width: surface.width - axisWidth, height: surface.height - axisHeight };
    const priceHeight = plot.height * (1 - volumePart);
    const width = plot.width / this.count;
    const xOf = (i: number) => plot.width - (candles.length - i - 0.5) * width;
    const yOf = (units: number) => ((high - units) / (high - low)) * priceHeight;
    this.grid(surface, plot, low, high, yOf, candles, xOf);
    const most = Math.max(1, ...candles.map((candle) => candle.volume));
    candles.forEach((candle, i) => {
      const rose = candle.close >= candle.open;
      const fill = colour(rose ? "bid" : "ask");
      const body = Math.max(1, width * 0.7);
      const volume = (candle.volume / most) * plot.height * (volumePart - 0.02);
      surface.rect(xOf(i) - body / 2, plot.height - volume, body, volume, fill, 0.45);
      surface.rect(xOf(i) - 0.5, yOf(candle.high), 1, yOf(candle.low) - yOf(candle.high), fill);
      const top = yOf(Math.max(candle.open, candle.close));
      surface.rect(
        xOf(i) - body / 2,
        top,
        body,
        Math.max(1, yOf(Math.min(candle.open, candle.close)) - top),
        fill,
      );
    });
    surface.line(
      vwap.map((units, i) => [xOf(i), yOf(units)]),
      colour("accent"),
    );
    const last = candles.at(-1)!;
    surface.rect(plot.width + 2, yOf(last.close) - 8, axisWidth - 4, 16, colour("text"));
    surface.text(plot.width + 8, yOf(last.close), formatPrice(last.close), colour("panel"));
    const pointed =
      this.hovered === undefined
        ? candles.length - 1
        : Math.round(candles.length - 0.5 - (plot.width - this.hovered) / width);
    this.read(
      candles[Math.min(candles.length - 1, Math.max(0, pointed))]!,
      vwap[Math.min(candles.length - 1, Math.max(0, pointed))]!,
    );
  }

  private grid(
    surface: Surface,
    plot: { width: number; height: number },
    low: number,
    high: number,
    yOf: (units: number) => number,
    candles: Candle[],
    xOf: (i: number) => number,
  ): void {
    const prices = ticks(low, high, plot.height / 40, 100);
    for (const units of prices) {
      surface.rect(0, Math.round(yOf(units)), plot.width, 1, colour("grid"));
      // The label of the last price has its place to itself.
      if (yOf(units) > 8 && Math.abs(yOf(units) - yOf(candles.at(-1)!.close)) > 14)
        surface.text(plot.width + 8, yOf(units), formatPrice(Math.round(units)), colour("muted"));
    }
    const [begin, end] = [candles[0]!.beginNs, candles.at(-1)!.beginNs];
    const { at } = timeTicks(begin, end, Math.max(1, (plot.width - xOf(0)) / 90));
    for (const ns of at) {
      // Times without trades have no candle, so a label stands at the first one from then on.
      const i = candles.findIndex((candle) => candle.beginNs >= ns);
      const x = Math.round(xOf(i));
      if (x < 24 || x > plot.width - 24) continue;
      surface.rect(x, 0, 1, plot.height, colour("grid"));
      surface.text(x, plot.height + 11, formatTime(ns), colour("muted"), "center");
    }
  }

  private read(candle: Candle, vwap: number): void {
    const { beginNs, open, high, low, close, volume } = candle;
    setText(
      this.readout,
      `${formatTime(beginNs)}  O ${formatPrice(open)}  H ${formatPrice(high)}  ` +
        `L ${formatPrice(low)}  C ${formatPrice(close)}  V ${formatShort(volume)}  ` +
        `VWAP ${(vwap / 1e4).toFixed(3)}`,
    );
  }

  private exportSvg(): void {
    const surface = svgSurface(this.size.width, this.size.height);
    surface.rect(0, 0, surface.width, surface.height, colour("panel"));
    this.drawOn(surface);
    download(`${this.name}.svg`, new Blob([surface.document()], { type: "image/svg+xml" }));
  }

  private exportCsv(): void {
    downloadCsv(
      `candles-${this.app.market.symbol}.csv`,
      ["time", "open", "high", "low", "close", "volume", "trades"],
      this.series.candles.map(({ beginNs, open, high, low, close, volume, trades }) => [
        formatTime(beginNs),
        ...[open, high, low, close].map((units) => formatPrice(units, 1)),
        volume,
        trades,
      ]),
    );
  }
}
