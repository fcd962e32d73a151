// Latency: how stage times of messages are distributed, over a window and over time, of the running
// exchange or of a finished run; queues, and who is slow.
import { api, ApiError, type ApiLatency } from "../../core/api.js";
import { hasFigures } from "../../core/messages.js";
import { palette } from "../../core/palette.js";
import { formatQuantity } from "../../core/prices.js";
import { formatDuration, shortDuration } from "../../core/time.js";
import type { App, Panel } from "../../ui/app.js";
import { h, scrollingGroup, select, setText, Size } from "../../ui/dom.js";
import { downloadCsv } from "../../ui/download.js";
import type { Axis, Series } from "../../ui/plot/model.js";
import { linkPointers, Plot } from "../../ui/plot/plot.js";
import { Table } from "../../ui/table.js";
import {
  cellsOf,
  countOf,
  histogramRects,
  overTime,
  percentile,
  percents,
  sinceMidnight,
  tableRow,
  tailPoints,
  utcAxis,
  whyNothing,
} from "./model.js";

const windows = [
  [10, "10 s"],
  [60, "1 min"],
  [300, "5 min"],
  [900, "15 min"],
  [3_600, "1 h"],
] as const;
const refreshMs = 2_000;
const slowMs = 5_000;
/** One a second. */
const keptQueues = 3_600;
const now = "";

interface Queues {
  /** Since the epoch. */
  timeS: number;
  unsynced: number;
  behind: number;
  requests: number;
}

export class LatencyPanel implements Panel {
  readonly title = "Latency";
  readonly tools: HTMLElement[];
  readonly body = scrollingGroup("dashboard", "Latency");
  readonly exports = [{ label: "Latency as CSV", run: () => this.exportCsv() }];
  private readonly histogram: Plot;
  private readonly tail: Plot;
  private readonly heat: Plot;
  private readonly queues: Plot;
  private readonly table = new Table("Percentiles by stage", [
    "Stage",
    "messages",
    ...percents.map((percent) => `p${percent}`),
    "max",
  ]);
  private readonly slow = new Table("Slow sessions", ["Slow session", "service", "waiting", ""]);
  private readonly slowNote = h("p", { class: "plot-note-line" });
  private readonly gateways: HTMLSelectElement;
  private readonly stages: HTMLSelectElement;
  private readonly runs: HTMLSelectElement;
  private readonly windows: HTMLSelectElement;
  private window: number = 300;
  private answer: ApiLatency | undefined;
  private history: Queues[] = [];
  private askedAt = -Infinity;
  private slowAt = -Infinity;
  private isBusy = false;
  private readonly size = new Size(this.body, () => this.look());

  constructor(private readonly app: App) {
    this.histogram = new Plot(
      app,
      "Distribution",
      "Messages by their time, in quarters of a power of two",
    );
    this.tail = new Plot(app, "Slower than", "Part of the messages that take longer");
    this.heat = new Plot(
      app,
      "Distribution over time",
      "A cell: messages of this time that took so long; the more, the brighter, on a logarithmic scale (in the light theme the darker)",
    );
    this.queues = new Plot(app, "Queues", "What waits, a value a second, since the page is open");
    linkPointers([this.heat]);
    const list = (label: string) =>
      h("select", { "aria-label": label, title: label, onchange: () => this.ask() });
    this.gateways = list("Gateway");
    this.stages = list("Stage");
    this.runs = list("Run");
    this.windows = select("Window of time", windows, this.window as 300, (seconds) => {
      this.window = seconds;
      this.ask();
    });
    this.fill(this.runs, [[now, "Now"]]);
    this.tools = [this.runs, this.gateways, this.stages, this.windows];
    this.heat.element.classList.add("two");
    const tables = scrollingGroup("plot table", "Percentiles and slow sessions");
    tables.append(this.table.element, this.slow.element, this.slowNote);
    this.body.append(
      this.histogram.element,
      this.tail.element,
      tables,
      this.heat.element,
      this.queues.element,
    );
    app.market.onExchange.subscribe((update) => {
      if (!hasFigures(update)) return;
      const { journal, feed, capacity } = update;
      this.history.push({
        timeS: Date.now() / 1_000,
        unsynced: journal.appended - journal.synced,
        behind: feed.most_behind,
        requests: capacity["http_waiting_requests"]?.used ?? 0,
      });
      if (this.history.length > keptQueues) this.history.shift();
      if (this.size.visible) this.showQueues();
    });
    app.onTheme.subscribe(() => this.show());
    app.market.onHello.subscribe(() => this.ask());
    setInterval(() => this.look(), refreshMs / 4);
  }

