// Mouse, touch and keys of the heatmap.
import type { HeatmapView } from "./window.js";

const wheelFactor = 1.0015;
const clickPixels = 4;
const keyPart = 0.1;
const keyFactor = 1.4;

export interface GestureEvents {
  /** The view has changed. */
  changed(): void;
  hover(x: number, y: number): void;
  leave(): void;
  click(x: number, y: number): void;
  follow(): void;
  pause(): void;
  /** Steps up or down. */
  contrast(by: number): void;
  fit(): void;
  dayStart(): void;
}

export class Gestures {
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private moved = 0;

  constructor(
    private readonly target: HTMLElement,
    private readonly view: HeatmapView,
    private readonly events: GestureEvents,
  ) {
    target.addEventListener("pointerdown", (event) => this.down(event));
    target.addEventListener("pointermove", (event) => this.move(event));
    target.addEventListener("pointerup", (event) => this.up(event));
    target.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    target.addEventListener("pointerleave", () => events.leave());
    target.addEventListener("dblclick", () => events.follow());
    target.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    target.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && this.key(event.key, event.shiftKey))
        event.preventDefault();
    });
  }

  private place(event: MouseEvent): { x: number; y: number } {
    const box = this.target.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private down(event: PointerEvent): void {
    this.target.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.place(event));
    this.moved = this.pointers.size > 1 ? clickPixels : 0;
  }

  private move(event: PointerEvent): void {
    const now = this.place(event);
    const before = this.pointers.get(event.pointerId);
    this.events.hover(now.x, now.y);
    if (!before) return;
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId);
    const other = others[0]?.[1];
    if (other) this.pinch(before, now, other);
    else this.drag(before, now);
    this.pointers.set(event.pointerId, now);
  }

  private drag(before: { x: number; y: number }, now: { x: number; y: number }): void {
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    this.moved += Math.abs(dx) + Math.abs(dy);
    // A click that trembles moves nothing.
    if (this.moved <= clickPixels) return;
    this.view.pan(dx, dy);
    this.events.changed();
  }

  private pinch(
    before: { x: number; y: number },
    now: { x: number; y: number },
    other: { x: number; y: number },
  ): void {
    const apart = (a: number, b: number) => Math.max(40, Math.abs(a - b));
    this.view.zoomTime(apart(before.x, other.x) / apart(now.x, other.x), other.x);
    this.view.zoomPrice(apart(before.y, other.y) / apart(now.y, other.y), other.y);
    this.events.changed();
  }

  private up(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    const { x, y } = this.place(event);
    if (this.moved <= clickPixels) this.events.click(x, y);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.place(event);
    // With shift, browsers turn a wheel sideways.
    const turn = event.shiftKey ? event.deltaY || event.deltaX : event.deltaY;
    const factor = wheelFactor ** Math.max(-600, Math.min(600, turn));
    if (event.shiftKey) this.view.zoomPrice(factor, y);
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.view.pan(-event.deltaX, 0);
    else this.view.zoomTime(factor, x);
    this.events.changed();
  }

  /** Whether the key means something here. */
  private key(key: string, shift: boolean): boolean {
    const { view, events } = this;
    const [dx, dy] = [keyPart * view.width, keyPart * view.height];
    const actions: Record<string, () => void> = {
      ArrowLeft: () => view.pan(shift ? view.width : dx, 0),
      ArrowRight: () => view.pan(shift ? -view.width : -dx, 0),
      ArrowUp: () => (shift ? view.zoomPrice(1 / keyFactor, view.height / 2) : view.pan(0, dy)),
      ArrowDown: () => (shift ? view.zoomPrice(keyFactor, view.height / 2) : view.pan(0, -dy)),
      "+": () => view.zoomTime(1 / keyFactor, view.width / 2),
      "=": () => view.zoomTime(1 / keyFactor, view.width / 2),
      "-": () => view.zoomTime(keyFactor, view.width / 2),
      "[": () => events.contrast(-1),
      "]": () => events.contrast(1),
      f: () => events.fit(),
      Home: () => events.dayStart(),
      End: () => events.follow(),
      " ": () => events.pause(),
    };
    const action = actions[key];
    if (!action) return false;
    action();
    events.changed();
    return true;
  }
}
