// The control of a replayed day. It is shown only if a recorded day is the market.
import { api, ApiError, type Replay } from "../core/api.js";
import { parseTime } from "../core/time.js";
import type { App } from "./app.js";
import { h, select, setText } from "./dom.js";

const pollMs = 1_000;
const speeds = [
  [0.5, "½×"],
  [1, "1×"],
  [5, "5×"],
  [10, "10×"],
  [60, "60×"],
  [600, "600×"],
  ["max", "max"],
] as const;

export class ReplayControl {
  readonly element = h("div", {
    class: "replay",
    role: "region",
    "aria-label": "Replay",
    hidden: true,
  });
  private readonly label = h("output", { class: "label" });
  private readonly play = h("button", {
    type: "button",
    text: "Pause replay",
    onclick: () => void this.change({ paused: !this.replay?.paused }),
  });
  private readonly speed = select(
    "Speed",
    speeds as readonly (readonly [string | number, string])[],
    1,
    (speed) => void this.change({ speed }),
  );
  private readonly seek = h("input", {
    type: "text",
    class: "seek",
    placeholder: "10:31:05",
    "aria-label": "Go to a time of the day",
    title: "Go to a time of the day",
    size: "9",
  });
  private replay: Replay | undefined;

  constructor(
    private readonly app: App,
    private readonly login: () => void,
  ) {
    const form = h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          if (parseTime(this.seek.value) === undefined)
            app.announce("A time of day has the form 10:31 or 10:31:05.5", "error");
          else void this.change({ seek: this.seek.value.trim() });
        },
      },
      this.seek,
      h("button", { type: "submit", text: "Go" }),
    );
    this.element.append(this.label, this.play, this.speed, form);
    void this.poll();
  }

  private async poll(): Promise<void> {
    try {
      this.show(await api.replay());
    } catch (error) {
      // No recorded day is the market. Otherwise the exchange restarts, as for another time.
      if (error instanceof ApiError && error.status === 404) return;
    }
    setTimeout(() => void this.poll(), pollMs);
  }

  private async change(change: object): Promise<void> {
    try {
      this.show(await api.controlReplay(change));
    } catch (error) {
      this.app.announce(`Replay: ${(error as Error).message}`, "error");
      if (error instanceof ApiError && error.status === 403) this.login();
    }
  }

  private show(replay: Replay): void {
    this.replay = replay;
    this.element.hidden = false;
    const { clock } = this.app.market;
    const moves = !replay.paused && !replay.over && replay.seeking === null;
    // As fast as possible is no speed to go on with between two messages.
    clock.speed = moves && replay.speed !== "max" ? replay.speed : 0;
    const state = replay.seeking ? `, going to ${replay.seeking}` : replay.over ? ", over" : "";
    const date = String(replay.date).replace(/^(....)(..)(..)$/, "$1-$2-$3");
    setText(this.label, `Replay of ${date}${state}`);
    setText(this.play, replay.paused ? "Continue replay" : "Pause replay");
    if (document.activeElement !== this.speed) this.speed.value = String(replay.speed);
  }
}
