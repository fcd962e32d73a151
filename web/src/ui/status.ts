// The state of the connection, in the header and in words: lost, restored, exchange restarted.
import type { App } from "./app.js";
import { h, setText } from "./dom.js";

/** A message may be on its way so long. */
const delayMs = 1_000;
const noticeMs = 8_000;

export class Status {
  readonly element = h(
    "span",
    { class: "status connecting", role: "status" },
    h("span", { class: "dot", "aria-hidden": "true" }),
  );
  private readonly text = h("span", { text: "Connecting" });
  private lostAt: number | undefined;
  /** The exchange is known to have been there then, in milliseconds of performance.now(). */
  private aliveAt = Infinity;

  constructor(app: App) {
    this.element.append(this.text);
    const { market } = app;
    market.onConnection.subscribe(({ state, retryInMs }) => {
      if (state === "live") {
        this.aliveAt = Math.min(this.aliveAt, performance.now());
        this.show("live", "Connected");
        if (this.lostAt !== undefined) {
          const seconds = ((performance.now() - this.lostAt) / 1_000).toFixed(1);
          app.announce(`Connection restored after ${seconds} s`);
        }
        this.lostAt = undefined;
      } else {
        if (this.lostAt === undefined) app.announce("Connection lost: connecting again", "error");
        this.lostAt ??= performance.now();
        this.show("reconnecting", `Reconnecting in ${(retryInMs / 1_000).toFixed(1)} s`);
      }
    });
    market.onExchange.subscribe(({ uptime_s }) => {
      const startedAt = performance.now() - uptime_s * 1_000;
      if (startedAt <= this.aliveAt + delayMs) return;
      app.announce(`The exchange was restarted ${uptime_s.toFixed(0)} s ago`);
      this.aliveAt = startedAt;
    });
    market.onHello.subscribe(({ hello, newSession }) => {
      if (newSession) app.announce(`Session ${hello.session} has begun`);
    });
  }

  private show(name: string, text: string): void {
    this.element.className = `status ${name}`;
    setText(this.text, text);
  }
}

/** Messages that come and go in the line at the bottom; a screen reader says them. */
export class Notices {
  readonly element = h("div", {
    class: "notices",
    role: "log",
    "aria-live": "polite",
    "aria-label": "Messages",
  });
  private latest: { text: string; at: number } | undefined;

  add(text: string, kind: "info" | "error" = "info"): void {
    const now = performance.now();
    // What fails again and again is said once.
    if (this.latest?.text === text && now - this.latest.at < noticeMs) return;
    this.latest = { text, at: now };
    // What does not fit its line is read by pointing at it.
    const notice = h("div", { class: `notice ${kind}`, text, title: text });
    this.element.append(notice);
    while (this.element.childElementCount > 4) this.element.firstElementChild!.remove();
    setTimeout(() => notice.remove(), noticeMs);
  }
}
