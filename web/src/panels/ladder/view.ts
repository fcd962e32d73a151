// The ladder: a row for each price step, or for each price at which orders rest, with the displayed
// quantity on both sides. With trading enabled a click enters an order, and own orders can be
// cancelled and dragged to another price.
import { auctionText, auctionUnits } from "../../core/auction.js";
import type { DepthBook, Level } from "../../core/book.js";
import type { OrderMessage } from "../../core/messages.js";
import { ownDetails } from "../../core/own_words.js";
import { formatPrice, formatQuantity, toUnits } from "../../core/prices.js";
import { formatTime } from "../../core/time.js";
import type { App, Panel } from "../../ui/app.js";
import { button, h, setClass, setText, Size } from "../../ui/dom.js";
import { downloadCsv } from "../../ui/download.js";
import { isWide, levelPrices, stepOf, stepPrices } from "./model.js";

const rowHeight = 22;

interface Row {
  element: HTMLElement;
  bid: HTMLElement;
  price: HTMLElement;
  ask: HTMLElement;
  own: HTMLElement;
  units: number;
}

export class LadderPanel implements Panel {
  readonly title = "Ladder";
  readonly tools: HTMLElement[];
  readonly body = h("div", { class: "ladder" });
  readonly exports = [{ label: "Ladder as CSV", run: () => this.exportCsv() }];
  private readonly grid = h("div", {
    class: "ladder-rows",
    role: "grid",
    tabindex: "0",
    "aria-label": "Ladder of prices",
  });
  private readonly quantity = h("input", {
    type: "number",
    min: "1",
    value: "100",
    class: "quantity",
    "aria-label": "Quantity of a new order",
    title: "Quantity of a new order",
  });
  private readonly note = h("div", { class: "panel-note", role: "status" });
  private readonly start = h("input", {
    type: "number",
    min: "0.01",
    step: "0.01",
    class: "quantity",
    "aria-label": "Price to begin with",
  });
  private readonly empty = h(
    "form",
    { class: "panel-note", hidden: true, onsubmit: (event) => this.begin(event) },
    "No orders. Begin at",
    this.start,
    h("button", { type: "submit", text: "Show" }),
  );
  private rows: Row[] = [];
  private step = 100;
  /** Units of the price in the middle row; undefined: not placed yet. */
  private centre: number | undefined;
  /** The market may move the rows, until the user does. */
  private centring = true;
  /** Only prices at which orders rest. */
  private levelsOnly = false;
  private readonly levelsButton = button(
    "Levels: only prices with orders",
    "Levels",
    () => {
      this.levelsOnly = !this.levelsOnly;
      this.request();
    },
    "V",
  );
  private selected: number | undefined;
  private readonly draw = () => this.drawNow();
  private readonly size = new Size(this.grid, () => this.resize());

