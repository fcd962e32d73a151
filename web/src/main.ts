// Puts the page together: the market, the panels, and what belongs to all of them.
import "./page.css";
import { api, type Day } from "./core/api.js";
import { Frames } from "./core/frames.js";
import { Market } from "./core/market.js";
import { orderNews } from "./core/own_words.js";
import { Signal } from "./core/signal.js";
import type { Socket } from "./core/stream.js";
import { Travel } from "./core/travel.js";
import { panels, readState, writeState, type PanelName } from "./core/url_state.js";
import { HeatmapPanel } from "./panels/heatmap/view.js";
import { ChartPanel } from "./panels/chart/view.js";
import { FlowPanel } from "./panels/flow/view.js";
import { LadderPanel } from "./panels/ladder/view.js";
import { LatencyPanel } from "./panels/latency/view.js";
import { OperationsPanel } from "./panels/operations/view.js";
import { ParticipantsPanel } from "./panels/participants/view.js";
import { QualityPanel } from "./panels/quality/view.js";
import { TapePanel } from "./panels/tape/view.js";
import type { App, Panel } from "./ui/app.js";
import { besideEachOther } from "./ui/beside.js";
import { exportDialog, helpDialog, loginDialog } from "./ui/dialogs.js";
import { button, h } from "./ui/dom.js";
import { Header } from "./ui/header.js";
import { Layout } from "./ui/layout.js";
import { ReplayControl } from "./ui/replay.js";
import { Notices, Status } from "./ui/status.js";
import { Theme } from "./ui/theme.js";

const rememberMs = 250;

/** What messages cost counts to the next frame. */
function openSocket(frames: Frames): Socket {
  const url = new URL("/v1/stream", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const web = new WebSocket(url, "damrak.binary");
  web.binaryType = "arraybuffer";
  const socket: Socket = {
    onmessage: null,
    onclose: null,
    send: (text) => web.send(text),
    close: () => web.close(),
  };
  web.onmessage = (event) => frames.measured(() => socket.onmessage?.(event));
  web.onclose = () => socket.onclose?.();
  return socket;
}

function makeApp(notices: Notices): App {
  const frames = new Frames();
  const state = readState(location.hash);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    market: new Market(() => openSocket(frames)),
    travel: new Travel(),
    frames,
    state,
    remember: () => {
      clearTimeout(timer);
      timer = setTimeout(() => history.replaceState(null, "", `#${writeState(state)}`), rememberMs);
    },
    announce: (text, kind) => notices.add(text, kind),
    onTheme: new Signal(),
  };
}

class Page {
  private readonly notices = new Notices();
  private readonly app = makeApp(this.notices);
  private readonly theme = new Theme(this.app);
  private readonly heatmap = new HeatmapPanel(this.app);
  private readonly participants = new ParticipantsPanel(this.app, (yes) =>
    this.layout.element.classList.toggle("has-participants", yes),
  );
  private readonly content: Record<PanelName, Panel> = {
    heatmap: this.heatmap,
    ladder: new LadderPanel(this.app),
    tape: new TapePanel(this.app),
    chart: new ChartPanel(this.app),
    flow: new FlowPanel(this.app),
    quality: new QualityPanel(this.app),
    latency: new LatencyPanel(this.app),
    operations: new OperationsPanel(this.app),
    participants: this.participants,
  };
  private readonly layout = new Layout(this.app, this.content);
  private readonly help = helpDialog();
  private readonly login = loginDialog(this.app);
  private readonly exports = exportDialog(
    Object.values(this.content).flatMap((one) => one.exports),
  );
  private readonly loginButton = h("button", {
    type: "button",
    text: "Log in",
    title: "To trade, and to control a replayed day",
    onclick: () => void this.toggleLogin(),
  });
  private readonly header: Header;
  private days: Day[] = [];

