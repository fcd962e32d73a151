// Frames as the exchange sends them, for the tests of what reads them.
import type { Hello } from "../../web/src/core/messages.js";

export interface Frame {
  kind: 1 | 2;
  channel: 2 | 3 | 4;
  locate?: number;
  sequence: number;
  previous?: number;
  timeNs?: number;
  omitted?: number;
}

const rowBytes = { 2: 24, 3: 32, 4: 40 };

/** A row is written by the caller at its offset. */
export function frame(head: Frame, rows: ((view: DataView, at: number) => void)[]): ArrayBuffer {
  const size = rowBytes[head.channel];
  const view = new DataView(new ArrayBuffer(40 + rows.length * size));
  view.setUint8(0, head.kind);
  view.setUint8(1, head.channel);
  view.setUint16(2, head.locate ?? 1, true);
  view.setUint32(4, rows.length, true);
  view.setFloat64(8, head.sequence, true);
  view.setFloat64(16, head.previous ?? 0, true);
  view.setFloat64(24, head.timeNs ?? 0, true);
  view.setFloat64(32, head.omitted ?? 0, true);
  rows.forEach((write, i) => write(view, 40 + i * size));
  return view.buffer as ArrayBuffer;
}

export const depthRow =
  (side: 0 | 1, price: number, quantity: number, orders: number) =>
  (view: DataView, at: number) => {
    view.setFloat64(at, price, true);
    view.setFloat64(at + 8, quantity, true);
    view.setUint32(at + 16, orders, true);
    view.setUint8(at + 20, side);
  };

export const hello = (session = "2026112600"): Hello => ({
  type: "hello",
  version: 1,
  session,
  date: 20261126,
  sequence: 1,
  trading: false,
  instruments: [
    { symbol: "AAPL", locate: 1 },
    { symbol: "MSFT", locate: 2 },
  ],
});

/** Timers and a clock whose time a test lets pass. Those of Node 18 differ from later ones. */
export class FakeTime {
  private now = 0;
  private next = 1;
  private readonly waiting = new Map<number, { at: number; every: number; run: () => void }>();
  private readonly real = pick(globalThis);
  private readonly realNow = performance.now.bind(performance);

  constructor() {
    const start = (every: boolean) => (run: () => void, ms: number) => {
      this.waiting.set(this.next, { at: this.now + ms, every: every ? ms : 0, run });
      return this.next++;
    };
    const stop = (id: number) => this.waiting.delete(id);
    Object.assign(globalThis, {
      setTimeout: start(false),
      setInterval: start(true),
      clearTimeout: stop,
      clearInterval: stop,
    });
    performance.now = () => this.now;
  }

  restore(): void {
    Object.assign(globalThis, this.real);
    performance.now = this.realNow;
  }

  pass(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const due = [...this.waiting].sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due || due[1].at > end) break;
      const [id, timer] = due;
      this.now = timer.at;
      if (timer.every) timer.at += timer.every;
      else this.waiting.delete(id);
      timer.run();
    }
    this.now = end;
  }
}

const pick = ({ setTimeout, setInterval, clearTimeout, clearInterval }: typeof globalThis) => ({
  setTimeout,
  setInterval,
  clearTimeout,
  clearInterval,
});
