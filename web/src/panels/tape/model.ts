// The texts of a trade on the tape. Side is a mark and a word, not a colour alone.
import type { Trade } from "../../core/messages.js";
import { formatPrice, formatQuantity } from "../../core/prices.js";
import { formatTime } from "../../core/time.js";

const marks = { 1: "▲", "-1": "▼", 0: "·" } as const;
const names = { 1: "buy", "-1": "sell", 0: "" } as const;

/** Time, price, quantity and, for a screen reader, the side. */
export function textsOf(trade: Trade | undefined): string[] {
  if (!trade) return ["", "", "", ""];
  return [
    formatTime(trade.timeNs, 3),
    `${marks[trade.aggressor]} ${formatPrice(trade.price)}`,
    formatQuantity(trade.quantity),
    names[trade.aggressor],
  ];
}

export const csvColumns = ["sequence", "time", "price", "quantity", "aggressor"];

export function csvOf(trade: Trade): (string | number)[] {
  return [
    trade.sequence,
    formatTime(trade.timeNs, 9),
    formatPrice(trade.price, 1),
    trade.quantity,
    names[trade.aggressor],
  ];
}