  private fill(list: HTMLSelectElement, rows: [string, string][]): void {
    const chosen = list.value;
    if (rows.map(([value]) => value).join() === [...list.options].map(({ value }) => value).join())
      return;
    list.replaceChildren(...rows.map(([value, text]) => h("option", { value, text })));
    if (rows.some(([value]) => value === chosen)) list.value = chosen;
    list.hidden = rows.length < 2;
  }

  private ask(): void {
    this.askedAt = this.slowAt = -Infinity;
    this.look();
  }

  private look(): void {
    if (!this.size.visible || this.isBusy) return;
    const time = performance.now();
    if (time - this.slowAt > slowMs) {
      this.slowAt = time;
      void this.fetchSlow();
    }
    // A finished run does not change.
    const interval = this.runs.value === now ? refreshMs : Infinity;
    if (time - this.askedAt < interval) return;
    this.askedAt = time;
    this.isBusy = true;
    void this.fetch().finally(() => (this.isBusy = false));
  }

  private async fetch(): Promise<void> {
    const run = this.runs.value;
    // A finished run has kept its last hour.
    this.windows.hidden = run !== now;
    try {
      const [gateway, stage] = [this.gateways.value, this.stages.value];
      const query = run === now ? { window: this.window, gateway, stage } : { run };
      this.answer = await api.latency(query);
      if (run === now) {
        const { runs } = this.answer;
        this.fill(this.runs, [[now, "Now"], ...runs.map((one): [string, string] => [one, one])]);
      }
      // At first nothing is chosen: then what is chosen below is asked for at once.
      if (this.choose() && run === now) this.askedAt = -Infinity;
      this.show();
    } catch (error) {
      // Who may not see them is not told more by asking again, until a login.
      if (error instanceof ApiError) this.askedAt = Infinity;
      this.say(reasonOf(error as Error));
    }
  }

  /** Offers the gateways and stages that there are. True: the choice has changed. */
  private choose(): boolean {
    const { rows } = this.answer!;
    const before = [this.gateways.value, this.stages.value].join();
    const names = (of: (row: (typeof rows)[number]) => string) =>
      [...new Set(rows.map(of))].map((one): [string, string] => [one, one]);
    const isFirst = this.stages.options.length === 0;
    this.fill(
      this.gateways,
      names(({ gateway }) => gateway),
    );
    this.fill(
      this.stages,
      names(({ stage }) => stage),
    );
    if (isFirst && rows.some(({ stage }) => stage === "internal")) this.stages.value = "internal";
    return before !== [this.gateways.value, this.stages.value].join();
  }

  private get row() {
    const [gateway, stage] = [this.gateways.value, this.stages.value];
    return this.answer?.rows.find((one) => one.gateway === gateway && one.stage === stage);
  }

  private show(): void {
    const { answer, row } = this;
    if (!answer) return;
    const nothing = whyNothing(answer, this.runs.value !== now);
    if (nothing || !row) return this.say(nothing ?? "Nothing was measured of this stage");
    this.showHistogram(row);
    this.showHeat(answer, row.columns ?? []);
    this.showQueues();
    this.table.element.hidden = false;
    this.table.show(answer.rows.filter(({ gateway }) => gateway === row.gateway).map(tableRow));
  }

  private showHistogram(row: ApiLatency["rows"][number]): void {
    const x: Axis = { title: "Time, logarithmic", kind: "log", format: shortDuration };
    const rects = histogramRects(row.buckets);
    const high = 1.08 * Math.max(...rects.map(({ y1 }) => y1));
    const marks: Series[] = percents.map((percent, i) => {
      const at = percentile(row, percent)!;
      return {
        kind: "line",
        name: `p${percent}`,
        colour: ["line-bid", "line-ask", "accent", "good", "bad"][i]!,
        points: [
          [at, 0],
          [at, high],
        ],
        format: () => formatDuration(at),
        isDashed: true,
      };
    });
    const count = countOf(row.buckets);
    this.histogram.show({
      x,
      y: { title: `% of ${formatQuantity(count)} messages`, hasZero: true, high },
      series: [{ kind: "rects", name: "messages", colour: "bid", foundBy: "x", rects }, ...marks],
    });
    this.tail.show({
      x,
      y: { title: "% that take longer, logarithmic", kind: "log", format: (one) => `${one}` },
      series: [
        {
          kind: "line",
          name: "slower than this",
          colour: "line-bid",
          points: tailPoints(row),
          format: (one) => `${one.toPrecision(3)} %`,
        },
      ],
    });
  }

