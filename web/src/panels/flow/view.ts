// Trade flow and liquidity: volume, delta, imbalance, depth, large trades and the profile by price.
import { api, type Heatmap } from "../../core/api.js";
import { tradesBefore } from "../../core/history.js";
import { MeasureColumns } from "../../core/measure_columns.js";
import type { Trade } from "../../core/messages.js";
import { Tape } from "../../core/tape.js";
import { formatTime, shortDuration } from "../../core/time.js";
import type { App, Panel } from "../../ui/app.js";
import { scrollingGroup, Size } from "../../ui/dom.js";
import { timeAxis, Windowed, type Span } from "../../ui/dashboard.js";
import { downloadCsv } from "../../ui/download.js";
import { numberText, type Axis, type Series } from "../../ui/plot/model.js";
import { linkPointers, Plot } from "../../ui/plot/plot.js";
import {
  bubbleScale,
  bubblesOf,
  cumulativeDelta,
  depthWithin,
  largest,
  middles,
  pointOfControl,
  profileOf,
  profileRects,
  profileStep,
  tradeImbalance,
  volumeBars,
} from "./model.js";

const refreshMs = 2_000;
const mostTrades = 10_000;
const mostBubbles = 150;
const profileRows = 28;
const depthRows = 400;
/** Distances from the mid. */
const near = 10;
const far = 25;
const price = (value: number) => value.toFixed(2);

export class FlowPanel implements Panel {
  readonly title = "Flow";
  readonly tools: HTMLElement[];
  readonly body = scrollingGroup("dashboard", "Trade flow and liquidity");
  readonly exports = [{ label: "Trade flow as CSV", run: () => this.exportCsv() }];
  private readonly volume: Plot;
  private readonly delta: Plot;
  private readonly imbalance: Plot;
  private readonly levels: Plot;
  private readonly distance: Plot;
  private readonly trades: Plot;
  private readonly profile: Plot;
  private readonly columns = new MeasureColumns();
  private readonly tape = new Tape(mostTrades);
  /** Which trades the tape has. */
  private taped = "";
  private tapedSinceNs = Infinity;
  /** Begin of the window that it was fetched for. */
  private tapedFrom = Infinity;
  private map: Heatmap | undefined;

  constructor(private readonly app: App) {
    const plot = (title: string, help: string) => new Plot(app, title, help);
    this.volume = plot(
      "Volume",
      "Of trades with an incoming buyer, with an incoming seller, and of auctions and hidden orders",
    );
    this.delta = plot("Cumulative delta", "Bought less sold, since the window began");
    this.imbalance = plot(
      "Order-flow imbalance",
      "Trades: (bought − sold) ÷ (bought + sold). Best prices: (bid − offer) ÷ (bid + offer) of their quantities, mean by time",
    );
    this.levels = plot("Depth by level", "Of the best prices: mean of both sides, by time");
    this.distance = plot(
      "Depth by distance",
      "Displayed at most so far from the mid, mean by time",
    );
    this.trades = plot(
      "Large trades and auctions",
      `The largest ${mostBubbles} trades of the window; the area is in proportion to the quantity`,
    );
    this.profile = plot("Volume by price", "Of the trades of the window");
    const overTime = [
      this.trades,
      this.volume,
      this.delta,
      this.imbalance,
      this.levels,
      this.distance,
    ];
    linkPointers(overTime);
    this.trades.element.classList.add("two");
    this.profile.element.classList.add("tall");
    this.body.append(
      this.trades.element,
      this.profile.element,
      ...overTime.slice(1).map(({ element }) => element),
    );
    const windowed = new Windowed(
      app,
      new Size(this.body),
      refreshMs,
      (span) => this.fetch(span),
      (error) => this.say(error.message),
    );
    this.tools = [windowed.choice];
    app.market.onTrades.subscribe((trades) => {
      if (this.taped !== "" && app.travel.at === undefined) this.tape.add(trades);
    });
    app.market.onTradesMissing.subscribe(() => (this.taped = ""));
  }

