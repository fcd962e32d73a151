// The top of the page: what is shown, how the day went so far, and the controls of the whole page.
import type { Day } from "../core/api.js";
import { haltText } from "../core/auction.js";
import { formatPrice, formatShort, toUnits } from "../core/prices.js";
import { formatTime } from "../core/time.js";
import type { App } from "./app.js";
import { h, setClass, setText } from "./dom.js";

export interface HeaderEvents {
  symbol(symbol: string): void;
  /** Undefined: the present day. */
  day(day: Day | undefined): void;
}

const clockMs = 100;

export class Header {
  readonly element = h("header", { class: "top" });
  private readonly symbols = h("select", {
    "aria-label": "Instrument",
    title: "Instrument (, .)",
    class: "symbol",
  });
  private readonly days = h("select", { "aria-label": "Day", title: "Day" });
  private readonly last = h("span", { class: "last" });
  private readonly change = h("span", { class: "change" });
  private readonly facts = new Map<string, HTMLElement>();
  private readonly clock = h("span", { class: "clock", title: "Time of the market" });
  private readonly halted = h("span", { class: "halted", text: "Halted", hidden: true });
  private readonly notKnown = h("span", { class: "not-known", role: "note", hidden: true });
  private all: Day[] = [];
  private known: Day[] = [];
  private readonly draw = () => this.drawNow();

  constructor(
    private readonly app: App,
    private readonly events: HeaderEvents,
    status: HTMLElement,
    views: HTMLElement,
    buttons: HTMLElement[],
  ) {
    const facts = h("dl", { class: "day-facts" });
    for (const name of ["High", "Low", "VWAP", "Volume", "Trades"]) {
      const value = h("dd");
      this.facts.set(name, value);
      facts.append(h("div", {}, h("dt", { text: name }), value));
    }
    this.symbols.addEventListener("change", () => events.symbol(this.symbols.value));
    this.days.addEventListener("change", () =>
      events.day(this.known.find(({ day }) => day === this.days.value)),
    );
    this.element.append(
      h("h1", { text: "Damrak" }),
      views,
      this.symbols,
      h("div", { class: "quote" }, this.last, this.change, this.halted),
      facts,
      this.notKnown,
      h("div", { class: "spacer" }),
      this.days,
      this.clock,
      status,
      h("div", { class: "buttons" }, ...buttons),
    );
    const request = () => app.frames.request(this.draw);
    app.market.onState.subscribe(request);
    app.market.onStatistics.subscribe(request);
    app.market.onSymbol.subscribe(request);
    app.travel.onChange.subscribe(request);
    setInterval(() => this.tick(), clockMs);
  }

  showSymbols(symbols: string[], selected: string): void {
    this.symbols.replaceChildren(...symbols.map((text) => h("option", { value: text, text })));
    this.symbols.value = selected;
  }

  select(symbol: string): void {
    this.symbols.value = symbol;
  }

  /** The instrument before or after the present one. */
  step(by: number): void {
    const { options, selectedIndex } = this.symbols;
    const next = options[(selectedIndex + by + options.length) % options.length];
    if (next) this.events.symbol(next.value);
  }

  showDays(days: Day[], selected: string | undefined): void {
    this.all = days;
    this.known = days.filter((day) => !day.present);
    this.days.replaceChildren(
      h("option", { value: "", text: "Today" }),
      ...this.known.map(({ day, source }) => h("option", { value: day, text: day, title: source })),
    );
    this.days.value = selected ?? "";
    this.days.hidden = this.known.length === 0;
    this.drawNow();
  }

  private tick(): void {
    const { market, travel } = this.app;
    const now = travel.day === undefined ? market.clock.now(performance.now()) : (travel.at ?? 0);
    setText(this.clock, now ? formatTime(now) : "");
  }

  private drawNow(): void {
    const { market, travel } = this.app;
    // Of an archived day, up to the moment that is shown.
    const statistics = travel.day === undefined ? market.statistics : travel.soFar;
    setText(this.halted, haltText(market));
    setClass(this.halted, "call", market.state === "call");
    setClass(this.halted, "closed", market.state === "halted" && market.cause === undefined);
    this.halted.hidden = market.state === "trading" || travel.day !== undefined;
    const shown = this.all.find((day) =>
      travel.day === undefined ? day.present : day.day === travel.day,
    );
    const notKnown = shown?.not_known.join("; ") ?? "";
    setText(this.notKnown, notKnown);
    this.notKnown.hidden = notKnown === "";
    const { last, open, high, low, volume, turnover, trades } = statistics ?? {
      last: null,
      open: null,
      high: null,
      low: null,
      volume: 0,
      turnover: 0,
      trades: 0,
    };
    const price = (value: number | null) => (value === null ? "–" : formatPrice(toUnits(value)));
    setText(this.last, price(last));
    this.drawChange(toUnits(last ?? 0), toUnits(open ?? 0));
    const texts = {
      High: price(high),
      Low: price(low),
      VWAP: volume ? (turnover / volume).toFixed(2) : "–",
      Volume: formatShort(volume),
      Trades: formatShort(trades),
    };
    for (const [name, text] of Object.entries(texts)) setText(this.facts.get(name)!, text);
    document.title = last === null ? "Damrak" : `${price(last)} ${market.symbol} · Damrak`;
  }

  /** Without a trade both are 0. */
  private drawChange(last: number, open: number): void {
    const moved = Math.abs(last - open);
    const part = open > 0 ? `(${((100 * moved) / open).toFixed(2)} %)` : "";
    const sign = last < open ? "▼" : "▲";
    setText(this.change, part && `${sign} ${formatPrice(moved)} ${part}`);
    setClass(this.change, "down", last < open);
  }
}
