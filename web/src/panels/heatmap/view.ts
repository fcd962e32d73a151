// The heatmap: displayed quantity over time and price.
import { api, type TimelineEntry } from "../../core/api.js";
import { auctionUnits } from "../../core/auction.js";
import { Step } from "../../core/step.js";
import { formatTime } from "../../core/time.js";
import type { App, Panel } from "../../ui/app.js";
import { button, colour, fitCanvas, h, select, setClass, setText, Size } from "../../ui/dom.js";
import { downloadPng } from "../../ui/download.js";
import { Axes, axisHeight, axisWidth } from "./axes.js";
import { BubbleMaker } from "./bubbles.js";
import { contrasts, stepContrast, type Contrast } from "./contrast.js";
import { Crosshair } from "./crosshair.js";
import { DayStrip } from "./day_strip.js";
import { EventList } from "./event_list.js";
import { Gestures } from "./gestures.js";
import { HeatmapModel } from "./model.js";
import { palette } from "../../core/palette.js";
import { Player } from "./player.js";
import { Renderer } from "./renderer.js";
import { shownPrice } from "./shown_price.js";
import { HeatmapView } from "./window.js";

/** Price range of a new view, as a part of the price. */
const firstRange = 0.004;
const leastFirstRangeUnits = 4_000;
/** While a day is played, the other panels follow after this time. */
const travelMs = 400;
/** Part of the way to the middle that a frame goes. */
const glide = 0.2;

function rgb(name: string): number[] {
  const hex = colour(name).slice(1);
  return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
}

export class HeatmapPanel implements Panel {
  readonly title = "Heatmap";
  readonly tools: HTMLElement[];
  readonly body = h("div", { class: "heatmap" });
  readonly exports = [{ label: "Heatmap as PNG", run: () => this.exportPng() }];
  readonly view = new HeatmapView();
  readonly model: HeatmapModel;
  private readonly stage = h("div", { class: "heatmap-stage" });
  private readonly surface = h("div", {
    class: "heatmap-surface",
    tabindex: "0",
    role: "application",
    "aria-label":
      "Heatmap of displayed quantity; arrow keys move, plus and minus zoom, space pauses",
  });
  private readonly cells = h("canvas", { class: "heatmap-cells" });
  private readonly axes = new Axes(h("canvas", { class: "heatmap-axes" }));
  private readonly crosshair = new Crosshair();
  private readonly bubbles = new BubbleMaker();
  private readonly strip: DayStrip;
  private readonly renderer: Renderer | undefined;
  private readonly note = h("div", { class: "heatmap-note", role: "status" });
  private readonly followButton = button(
    "Live: follow the market",
    "Live",
    () => this.follow(),
    "End",
  );
  private readonly pauseButton = button("Pause", "Pause", () => this.pause(), "space");
  private readonly player = new Player((ns) => this.play(ns));
  private readonly step: Step;
  /** Of a kept run: what its market file plans. */
  timeline: TimelineEntry[] = [];
  private toldMs = 0;
  private readonly events = new EventList((timeNs) => this.show(timeNs + this.view.spanNs / 2));
  private contrast: Contrast = 1;
  private readonly contrastChoice = select(
    "Contrast",
    contrasts.map((value) => [value, `◐ ${value}×`] as const),
    this.contrast,
    (value) => this.setContrast(value),
  );
  private drawn = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly draw = () => this.drawNow();
  private readonly size = new Size(this.surface, () => this.resize());

  constructor(private readonly app: App) {
    this.model = new HeatmapModel(
      app.market,
      () => this.request(),
      (why) =>
        app.announce(`Heatmap: ${why instanceof Error ? why.message : String(why)}`, "error"),
      (grid) => this.renderer?.drop(grid),
    );
    this.strip = new DayStrip(this.view, (endNs) => this.show(endNs));
    const zoom = (factor: number) => () => {
      this.view.zoomTime(factor, this.view.width / 2);
      this.moved();
    };
    this.step = new Step(app.state.step !== undefined, ({ endNs, spanNs }) => {
      this.player.stop();
      this.view.following = false;
      [this.view.endNs, this.view.spanNs] = [endNs, spanNs];
      this.moved(false);
    });
    this.tools = [
      this.events.element,
      ...this.player.tools,
      this.followButton,
      this.pauseButton,
      button("Zoom in", "+", zoom(1 / 1.5), "+"),
      button("Zoom out", "−", zoom(1.5), "-"),
      button("Fit the prices to what is seen", "Fit", () => this.fit(), "F"),
      this.contrastChoice,
    ];
    this.surface.append(this.cells, this.axes.canvas, this.crosshair.element);
    this.stage.append(this.surface, this.note);
    this.body.append(this.stage, this.strip.canvas);
    try {
      this.renderer = new Renderer(this.cells, () => this.request());
    } catch (error) {
      this.say(`No heatmap: ${(error as Error).message}`);
    }
    this.listen();
    this.view.restore(app.state);
  }

