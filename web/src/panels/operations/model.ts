// The texts of the exchange's figures.
import type { ExchangeFigures, Level } from "../../core/messages.js";
import { formatQuantity, formatShort } from "../../core/prices.js";

const nearlyFull = 0.9;

export function uptime(s: number): string {
  const [days, hours, minutes] = [
    Math.floor(s / 86_400),
    Math.floor(s / 3_600) % 24,
    Math.floor(s / 60) % 60,
  ];
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours} h ${minutes} min` : `${minutes} min ${Math.floor(s) % 60} s`;
}

/** By name, in the order in which they are shown; `frameMs` are what the latest frames cost. */
export function factsOf(figures: ExchangeFigures, frameMs: number[]): Map<string, string> {
  const { journal, feed } = figures;
  const times = [...frameMs].sort((a, b) => a - b);
  const frame = times[Math.floor(times.length * 0.9)] ?? 0;
  const most = `${feed.slow_subscribers}, ${formatShort(feed.most_behind)} behind`;
  return new Map([
    ["Up", uptime(figures.uptime_s)],
    ["Memory", `${formatShort(figures.memory_bytes)}B`],
    ["Connections", String(figures.connections)],
    ["Viewers", String(figures.viewers)],
    ["Journal", formatQuantity(journal.appended)],
    ["Slow viewers", String(figures.slow_viewers)],
    ["Left out", formatQuantity(figures.left_out)],
    ["Not synced", formatQuantity(journal.appended - journal.synced)],
    ["Snapshot", journal.snapshot ? formatQuantity(journal.snapshot) : "none"],
    ["Feed", formatQuantity(feed.messages)],
    ["Not archived", formatQuantity(feed.unarchived)],
    ["Subscribers", formatQuantity(feed.subscribers)],
    ["Slow", feed.slow_subscribers ? most : "0"],
    ["Resent", `${formatShort(feed.retransmitted)} in ${formatShort(feed.retransmission_requests)}`],
    ["Frame", `${frame.toFixed(1)} ms`],
  ]);
}

export interface CapacityTable {
  rows: string[][];
  /** Something is full, or nearly. */
  warning: boolean;
}

export function capacityOf(capacity: ExchangeFigures["capacity"]): CapacityTable {
  const all = Object.entries(capacity);
  return {
    rows: all.map(([name, { used, capacity }]) => [
      name.replaceAll("_", " "),
      formatQuantity(used),
      formatShort(capacity),
      `${((100 * used) / capacity).toFixed(1)} %`,
    ]),
    warning: all.some(([, one]) => one.used > nearlyFull * one.capacity),
  };
}

/** For those who are not told the figures. */
export function levelsOf(levels: Record<string, Level>): CapacityTable {
  return {
    rows: Object.entries(levels).map(([name, level]) => [
      name.replaceAll("_", " "),
      "",
      "",
      level,
    ]),
    warning: Object.values(levels).includes("full"),
  };
}