  private async fetch(span: Span): Promise<void> {
    const { symbol, day, from, until, columnSeconds } = span;
    const columns = Math.ceil((until - from) / columnSeconds / 1e9) + 1;
    const where = { symbol, day, from: Math.floor(from), until: Math.floor(until), columns };
    const lines = await api.heatmap({ ...where, rows: 1 });
    const known = middles(lines).flatMap(([, value]) => (value === undefined ? [] : [value]));
    // So far from the mids of the window that each depth is whole.
    const apart = 1 + far / 1e4;
    const [map] = await Promise.all([
      known.length === 0
        ? lines
        : api.heatmap({
            ...where,
            rows: depthRows,
            low: (Math.min(...known) / apart).toFixed(2),
            high: (Math.max(...known) * apart + 0.02).toFixed(2),
          }),
      this.columns.fetch(span),
      this.fetchTrades(span),
    ]);
    this.map = map;
    this.showAll(map, span);
  }

  /** Once for a moment or an instrument, or a longer window; the stream continues those of the present. */
  private async fetchTrades({ symbol, day, until, from }: Span): Promise<void> {
    const { market, travel } = this.app;
    const isPresent = day === undefined && travel.at === undefined;
    const wanted = isPresent ? `present ${symbol}` : `${symbol} ${day ?? ""} ${travel.at}`;
    if (wanted === this.taped && from >= this.tapedFrom) return;
    const before = await tradesBefore({ symbol, day }, Math.floor(until), mostTrades);
    this.tape.clear();
    this.tape.add(before.trades);
    // Those that came meanwhile.
    if (isPresent && symbol === market.symbol) this.tape.add(market.tape.trades);
    this.tapedSinceNs = before.sinceNs;
    this.tapedFrom = from;
    this.taped = wanted;
  }

  /** The tape has all trades from this time on. */
  private get sinceNs(): number {
    const { trades } = this.tape;
    return trades.length >= mostTrades ? trades[0]!.timeNs : this.tapedSinceNs;
  }

  private say(note: string): void {
    for (const plot of [
      this.trades,
      this.volume,
      this.delta,
      this.imbalance,
      this.levels,
      this.distance,
      this.profile,
    ])
      plot.show({ x: { title: "" }, y: { title: "" }, series: [], note });
  }

  private showAll(map: Heatmap, span: Span): void {
    const x = timeAxis(span);
    const over = (plot: Plot, y: Axis, series: Series[], note?: string) =>
      plot.show({ x, y, series, ...(note !== undefined && { note }) });
    const hasVolume = [map.volume_bought, map.volume_sold, map.volume_other].some((volumes) =>
      volumes.some((one) => one > 0),
    );
    const noTrades = hasVolume ? undefined : "No trades in this time";
    const bars = (name: string, colour: string, volumes: number[], sign: 1 | -1): Series => ({
      kind: "rects",
      name,
      colour,
      foundBy: "x",
      rects: volumeBars(map, volumes, sign),
    });
    over(
      this.volume,
      { title: `Shares in ${shortDuration(map.column_ns)}; sold below zero`, hasZero: true },
      [
        bars("bought", "bid", map.volume_bought, 1),
        bars("sold", "ask", map.volume_sold, -1),
        ...(map.volume_other.some((one) => one > 0)
          ? [bars("auctions, hidden", "muted", map.volume_other, 1)]
          : []),
      ],
      noTrades,
    );
    over(
      this.delta,
      { title: "Shares", hasZero: true },
      [
        {
          kind: "line",
          name: "bought less sold",
          colour: "accent",
          points: cumulativeDelta(map),
          isFilled: true,
        },
      ],
      noTrades,
    );
    const { columns } = this;
    const part = { kind: "line" as const, format: (value: number) => numberText(value, 0.01) };
    over(this.imbalance, { title: "−1: all sold, 1: all bought", low: -1.05, high: 1.05 }, [
      { ...part, name: "trades", colour: "line-ask", points: tradeImbalance(map) },
      { ...part, name: "best prices", colour: "line-bid", points: columns.points("imbalance") },
    ]);
    const depth = (name: string, level: number, colour: string, isDashed = false): Series => ({
      kind: "line",
      name,
      colour,
      isDashed,
      points: columns.points(`depth_${level}`),
    });
    over(this.levels, { title: "Shares, mean of both sides", hasZero: true }, [
      depth("best", 1, "line-bid"),
      depth("5 levels", 5, "line-ask"),
      depth("10 levels", 10, "text", true),
    ]);
    const within = (name: string, side: "bids" | "asks", points: number): Series => ({
      kind: "line",
      name: `${name} ${points} bp`,
      colour: side === "bids" ? "line-bid" : "line-ask",
      isDashed: points === far,
      points: depthWithin(map, side, points),
    });
    over(
      this.distance,
      { title: "Shares", hasZero: true },
      map.rows > 1
        ? [
            within("bids", "bids", near),
            within("offers", "asks", near),
            within("bids", "bids", far),
            within("offers", "asks", far),
          ]
        : [],
    );
    this.showTrades(map, span);
  }

