// Plays an archived day: the end of the heatmap moves at a chosen speed.
import { h, select, setText } from "../../ui/dom.js";

const speeds = [
  [1, "1×"],
  [10, "10×"],
  [60, "60×"],
  [600, "600×"],
] as const;

export class Player {
  private readonly play = h("button", { type: "button", onclick: () => this.toggle() });
  private readonly pace = select("Speed of the day", speeds, 10, (speed) => (this.speed = speed));
  readonly tools = [this.play, this.pace];
  private speed = 10;
  private lastMs: number | undefined;

  constructor(
    /** Moves the end by so many nanoseconds; false: the day is over. */
    private readonly move: (ns: number) => boolean,
  ) {
    this.stop();
    this.show(false);
  }

  get playing(): boolean {
    return this.lastMs !== undefined;
  }

  /** Only archived days are played. */
  show(yes: boolean): void {
    for (const tool of this.tools) tool.hidden = !yes;
    if (!yes) this.stop();
  }

  toggle(): void {
    if (this.playing) return this.stop();
    this.lastMs = performance.now();
    setText(this.play, "Pause");
    requestAnimationFrame((ms) => this.step(ms));
  }

  stop(): void {
    this.lastMs = undefined;
    setText(this.play, "Play");
  }

  private step(ms: number): void {
    if (this.lastMs === undefined) return;
    const more = this.move(Math.max(0, ms - this.lastMs) * 1e6 * this.speed);
    this.lastMs = ms;
    if (more) requestAnimationFrame((next) => this.step(next));
    else this.stop();
  }
}
