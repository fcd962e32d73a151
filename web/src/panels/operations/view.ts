// What the exchange itself costs: the numbers of /metrics, once a second.
import { api } from "../../core/api.js";
import { type ExchangeFigures, type LatencyRow, hasFigures } from "../../core/messages.js";
import { formatQuantity, formatShort } from "../../core/prices.js";
import { formatDuration } from "../../core/time.js";
import type { App, Panel } from "../../ui/app.js";
import { h, scrollingGroup, setClass, setText, Size } from "../../ui/dom.js";
import { Sparkline } from "../../ui/sparkline.js";
import { Table } from "../../ui/table.js";
import { capacityOf, factsOf, levelsOf, type CapacityTable } from "./model.js";

const seconds = 120;
const sessionsMs = 5_000;

export class OperationsPanel implements Panel {
  readonly title = "Operations";
  readonly tools: HTMLElement[];
  readonly body = scrollingGroup("operations", "Operations");
  readonly exports = [];
  private readonly commands = new Sparkline(seconds);
  private readonly messages = new Sparkline(seconds);
  private readonly commandsNow = h("dd");
  private readonly messagesNow = h("dd");
  private readonly rates = h("dl", { class: "measure-list" });
  private readonly list = h("dl", { class: "facts" });
  private readonly facts = new Map<string, HTMLElement>();
  private readonly latency = new Table("Latency by stage", ["Latency", "p50", "p99", "max"]);
  private readonly requests = h("select", {
    "aria-label": "Latency of which requests",
    title: "Latency of which requests",
    onchange: () => this.app.frames.request(this.draw),
  });
  private readonly capacity = new Table("Capacity", ["Capacity", "used", "of", "part"]);
  private readonly slow = new Table("Slow subscribers", [
    "Slow subscriber",
    "service",
    "behind",
    "",
  ]);
  private readonly sessions = new Table("FIX sessions", ["FIX session", "state", "in", "out", ""]);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly reason = h("p", { class: "reason", role: "status" });
  private readonly draw = () => this.drawNow();
  private readonly size = new Size(this.body, () => this.app.frames.request(this.draw));

  constructor(private readonly app: App) {
    this.tools = [this.requests];
    const rate = (label: string, value: HTMLElement, line: Sparkline) =>
      h("div", { class: "measure" }, h("dt", { text: label }), value, line.canvas);
    this.rates.append(
      rate("Commands/s", this.commandsNow, this.commands),
      rate("Messages/s", this.messagesNow, this.messages),
    );
    this.body.append(
      this.reason,
      this.rates,
      this.list,
      this.latency.element,
      this.capacity.element,
      this.slow.element,
      this.sessions.element,
    );
    this.sessions.element.hidden = this.slow.element.hidden = true;
    app.market.onHello.subscribe(() => void this.fetchClients());
    app.market.onExchange.subscribe((update) => {
      if (hasFigures(update)) {
        this.commands.push(update.commands_per_s);
        this.messages.push(update.messages_per_s);
      }
      app.frames.request(this.draw);
    });
    app.onTheme.subscribe(() => app.frames.request(this.draw));
  }

  /** Only for who has logged in. */
  private async fetchClients(): Promise<void> {
    clearTimeout(this.timer);
    const allowed = this.app.market.hello?.trading === true;
    const slow = allowed ? await api.slowSubscribers().catch(() => []) : [];
    this.slow.element.hidden = slow.length === 0;
    this.slow.show(
      slow.map((one) => [one.client, one.service, formatQuantity(one.behind), one.unit]),
    );
    const sessions = allowed ? await api.fixSessions().catch(() => []) : [];
    this.sessions.element.hidden = sessions.length === 0;
    this.sessions.show(
      sessions.map((one) => [
        one.session,
        one.state,
        String(one.next_incoming),
        String(one.next_outgoing),
        one.has_gap ? "misses messages" : one.is_resending ? "catches up" : "",
      ]),
    );
    if (allowed) this.timer = setTimeout(() => void this.fetchClients(), sessionsMs);
  }

  private drawNow(): void {
    const { exchange } = this.app.market;
    if (!exchange || !this.size.visible) return;
    const told = hasFigures(exchange);
    const bad = exchange.status !== "ok";
    const reason = told ? exchange.reason : "the operator is told why";
    setText(this.reason, bad ? `${exchange.status}: ${reason}` : "");
    this.reason.hidden = !bad;
    for (const element of [this.rates, this.list, this.latency.element]) element.hidden = !told;
    if (!told) return this.drawCapacity(levelsOf(exchange.levels));
    setText(this.commandsNow, formatShort(exchange.commands_per_s));
    setText(this.messagesNow, formatShort(exchange.messages_per_s));
    this.commands.draw();
    this.messages.draw();
    this.drawFacts(exchange);
    this.drawLatency(exchange.latency);
    this.drawCapacity(capacityOf(exchange.capacity));
  }

  private drawCapacity({ rows, warning }: CapacityTable): void {
    this.capacity.show(rows);
    setClass(this.capacity.element, "warning", warning);
  }

  private drawFacts(exchange: ExchangeFigures): void {
    for (const [name, text] of factsOf(exchange, this.app.frames.times.slice(-600))) {
      let value = this.facts.get(name);
      if (!value) {
        this.facts.set(name, (value = h("dd")));
        this.list.append(h("div", {}, h("dt", { text: name }), value));
      }
      setText(value, text);
    }
  }

  private drawLatency(rows: LatencyRow[]): void {
    const names = [...new Set(rows.map(({ request }) => request))];
    const { options } = this.requests;
    if (names.join() !== [...options].map(({ value }) => value).join()) {
      const options = names.map((value) =>
        h("option", { value, text: value.replaceAll("_", " ") }),
      );
      const chosen = this.requests.value;
      const most = [...rows].sort((a, b) => b.count - a.count)[0]?.request ?? "";
      this.requests.replaceChildren(...options);
      this.requests.value = names.includes(chosen) ? chosen : most;
    }
    this.requests.hidden = names.length === 0;
    const shown = rows.filter(({ request }) => request === this.requests.value);
    this.latency.show(
      shown.map(({ stage, p50_ns, p99_ns, max_ns }) => [
        stage,
        formatDuration(p50_ns),
        formatDuration(p99_ns),
        formatDuration(max_ns),
      ]),
    );
  }
}