  private showTrades(map: Heatmap, span: Span): void {
    const { from, until } = span;
    const seen = this.tape.trades.filter(({ timeNs }) => timeNs >= from && timeNs <= until);
    // The oldest trades of a long window may not be there.
    const isWhole = seen.length === 0 || this.sinceNs <= from;
    const since = isWhole ? "" : ` since ${formatTime(this.sinceNs)}`;
    const large = largest(seen, mostBubbles);
    const most = bubbleScale(large);
    const bubbles = (name: string, colour: string, aggressor: Trade["aggressor"]): Series => ({
      kind: "bubbles",
      name,
      colour,
      largest: most,
      bubbles: bubblesOf(large, aggressor),
    });
    this.trades.show({
      x: timeAxis(span),
      y: { title: `Price${since && `; trades${since}`}`, format: price },
      series: [
        { kind: "line", name: "mid", colour: "muted", points: middles(map), format: price },
        bubbles("bought", "bid", 1),
        bubbles("sold", "ask", -1),
        bubbles("auctions, hidden", "cross", 0),
      ],
    });
    this.showProfile(seen, since);
  }

  private showProfile(seen: Trade[], since: string): void {
    const note = seen.length === 0 ? { note: "No trades in this time" } : {};
    const step = seen.length === 0 ? 100 : profileStep(seen, profileRows);
    const rows = profileOf(seen, step);
    const rects = (name: string, colour: string, kind: "bought" | "sold" | "other"): Series => ({
      kind: "rects",
      name,
      colour,
      foundBy: "y",
      rects: profileRects(rows, step, kind),
    });
    const control = pointOfControl(rows);
    this.profile.show({
      x: { title: `Shares${since}`, hasZero: true },
      y: {
        title: `Price${control === undefined ? "" : `; most at ${price(control)}`}`,
        format: price,
      },
      series: [
        rects("bought", "bid", "bought"),
        rects("sold", "ask", "sold"),
        ...(rows.some(({ other }) => other > 0) ? [rects("others", "muted", "other")] : []),
      ],
      ...note,
    });
  }

  private exportCsv(): void {
    const { map } = this;
    if (!map) return;
    const delta = cumulativeDelta(map);
    downloadCsv(
      `flow-${this.app.market.symbol}.csv`,
      ["time", "bought", "sold", "other", "cumulative_delta", "bid", "ask"],
      map.volume_bought.map((bought, i) => [
        formatTime(map.from_ns + i * map.column_ns),
        bought,
        map.volume_sold[i]!,
        map.volume_other[i]!,
        delta[i]![1]!,
        map.bid[i] ?? "",
        map.ask[i] ?? "",
      ]),
    );
  }
}