  private listen(): void {
    const { app, view } = this;
    new Gestures(this.surface, view, {
      changed: () => this.moved(),
      hover: (x, y) => {
        this.crosshair.move(x, y);
        this.request();
      },
      leave: () => this.crosshair.hide(),
      click: (x) => this.look(x),
      follow: () => this.follow(),
      pause: () => (view.following ? this.pause() : this.follow()),
      contrast: (by) => this.setContrast(stepContrast(this.contrast, by)),
      fit: () => this.fit(),
      dayStart: () => {
        view.following = false;
        view.endNs = this.strip.firstNs + view.spanNs;
      },
    });
    for (const signal of [app.market.onSymbol, app.market.onQueues, app.travel.onChange])
      signal.subscribe(() => this.request());
    app.market.onBook.subscribe(() => this.request());
    app.market.onState.subscribe(() => this.request());
    app.market.onSymbol.subscribe(() => this.restart());
    app.market.onHello.subscribe(({ newSession }) => {
      if (newSession) this.restart();
    });
    app.onTheme.subscribe(() => this.recolour());
  }

  /** Another symbol, day or session. */
  restart(): void {
    this.model.clear();
    this.view.begin(this.app.market.symbol, this.app.state.day);
    this.request();
  }

  /** An archived day, or the present one, which began at `firstNs`. */
  setDay(day: { day: string; firstNs: number; lastNs: number } | undefined, firstNs: number): void {
    if (this.model.past && !day) this.view.following = true;
    this.player.show(day !== undefined);
    // An archived day has no present, and the player has a pause of its own.
    for (const one of [this.followButton, this.pauseButton]) one.hidden = day !== undefined;
    this.timeline = [];
    this.events.show([]);
    // Only kept runs have one.
    if (day && !this.app.market.hasExchange)
      api.timeline(day.day).then(
        (timeline) => {
          this.timeline = timeline;
          this.events.show(timeline);
          this.request();
        },
        () => {},
      );
    this.model.past = day && { day: day.day, lastNs: day.lastNs };
    this.strip.firstNs = day ? day.firstNs : firstNs;
    this.restart();
    if (day) {
      this.view.following = false;
      if (this.view.endNs < day.firstNs || this.view.endNs > day.lastNs)
        this.view.endNs = day.lastNs;
    }
    this.moved();
  }

  private setContrast(contrast: Contrast): void {
    this.contrast = contrast;
    this.contrastChoice.value = String(contrast);
    this.request();
  }

  /** The prices of what is seen, all of them. */
  private fit(): void {
    const { view, model } = this;
    const seen = model.grid?.pricesBetween(view.startNs, Math.min(view.endNs, model.lastNs));
    if (!seen) return;
    view.fit(seen.low, seen.high, Math.max(seen.low * firstRange, leastFirstRangeUnits) / 4);
    view.centring = view.following;
    this.moved();
  }

  private show(endNs: number): void {
    this.view.following = false;
    this.view.endNs = endNs;
    this.moved();
  }

  follow(): void {
    if (this.model.past) {
      this.view.endNs = this.model.lastNs;
    } else {
      this.view.following = true;
      this.view.centring = true;
    }
    this.moved();
  }

  pause(): void {
    this.player.stop();
    this.view.following = false;
    this.moved();
  }

  /** The other panels show this moment. */
  private look(x: number): void {
    this.view.following = false;
    this.remember();
    this.app.travel.goTo(Math.min(this.view.timeAt(x), this.model.lastNs), this.app.market.symbol);
    this.request();
  }

  private play(ns: number): boolean {
    const { view, model } = this;
    view.following = false;
    view.endNs = Math.min(view.endNs + ns, model.lastNs);
    // The other panels follow a few times a second; each time they ask the archive.
    const ms = performance.now();
    if (ms - this.toldMs > travelMs || view.endNs === model.lastNs) {
      this.toldMs = ms;
      this.moved();
    } else {
      this.step.tell(view);
      this.request();
    }
    return view.endNs < model.lastNs;
  }

  private moved(tells = true): void {
    const { travel, market } = this.app;
    if (tells) this.step.tell(this.view);
    // Before the first frame there is nowhere to stay.
    if (this.drawn) this.view.endNs = Math.max(this.view.endNs, 1e9);
    else if (!this.model.past && this.app.state.at === undefined) this.view.following = true;
    travel.goTo(
      this.view.following ? undefined : Math.min(this.view.endNs, this.model.lastNs),
      market.symbol,
    );
    this.remember();
    this.request();
  }

