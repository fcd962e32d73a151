// What each participant has and earned, from the events of the day: for the operator, and for kept
// runs. Positions are those of the shown instrument; a group is the sum over its members.
import { api, ApiError, type Participant } from "../../core/api.js";
import { columns, rowsOf, type Column, type Row } from "./model.js";
import { formatQuantity } from "../../core/prices.js";
import type { App, Export, Panel } from "../../ui/app.js";
import { h, scrollingGroup, select, setText } from "../../ui/dom.js";
import { downloadCsv } from "../../ui/download.js";

const pollMs = 5_000;
const text = (row: Row, column: Column): string =>
  column === "profit" || column === "fees"
    ? row[column].toFixed(2).replace("-", "−")
    : formatQuantity(Math.abs(row[column])).replace(/^/, row[column] < 0 ? "−" : "");

export class ParticipantsPanel implements Panel {
  readonly title = "Participants";
  readonly tools: HTMLElement[];
  readonly body = scrollingGroup("participants-table", "Participants");
  readonly exports: Export[] = [{ label: "Participants as CSV", run: () => this.exportCsv() }];
  private readonly rows = h("tbody");
  private readonly note = h("p", { class: "reason", role: "status" });
  private all: Participant[] = [];
  private byGroup = true;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly app: App,
    /** Whether there is anything to show. */
    private readonly available: (yes: boolean) => void,
  ) {
    this.tools = [
      select(
        "Rows",
        [
          ["group", "by group"],
          ["each", "each"],
        ],
        "group",
        (value) => {
          this.byGroup = value === "group";
          this.draw();
        },
      ),
    ];
    const head = ["Who", ...columns.map((name) => name[0]!.toUpperCase() + name.slice(1))];
    this.body.append(
      this.note,
      h(
        "table",
        { "aria-label": "Participants" },
        h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col", text: name })))),
        this.rows,
      ),
    );
    app.market.onSymbol.subscribe(() => this.draw());
    app.market.onHello.subscribe(() => void this.fetch());
  }

  /** Another day, or a login. */
  async fetch(): Promise<void> {
    clearTimeout(this.timer);
    const { day } = this.app.travel;
    if (day === undefined && !this.app.market.hello?.trading) return this.available(false);
    try {
      this.all = (await api.participants(day)).participants;
      setText(this.note, "");
    } catch (error) {
      this.all = [];
      // Only for the operator, or no events of that day are kept.
      if (error instanceof ApiError && [401, 404].includes(error.status))
        return this.available(false);
      setText(this.note, (error as Error).message);
    }
    this.available(true);
    this.draw();
    if (day === undefined) this.timer = setTimeout(() => void this.fetch(), pollMs);
  }

  private draw(): void {
    const rows = rowsOf(this.all, this.app.market.symbol ?? "", this.byGroup);
    this.rows.replaceChildren(
      ...rows.map((row) =>
        h(
          "tr",
          {},
          h("th", {
            scope: "row",
            text: row.members > 1 ? `${row.name} (${row.members})` : row.name,
          }),
          ...columns.map((column) =>
            h("td", { class: row[column] < 0 ? "negative" : "", text: text(row, column) }),
          ),
        ),
      ),
    );
  }

  private exportCsv(): void {
    const rows = rowsOf(this.all, this.app.market.symbol ?? "", this.byGroup);
    downloadCsv(
      "participants.csv",
      ["who", ...columns],
      rows.map((row) => [row.name, ...columns.map((name) => row[name])]),
    );
  }
}
