// What a viewer looks at, in the fragment of the address, so that a view can be sent to somebody.
import { formatTime, parseTime, secondNs } from "./time.js";

export const panels = [
  "heatmap",
  "ladder",
  "tape",
  "chart",
  "flow",
  "quality",
  "latency",
  "operations",
  "participants",
] as const;
export type PanelName = (typeof panels)[number];

export interface UrlState {
  symbol?: string;
  /** Absent: the present day. */
  day?: string;
  /** Another day, shown beside this one. */
  beside?: string;
  /** Moves with other pages that have this. */
  step?: number;
  panel?: PanelName;
  /** End of the heatmap in nanoseconds since midnight; absent: it follows the market. */
  at?: number;
  /** Length of the heatmap in seconds. */
  span?: number;
  /** Lowest and highest price of the heatmap, in units. */
  low?: number;
  high?: number;
  /** Seconds of a candle. */
  candle?: number;
  /** Seconds that the dashboards show; 0: the whole day. */
  window?: number;
  /** Another market over this one: "symbol MSFT", "day 2026112300". */
  compare?: string;
  theme?: "light" | "dark";
  side?: "buy" | "sell";
  least?: number;
}

const isPanel = (text: string): text is PanelName => (panels as readonly string[]).includes(text);

function positive(text: string | null): number | undefined {
  const value = Number(text);
  return text !== null && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** What is not valid is left out. */
export function readState(fragment: string): UrlState {
  const query = new URLSearchParams(fragment.replace(/^#/, ""));
  const state: UrlState = {};
  const symbol = query.get("symbol");
  if (symbol) state.symbol = symbol;
  const day = query.get("day");
  if (day) state.day = day;
  const beside = query.get("beside");
  if (beside) state.beside = beside;
  const compare = query.get("compare");
  if (compare) state.compare = compare;
  const window = query.get("window");
  if (window !== null && /^\d+$/.test(window)) state.window = Number(window);
  const panel = query.get("panel");
  if (panel && isPanel(panel)) state.panel = panel;
  const at = parseTime(query.get("at") ?? "");
  if (at !== undefined) state.at = at;
  for (const name of ["span", "low", "high", "candle", "least", "step"] as const) {
    const value = positive(query.get(name));
    if (value !== undefined) state[name] = value;
  }
  const theme = query.get("theme");
  if (theme === "light" || theme === "dark") state.theme = theme;
  const side = query.get("side");
  if (side === "buy" || side === "sell") state.side = side;
  return state;
}

export function writeState(state: UrlState): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value === undefined) continue;
    query.set(name, name === "at" ? formatTime(value, value % secondNs ? 9 : 0) : String(value));
  }
  // A colon is allowed in a fragment, and easier to read than its code.
  return query.toString().replaceAll("%3A", ":");
}
