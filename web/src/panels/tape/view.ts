// The tape: the latest trades, newest first.
import type { TapeFilter } from "../../core/tape.js";
import { tradesBefore } from "../../core/history.js";
import { formatTime } from "../../core/time.js";
import type { App, Panel } from "../../ui/app.js";
import { h, select, setClass, setText, Size } from "../../ui/dom.js";
import { downloadCsv } from "../../ui/download.js";
import { csvColumns, csvOf, textsOf } from "./model.js";

const rowHeight = 20;
const exported = 10_000;
/** What the tape begins with, if there were as many. */
const earlierTrades = 500;

interface Row {
  element: HTMLElement;
  cells: HTMLElement[];
}

export class TapePanel implements Panel {
  readonly title = "Tape";
  readonly tools: HTMLElement[];
  readonly body = h("div", { class: "tape" });
  readonly exports = [{ label: "Tape as CSV", run: () => this.exportCsv() }];
  private readonly rows: Row[] = [];
  private readonly list = h("div", { class: "tape-rows", role: "table", "aria-label": "Trades" });
  private readonly note = h("div", { class: "panel-note", role: "status" });
  private readonly filter: TapeFilter;
  private readonly draw = () => this.drawNow();
  private readonly size = new Size(this.list, () => this.resize());

  constructor(private readonly app: App) {
    const { market, travel, state } = app;
    this.filter = { side: state.side ?? "all", least: state.least ?? 0 };
    const sides = [
      ["all", "All"],
      ["buy", "▲ Buys"],
      ["sell", "▼ Sells"],
    ] as const;
    const side = select("Which trades", sides, this.filter.side, (value) => {
      this.filter.side = value;
      if (value === "all") delete state.side;
      else state.side = value;
      this.filtered();
    });
    const least = h("input", {
      type: "number",
      min: "0",
      class: "quantity",
      placeholder: "Min",
      value: this.filter.least || undefined,
      "aria-label": "Least quantity",
      title: "Least quantity",
      oninput: () => {
        this.filter.least = Number(least.value) || 0;
        if (this.filter.least > 0) state.least = this.filter.least;
        else delete state.least;
        this.filtered();
      },
    });
    this.tools = [side, least];
    const head = h(
      "div",
      { class: "tape-head", "aria-hidden": "true" },
      h("span", { text: "Time" }),
      h("span", { text: "Price" }),
      h("span", { text: "Quantity" }),
    );
    this.body.append(head, this.list, this.note);
    const request = () => app.frames.request(this.draw);
    market.onTrades.subscribe(request);
    market.onSymbol.subscribe(request);
    travel.onChange.subscribe(request);
    market.onTradesMissing.subscribe(() => void this.fetchEarlier());
  }

  private filtered(): void {
    this.app.remember();
    this.app.frames.request(this.draw);
  }

  /** The stream begins with the next trade; the archive has those before. */
  private async fetchEarlier(): Promise<void> {
    const { market } = this.app;
    const { symbol, hello } = market;
    if (symbol === undefined) return;
    try {
      const where = { symbol, day: undefined };
      const { trades } = await tradesBefore(where, market.clock.lastNs, earlierTrades);
      if (symbol !== market.symbol || hello !== market.hello) return;
      market.tape.addEarlier(trades);
      this.app.frames.request(this.draw);
    } catch (error) {
      this.app.announce(`Tape: ${(error as Error).message}`, "error");
    }
  }

  private get tape() {
    return this.app.travel.at === undefined ? this.app.market.tape : this.app.travel.tape;
  }

  private resize(): void {
    const count = Math.max(3, Math.floor(this.size.height / rowHeight));
    while (this.rows.length > count) this.rows.pop()!.element.remove();
    while (this.rows.length < count) {
      const cells = [0, 1, 2, 3].map(() => h("span", { role: "cell" }));
      const element = h("div", { class: "tape-row", role: "row" }, ...cells);
      this.list.append(element);
      this.rows.push({ element, cells });
    }
    this.app.frames.request(this.draw);
  }

  private drawNow(): void {
    if (!this.size.visible) return;
    const trades = this.tape.latest(this.rows.length, this.filter);
    this.rows.forEach(({ element, cells }, i) => {
      const trade = trades[i];
      setClass(element, "bought", trade?.aggressor === 1);
      setClass(element, "sold", trade?.aggressor === -1);
      setClass(element, "broken", trade?.broken ?? false);
      element.title = trade?.broken ? "Busted or corrected by the operator" : "";
      textsOf(trade).forEach((text, k) => setText(cells[k]!, text));
    });
    const { at } = this.app.travel;
    setText(this.note, at === undefined ? "" : `Trades up to ${formatTime(at, 3)}`);
    this.note.hidden = at === undefined;
  }

  private exportCsv(): void {
    downloadCsv(
      `tape-${this.app.market.symbol}.csv`,
      csvColumns,
      this.tape.latest(exported, this.filter).map(csvOf),
    );
  }
}