  constructor(private readonly app: App) {
    const head = h(
      "div",
      { class: "ladder-head", "aria-hidden": "true" },
      h("span", { text: "You" }),
      h("span", { text: "Bid" }),
      h("span", { text: "Price" }),
      h("span", { text: "Offer" }),
    );
    this.tools = [
      this.quantity,
      this.levelsButton,
      button("Centre on the market", "Centre", () => this.recentre(), "C"),
    ];
    this.body.append(head, this.grid, this.empty, this.note);
    const { market, travel } = app;
    const request = () => this.request();
    for (const signal of [market.onSymbol, travel.onChange, market.onQueues])
      signal.subscribe(request);
    market.onBook.subscribe(request);
    market.onState.subscribe(request);
    market.onOrder.subscribe(request);
    market.onConnection.subscribe(request);
    market.onHello.subscribe(request);
    market.onSymbol.subscribe(() => {
      this.centre = undefined;
      this.centring = true;
    });
    this.grid.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.scroll(-Math.sign(event.deltaY) * 3);
      },
      { passive: false },
    );
    this.grid.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && this.key(event.key)) event.preventDefault();
    });
  }

  private get book(): DepthBook {
    return this.app.travel.at === undefined ? this.app.market.book : this.app.travel.book;
  }
  private get trading(): boolean {
    return this.app.travel.at === undefined && (this.app.market.hello?.trading ?? false);
  }

  private request(): void {
    this.app.frames.request(this.draw);
  }

  private recentre(): void {
    const { middle } = this.book;
    this.centring = true;
    if (middle !== undefined) this.centre = Math.round(middle / this.step) * this.step;
    this.request();
  }

  /** In an empty book a viewer chooses where the rows are. */
  private begin(event: Event): void {
    event.preventDefault();
    const units = toUnits(Number(this.start.value));
    if (!(units > 0)) return;
    this.centre = Math.round(units / this.step) * this.step;
    this.levelsOnly = false;
    this.request();
  }

  private scroll(rows: number): void {
    if (this.centre === undefined) return;
    this.centring = false;
    this.centre += rows * this.step;
    this.request();
  }

  private resize(): void {
    const count = Math.max(3, Math.floor(this.size.height / rowHeight));
    // Prices stay where they are on the screen: somebody may be about to click.
    if (this.centre !== undefined)
      this.centre += (Math.floor(this.rows.length / 2) - Math.floor(count / 2)) * this.step;
    while (this.rows.length > count) this.rows.pop()!.element.remove();
    while (this.rows.length < count) this.addRow();
    this.request();
  }

  private addRow(): void {
    const cell = (name: string) => h("span", { class: name, role: "gridcell" });
    const row: Row = {
      element: h("div", {
        class: "ladder-row",
        role: "row",
        id: `ladder-${this.rows.length}`,
      }),
      own: cell("own"),
      bid: cell("bid"),
      price: cell("price"),
      ask: cell("ask"),
      units: 0,
    };
    row.bid.addEventListener("click", () => this.enter("buy", row.units));
    row.ask.addEventListener("click", () => this.enter("sell", row.units));
    row.element.append(row.own, row.bid, row.price, row.ask);
    row.element.addEventListener("dragover", (event) => event.preventDefault());
    row.element.addEventListener("drop", (event) => {
      event.preventDefault();
      this.replace(Number(event.dataTransfer?.getData("text/plain")), row.units);
    });
    this.grid.append(row.element);
    this.rows.push(row);
  }

  private drawNow(): void {
    if (!this.size.visible) return;
    const { book } = this;
    const { market, travel } = this.app;
    const { at } = travel;
    this.place(book);
    setClass(this.body, "trading", this.trading);
    setClass(this.body, "stale", at === undefined && market.isStale);
    const auction = at === undefined ? market.auction : undefined;
    setText(this.note, at === undefined ? this.presentNote() : `Book at ${formatTime(at, 3)}`);
    this.note.hidden = this.note.textContent === "";
    this.empty.hidden = book.middle !== undefined || at !== undefined || !market.hello?.session;
    if (this.centre === undefined) return;
    setClass(this.levelsButton, "on", this.levelsOnly);
    this.levelsButton.setAttribute("aria-pressed", String(this.levelsOnly));
    const { length } = this.rows;
    const prices = this.levelsOnly
      ? levelPrices(book, length)
      : stepPrices(this.centre, this.step, length);
    let most = 1;
    const shown = this.rows.map((row, i) => {
      row.units = prices[i] ?? 0;
      const [bid, ask] = [book.bids.at(row.units), book.asks.at(row.units)];
      most = Math.max(most, bid?.quantity ?? 0, ask?.quantity ?? 0);
      return { row, bid, ask };
    });
    const own = this.ownOrders();
    const auctionPrice = auctionUnits(auction);
    for (const { row, bid, ask } of shown) {
      setText(row.price, row.units > 0 ? formatPrice(row.units, this.step) : "");
      setText(row.bid, bid ? formatQuantity(bid.quantity) : "");
      setText(row.ask, ask ? formatQuantity(ask.quantity) : "");
      row.bid.title = bid ? `${bid.orders ?? "?"} orders` : "";
      row.ask.title = ask ? `${ask.orders ?? "?"} orders` : "";
      // Bars are backgrounds: elements of their own would be laid out or layered in each frame.
      row.bid.style.backgroundSize = `${(100 * (bid?.quantity ?? 0)) / most}% 18px`;
      row.ask.style.backgroundSize = `${(100 * (ask?.quantity ?? 0)) / most}% 18px`;
      setClass(row.element, "best-bid", row.units === book.bids.best?.price);
      setClass(row.element, "best-ask", row.units === book.asks.best?.price);
      setClass(row.element, "auction", row.units === auctionPrice);
      setClass(row.element, "selected", row.units === this.selected);
      this.drawOwn(row, own.get(row.units) ?? []);
    }
    const active = this.rows.find((row) => row.units === this.selected);
    if (active) this.grid.setAttribute("aria-activedescendant", active.element.id);
  }

  private presentNote(): string {
    const { market } = this.app;
    if (market.isStale) return `Not connected: the book of ${formatTime(market.clock.lastNs)}`;
    return market.auction ? auctionText(market.auction) : "";
  }

  /** Chooses the step between rows, the middle price, and at first what rows are for. */
  private place(book: DepthBook): void {
    const { middle } = book;
    if (middle === undefined) return;
    // A finer price than before may come; a coarser step would make rows jump.
    const step = stepOf(book, middle);
    if (step < this.step || this.centre === undefined) this.step = step;
    if (this.centre === undefined) this.levelsOnly = isWide(book, this.step, this.rows.length);
    const away = Math.abs(middle - (this.centre ?? -Infinity)) / this.step;
    if (this.centring && away > this.rows.length / 4)
      this.centre = Math.round(middle / this.step) * this.step;
  }

  private ownOrders(): Map<number, OrderMessage[]> {
    const { market } = this.app;
    const own = new Map<number, OrderMessage[]>();
    if (this.app.travel.at !== undefined || market.symbol === undefined) return own;
    for (const order of market.orders.of(market.symbol)) {
      if (order.price === null) continue;
      const units = toUnits(order.price);
      own.set(units, [...(own.get(units) ?? []), order]);
    }
    return own;
  }

  private drawOwn(row: Row, orders: OrderMessage[]): void {
    const queues = this.app.market.orders.queues;
    const text = orders
      .map((order) => {
        const place = queues.place(order.reference);
        return `${order.order}:${order.open}:${order.state}:${place?.quantity ?? ""}`;
      })
      .join(" ");
    if (row.own.dataset["orders"] === text) return;
    row.own.dataset["orders"] = text;
    row.own.replaceChildren(
      ...orders.map((order) => {
        const place = queues.place(order.reference);
        const what = ownDetails(order, place);
        const chip = h("button", {
          type: "button",
          class: `chip ${order.side} ${order.state}`,
          draggable: "true",
          text: formatQuantity(order.open),
          title: `${what}. Click cancels, drag replaces`,
          "aria-label": `Cancel your order ${order.order}: ${what}`,
          onclick: () => this.cancel(order.order),
        });
        chip.addEventListener("dragstart", (event) =>
          event.dataTransfer?.setData("text/plain", String(order.order)),
        );
        return chip;
      }),
    );
  }

  private enter(side: "buy" | "sell", units: number): void {
    const { market } = this.app;
    const quantity = Math.floor(Number(this.quantity.value));
    if (!this.trading || market.symbol === undefined || units <= 0) return;
    if (!(quantity > 0))
      return this.app.announce("The quantity must be a positive number", "error");
    if (!market.orders.enter(market.symbol, side, quantity, units))
      this.app.announce("Not connected: nothing was sent", "error");
  }

  private replace(number: number, units: number): void {
    const order = this.app.market.orders.open.get(number);
    if (order && this.trading && order.price !== null && toUnits(order.price) !== units)
      this.app.market.orders.replace(number, order.open, units);
  }

  private cancel(number: number): void {
    if (this.trading) this.app.market.orders.cancel(number);
  }

  private select(rows: number): void {
    const { book } = this;
    const from = this.selected ?? book.bids.best?.price ?? this.centre;
    if (from === undefined) return;
    if (this.levelsOnly) {
      const shown = this.rows.map((row) => row.units).filter((units) => units > 0);
      this.selected = shown[shown.indexOf(from) - rows] ?? from;
    } else {
      this.selected = from + rows * this.step;
      if (!this.rows.some((row) => row.units === this.selected)) this.scroll(rows);
    }
    this.request();
  }

  private key(key: string): boolean {
    const page = Math.max(1, Math.floor(this.rows.length / 2));
    const actions: Record<string, () => void> = {
      ArrowUp: () => this.select(1),
      ArrowDown: () => this.select(-1),
      PageUp: () => this.scroll(page),
      PageDown: () => this.scroll(-page),
      c: () => this.recentre(),
      v: () => this.levelsButton.click(),
      b: () => this.selected !== undefined && this.enter("buy", this.selected),
      s: () => this.selected !== undefined && this.enter("sell", this.selected),
      Delete: () => {
        for (const order of this.ownOrders().get(this.selected ?? -1) ?? [])
          this.cancel(order.order);
      },
    };
    const action = actions[key.length === 1 ? key.toLowerCase() : key];
    action?.();
    return action !== undefined;
  }

  private exportCsv(): void {
    const { bids, asks } = this.book;
    const rows = (side: string, levels: Level[]) =>
      levels.map((level) => [side, formatPrice(level.price, 1), level.quantity, level.orders ?? ""]);
    downloadCsv(
      `ladder-${this.app.market.symbol}.csv`,
      ["side", "price", "quantity", "orders"],
      [...rows("ask", asks.levels).reverse(), ...rows("bid", bids.levels)],
    );
  }
}
