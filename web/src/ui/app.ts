// What all panels share.
import type { Frames } from "../core/frames.js";
import type { Market } from "../core/market.js";
import { Signal } from "../core/signal.js";
import type { Travel } from "../core/travel.js";
import type { UrlState } from "../core/url_state.js";

export interface App {
  market: Market;
  travel: Travel;
  frames: Frames;
  /** What the address says; panels write to it and call `remember`. */
  state: UrlState;
  remember(): void;
  /** Tells the user, also by screen reader. */
  announce(text: string, kind?: "info" | "error"): void;
  onTheme: Signal;
}

export interface Export {
  label: string;
  run(): void;
}

/** A part of the page. */
export interface Panel {
  title: string;
  /** Controls in the panel's title bar. */
  tools: HTMLElement[];
  body: HTMLElement;
  exports: Export[];
}