  private remember(): void {
    const { state } = this.app;
    const { view } = this;
    state.span = Math.round(view.spanNs / 1e9);
    if (view.following) delete state.at;
    else state.at = Math.max(0, Math.round(view.endNs));
    if (view.centring) {
      delete state.low;
      delete state.high;
    } else {
      [state.low, state.high] = [Math.round(view.low), Math.round(view.high)];
    }
    this.app.remember();
  }

  request(): void {
    this.app.frames.request(this.draw);
  }

  private resize(): void {
    this.view.width = Math.max(1, this.size.width - axisWidth);
    this.view.height = Math.max(1, this.size.height - axisHeight);
    if (this.size.visible) this.recolour();
  }

  private recolour(): void {
    this.renderer?.setColours({
      bid: rgb("line-bid"),
      ask: rgb("line-ask"),
      cross: rgb("cross"),
      rim: rgb("rim"),
      palette: palette(document.documentElement.dataset["theme"] === "light" ? "light" : "dark"),
    });
    this.request();
  }

  private drawNow(): void {
    const { view, model, app, renderer } = this;
    const { symbol } = app.market;
    if (!renderer || !this.size.visible || symbol === undefined) return;
    if (renderer.lost) return this.say("Waiting for the graphics card");
    const nowNs = model.past ? model.lastNs : app.market.clock.now(performance.now());
    if (model.lastNs === 0) return this.say("Waiting for the market");
    if (view.following) view.endNs = nowNs;
    this.drawn = true;
    this.strip.lastNs = Math.max(nowNs, this.strip.firstNs + 1e9);
    this.strip.update(symbol, model.past?.day, () => this.request());
    this.place();
    fitCanvas(this.cells, view);
    fitCanvas(this.axes.canvas, this.size);
    model.prepare(view, nowNs);
    const grid = model.grid;
    renderer.draw(view, model.grids, model.scale(this.contrast), this.bubbles.make(view, grid));
    this.axes.draw(view, {
      symbol,
      orders: app.market.orders,
      at: app.travel.at,
      timeline: this.timeline,
      ...(view.following
        ? {
            bid: app.market.book.bids.best?.price,
            ask: app.market.book.asks.best?.price,
            auction: auctionUnits(app.market.auction),
          }
        : { bid: undefined, ask: undefined, auction: undefined }),
    });
    this.crosshair.show(view, grid);
    this.strip.draw();
    this.status();
    if (view.following) this.again();
  }

  /** Where nothing else happens, the market's time still goes on. */
  private again(): void {
    clearTimeout(this.timer);
    const { view, app } = this;
    const msOfPixel = view.spanNs / 1e6 / view.width / Math.max(app.market.clock.speed, 0.01);
    this.timer = setTimeout(() => this.request(), Math.min(1_000, Math.max(50, msOfPixel / 2)));
  }

  /** Keeps the price in sight. */
  private place(): void {
    const { view, app, model } = this;
    const { market, travel } = app;
    const past = view.following ? [] : [travel];
    // A book of another day says nothing about this one.
    const sources = model.past ? past : [...past, market];
    const middle = shownPrice(sources, this.strip.candles, view.endNs);
    if (middle === undefined) return;
    if (view.high <= view.low) {
      if (!model.past || !this.strip.loading) this.firstPrices(middle);
    } else if (view.centring && (middle < view.low || middle > view.high)) {
      view.centre(middle);
    } else if (view.centring && view.following && view.strays(middle)) {
      const now = (view.low + view.high) / 2;
      view.centre(now + (middle - now) * glide);
      this.request();
    }
  }

  /** Those around the market; of an archived day as far as it went in this time. */
  private firstPrices(middle: number): void {
    const { view, model } = this;
    const range = model.past && this.strip.range();
    const least = Math.max(middle * firstRange, leastFirstRangeUnits);
    view.fit(range?.low ?? middle, range?.high ?? middle, least);
  }

  private status(): void {
    const { view, model } = this;
    setClass(this.followButton, "on", view.following);
    setClass(this.pauseButton, "on", !view.following);
    this.followButton.setAttribute("aria-pressed", String(view.following));
    this.pauseButton.setAttribute("aria-pressed", String(!view.following));
    const past = view.endNs < model.lastNs - view.spanNs / 100;
    this.say(view.following || !past ? "" : `Until ${formatTime(Math.floor(view.endNs))}`);
  }

  private say(text: string): void {
    setText(this.note, text);
    this.note.hidden = text === "";
  }

  private exportPng(): void {
    // Drawn now, because what WebGL drew in an earlier frame is not kept.
    this.drawNow();
    const name = `heatmap-${this.app.market.symbol}-${formatTime(Math.floor(this.view.endNs))}.png`;
    downloadPng(name.replaceAll(":", ""), colour("panel"), [this.cells, this.axes.canvas]);
  }
}