  private showHeat(
    answer: ApiLatency,
    columns: NonNullable<ApiLatency["rows"][number]["columns"]>,
  ) {
    const theme = document.documentElement.dataset["theme"] === "light" ? "light" : "dark";
    const shades = palette(theme);
    const shade = (part: number) => {
      const at = 4 * Math.round(255 * (0.15 + 0.85 * part));
      return `rgb(${shades[at]},${shades[at + 1]},${shades[at + 2]})`;
    };
    const line = (percent: number, isDashed: boolean): Series => ({
      kind: "line",
      name: `p${percent}`,
      colour: "line-ask",
      isDashed,
      points: overTime(columns, answer, percent),
      format: formatDuration,
    });
    this.heat.show({
      x: utcAxis(answer.end_s),
      y: { title: "Time, logarithmic", kind: "log", format: shortDuration },
      series: [
        {
          kind: "rects",
          name: "messages",
          colour: "muted",
          foundBy: "both",
          rects: cellsOf(columns, answer, shade),
        },
        line(50, false),
        line(99, true),
      ],
      ...(columns.length === 0 && { note: "Nothing was measured in this time" }),
    });
  }

  private showQueues(why = "Nothing was measured"): void {
    const endS = this.history.at(-1)?.timeS ?? 0;
    const isKept = this.runs.value === now && this.history.length > 0;
    const line = (
      name: string,
      colour: string,
      of: (one: Queues) => number,
      isDashed = false,
    ): Series => ({
      kind: "line",
      name,
      colour,
      isDashed,
      points: this.history.map((one) => [sinceMidnight(one.timeS, endS), of(one)]),
      format: formatQuantity,
    });
    this.queues.show({
      x: utcAxis(endS),
      y: { title: "Records, messages, requests", hasZero: true },
      series: [
        line("journal, not synced", "line-bid", ({ unsynced }) => unsynced),
        line("slowest subscriber", "line-ask", ({ behind }) => behind),
        line("HTTP requests", "text", ({ requests }) => requests, true),
      ],
      ...(!isKept && {
        note: this.runs.value === now ? why : "Not kept of a finished run",
      }),
    });
  }

  /** In place of what is measured. */
  private say(note: string): void {
    const nothing = { x: { title: "" }, y: { title: "" }, series: [], note };
    for (const plot of [this.histogram, this.tail, this.heat]) plot.show(nothing);
    this.table.element.hidden = true;
    this.showQueues(note);
  }

  private async fetchSlow(): Promise<void> {
    const isAllowed = this.app.market.hello?.trading === true;
    const rows = isAllowed ? await api.slowSubscribers().catch(() => []) : [];
    const sessions = isAllowed ? await api.fixSessions().catch(() => []) : [];
    const behind = sessions.filter(({ has_gap, is_resending }) => has_gap || is_resending);
    const shown = [
      ...rows.map((one) => [one.client, one.service, formatQuantity(one.behind), one.unit]),
      ...behind.map((one) => [
        one.session,
        "fix",
        one.has_gap ? "misses messages" : "catches up",
        "",
      ]),
    ];
    this.slow.show(shown);
    this.slow.element.hidden = shown.length === 0;
    const none = isAllowed ? "No session is slow" : "Log in to see which sessions are slow";
    setText(this.slowNote, shown.length || !this.app.market.hasExchange ? "" : none);
  }

  private exportCsv(): void {
    downloadCsv(
      "latency.csv",
      ["gateway", "stage", "up_to_ns", "messages"],
      (this.answer?.rows ?? []).flatMap(({ gateway, stage, buckets }) =>
        buckets.map(([bound, count]) => [gateway, stage, bound, count]),
      ),
    );
  }
}

function reasonOf(error: Error): string {
  if (!(error instanceof ApiError)) return "The exchange does not answer";
  if (error.status === 401) return "The operator sees latencies: log in";
  if (error.status === 404) return "Nothing was measured: no exchange runs here";
  return error.message;
}
