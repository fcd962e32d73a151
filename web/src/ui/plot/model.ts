// What a chart shows, as values without elements: axes, series, and what is under the pointer.
import { formatShort } from "../../core/prices.js";
import { logTicks, ticks, timeTicks } from "../../core/ticks.js";
import { formatTime } from "../../core/time.js";

/** A value that is undefined is a gap. */
export type Point = readonly [x: number, y: number | undefined];

export interface Axis {
  /** With the unit: "Spread, bp". */
  title: string;
  /** Times are nanoseconds since midnight. Default: linear. */
  kind?: "linear" | "log" | "time";
  /** Ends that the data may not go beyond, or need not reach. */
  low?: number;
  high?: number;
  /** The axis includes zero. */
  hasZero?: boolean;
  /** Default: as short as the distance of the ticks allows. */
  format?: (value: number) => string;
}

interface Named {
  name: string;
  /** Of the style sheet. */
  colour: string;
  /** Of its values in the legend; default: that of the y axis. */
  format?: (value: number) => string;
}
export interface Line extends Named {
  kind: "line";
  points: Point[];
  /** Filled down to zero. */
  isFilled?: boolean;
  isDashed?: boolean;
}
/** Bars, cells and profiles. */
export interface Rect {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
  /** For the legend, while the pointer is on it. */
  text: string;
  opacity?: number;
  /** In place of the colour of the series. */
  fill?: string;
}
export interface Rects extends Named {
  kind: "rects";
  rects: Rect[];
  /** What the pointer has to be within: bars are found by x, profiles by y, cells by both. */
  foundBy: "x" | "y" | "both";
}
export interface Bubble {
  x: number;
  y: number;
  /** The area is in proportion to it. */
  size: number;
  text: string;
}
export interface Bubbles extends Named {
  kind: "bubbles";
  bubbles: Bubble[];
  /** Of the largest bubble of the picture. */
  largest: number;
}
export type Series = Line | Rects | Bubbles;

export interface Picture {
  x: Axis;
  y: Axis;
  series: Series[];
  /** Said in place of the data, if there is none. */
  note?: string;
}

const margin = 0.06;

export class Scale {
  constructor(
    readonly axis: Axis,
    readonly low: number,
    readonly high: number,
  ) {}

  /** 0 at the low end, 1 at the high end. */
  part(value: number): number {
    if (this.axis.kind !== "log") return (value - this.low) / (this.high - this.low);
    return Math.log(Math.max(value, this.low) / this.low) / Math.log(this.high / this.low);
  }
  value(part: number): number {
    if (this.axis.kind !== "log") return this.low + part * (this.high - this.low);
    return this.low * (this.high / this.low) ** part;
  }
  ticks(most: number): number[] {
    const { low, high, axis } = this;
    if (axis.kind === "time") return timeTicks(low, high, most).at;
    return axis.kind === "log" ? logTicks(low, high, most) : ticks(low, high, most, 1e-9);
  }
  /** With as many decimals as the distance of the ticks needs. */
  text(value: number, step: number): string {
    const { kind, format } = this.axis;
    if (format) return format(value);
    if (kind === "time") return formatTime(Math.max(0, Math.round(value)), step < 1e9 ? 1 : 0);
    return numberText(value, step);
  }
}

/** 12.3k or 20k from ten thousand on; below, as many decimals as steps of this size need. */
export function numberText(value: number, step: number): string {
  if (Math.abs(value) >= 10_000)
    return minus(formatShort(value).replace(/[\d.]+/, (digits) => String(Number(digits))));
  const decimals = Math.min(6, Math.max(0, -Math.floor(Math.log10(step || 1) + 1e-9)));
  return minus(value.toFixed(decimals));
}

/** Three significant digits, for legends. */
export function valueText(value: number): string {
  if (value === 0 || Math.abs(value) >= 1_000) return numberText(value, 1);
  return numberText(value, 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2));
}

const minus = (text: string) => text.replace(/^-(?=.*[1-9])/, "−").replace(/^-/, "");

function* valuesOf(series: Series[], at: 0 | 1): Generator<number> {
  for (const one of series) {
    if (one.kind === "line") {
      for (const point of one.points) if (point[1] !== undefined) yield point[at]!;
    } else if (one.kind === "rects") {
      for (const { x0, x1, y0, y1 } of one.rects) yield* at === 0 ? [x0, x1] : [y0, y1];
    } else {
      for (const { x, y } of one.bubbles) yield at === 0 ? x : y;
    }
  }
}

/** From the data, unless the axis says so; undefined if there is none. */
export function scaleOf(picture: Picture, which: "x" | "y"): Scale | undefined {
  const axis = picture[which];
  let [low, high] = [Infinity, -Infinity];
  for (const value of valuesOf(picture.series, which === "x" ? 0 : 1)) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return undefined;
  if (axis.hasZero) [low, high] = [Math.min(0, low), Math.max(0, high)];
  if (axis.kind === "log") {
    [low, high] = [axis.low ?? low, axis.high ?? high];
    return new Scale(axis, low, Math.max(high, low * 1.01));
  }
  // Data of one value is in the middle; a margin keeps others off the edge, but zero is one.
  const apart =
    high > low ? (which === "y" ? (high - low) * margin : 0) : Math.abs(high) * margin || 1;
  const [least, most] = [low, high];
  if (!(axis.hasZero && least === 0)) low -= apart;
  if (!(axis.hasZero && most === 0) || least === most) high += apart;
  return new Scale(axis, axis.low ?? low, axis.high ?? high);
}

/** The latest point of a line that has a value, at or before `x` or, if none is, after it. */
export function nearest(points: Point[], x: number): Point | undefined {
  let found: Point | undefined;
  for (const point of points) {
    if (point[1] === undefined) continue;
    if (!found || Math.abs(point[0] - x) <= Math.abs(found[0] - x)) found = point;
  }
  return found;
}

const within = (value: number, low: number, high: number) => value >= low && value < high;

export interface Pointer {
  x: number;
  y: number;
}

/** What the legend says of a series: where the pointer is, or else the latest value of a line. */
export function readOf(series: Series, pointer: Pointer | undefined, y: Axis): string {
  if (series.kind === "line") {
    const known = series.points.filter(([, value]) => value !== undefined);
    const point = pointer ? nearest(known, pointer.x) : known.at(-1);
    const format = series.format ?? y.format ?? valueText;
    return point ? format(point[1]!) : "–";
  }
  if (series.kind === "bubbles") return "";
  const { rects, foundBy } = series;
  if (!pointer) return "";
  const found = rects.find(
    ({ x0, x1, y0, y1 }) =>
      (foundBy === "y" || within(pointer.x, x0, x1)) &&
      (foundBy === "x" || within(pointer.y, Math.min(y0, y1), Math.max(y0, y1))),
  );
  return found?.text ?? "–";
}

/** Stretches of a line without gaps. */
export function stretches(points: Point[]): [number, number][][] {
  const all: [number, number][][] = [[]];
  for (const [x, y] of points) {
    if (y === undefined) all.push([]);
    else all.at(-1)!.push([x, y]);
  }
  return all.filter((one) => one.length > 0);
}