  constructor() {
    const { app } = this;
    this.header = new Header(
      app,
      {
        symbol: (symbol) => this.select(symbol),
        day: (day) => this.selectDay(day),
      },
      new Status(app).element,
      this.layout.views,
      [
        this.loginButton,
        button("Export", "Export", () => this.exports.showModal(), "E"),
        button("Light or dark", "◐", () => this.theme.toggle(), "T"),
        button("Help", "?", () => this.help.showModal(), "?"),
      ],
    );
    const replay = new ReplayControl(app, () => this.login.showModal());
    document
      .getElementById("page")!
      .append(
        this.header.element,
        replay.element,
        this.layout.element,
        this.notices.element,
        this.layout.tabs,
        this.help,
        this.login,
        this.exports,
      );
    app.market.onHello.subscribe(({ hello, newSession }) => {
      const symbols = hello.instruments.map(({ symbol }) => symbol);
      if (newSession || this.days.length === 0) void this.fetchDays();
      this.loginButton.textContent = hello.trading ? "Log out" : "Log in";
      this.loginButton.classList.toggle("on", hello.trading);
      // A day of the address is on its way.
      if ((app.travel.day ?? app.state.day) === undefined) this.showSymbols(symbols);
    });
    app.market.onExchange.subscribe(() => this.layout.element.classList.add("has-exchange"));
    app.market.onError.subscribe(({ message }) => app.announce(message, "error"));
    app.market.onOrder.subscribe((order) => {
      const news = orderNews(order);
      if (news) app.announce(news.text, news.kind);
    });
    app.travel.onError.subscribe((error) => app.announce((error as Error).message, "error"));
    document.addEventListener("keydown", (event) => this.key(event));
    app.market.connect();
  }

  private showSymbols(symbols: string[]): void {
    const { market, state } = this.app;
    const wanted = [market.symbol, state.symbol].find((one) => one && symbols.includes(one));
    const symbol = wanted ?? symbols[0];
    if (symbol === undefined) return;
    this.header.showSymbols(symbols, symbol);
    if (symbol !== market.symbol) this.select(symbol);
  }

  private select(symbol: string): void {
    const { app } = this;
    app.state.symbol = symbol;
    app.remember();
    app.travel.forget();
    app.market.select(symbol);
    this.header.select(symbol);
    if (app.travel.at !== undefined) app.travel.goTo(app.travel.at, symbol);
  }

  private async fetchDays(): Promise<void> {
    try {
      this.days = await api.days();
    } catch {
      this.selectDay(undefined);
      return;
    }
    const { app } = this;
    this.header.showDays(this.days, app.state.day);
    const wanted = this.days.find(({ day, present }) => day === app.state.day && !present);
    if (wanted || app.travel.day === undefined) this.selectDay(wanted);
  }

  private selectDay(day: Day | undefined): void {
    const { app } = this;
    app.travel.day = day?.day;
    app.travel.forget();
    if (day) app.state.day = day.day;
    else delete app.state.day;
    void this.participants.fetch();
    const present = this.days.find((one) => one.present);
    this.heatmap.setDay(
      day && { day: day.day, firstNs: day.first_time_ns ?? 0, lastNs: day.last_time_ns ?? 0 },
      present?.first_time_ns ?? 0,
    );
    if (!day)
      return this.showSymbols((app.market.hello?.instruments ?? []).map((one) => one.symbol));
    api.instruments(day.day).then(
      (instruments) => this.showSymbols(instruments.map(({ symbol }) => symbol)),
      (error: Error) => app.announce(error.message, "error"),
    );
  }

  private async toggleLogin(): Promise<void> {
    const { app } = this;
    if (!app.market.hello?.trading) return this.login.showModal();
    try {
      await api.logout();
      app.market.reconnect();
    } catch (error) {
      app.announce((error as Error).message, "error");
    }
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    // A number is entered: keys are for the page again.
    if (event.key === "Escape" && target.matches("main input")) target.blur();
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target.closest("input, select, dialog")
    )
      return;
    const actions: Record<string, () => void> = {
      "?": () => this.help.showModal(),
      e: () => this.exports.showModal(),
      t: () => this.theme.toggle(),
      l: () => this.heatmap.follow(),
      ",": () => this.header.step(-1),
      ".": () => this.header.step(1),
    };
    // A button takes the space bar itself.
    if (!target.closest("button"))
      actions[" "] = () =>
        this.heatmap.view.following ? this.heatmap.pause() : this.heatmap.follow();
    panels.forEach((name, i) => (actions[String(i + 1)] = () => this.layout.show(name)));
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** For tests and for those who measure. */
  get inside() {
    const { frames, market, travel } = this.app;
    return { frameTimes: frames.times, market, travel, heatmap: this.heatmap };
  }
}

declare global {
  interface Window {
    damrakPage: Page["inside"];
  }
}
const beside = readState(location.hash);
if (beside.beside) document.getElementById("page")!.append(besideEachOther(beside));
else window.damrakPage = new Page().inside;
