// The words for an auction that is being collected for, and for what else stops an instrument.
import type { Auction, HaltCause, TradingState } from "./messages.js";
import { formatPrice, formatQuantity, toUnits } from "./prices.js";

const names = {
  opening: "Opening auction",
  closing: "Closing auction",
  reopening: "Reopening auction",
  intraday: "Auction",
};

/** Undefined: there is no price yet. */
export function auctionUnits(auction: Auction | undefined): number | undefined {
  return auction?.price == null ? undefined : toUnits(auction.price);
}

export function auctionText(auction: Auction): string {
  const units = auctionUnits(auction);
  if (units === undefined) return `${names[auction.type]}: no price yet`;
  const left = auction.side ? `, ${formatQuantity(auction.imbalance)} more to ${auction.side}` : "";
  return `${names[auction.type]}: ${formatQuantity(auction.quantity)} at ${formatPrice(units)}${left}`;
}

const causes: Record<HaltCause, string> = {
  operator: "by the operator",
  volatility: "price at its limit",
  market_wide_1: "market-wide breaker, level 1",
  market_wide_2: "market-wide breaker, level 2",
  market_wide_3: "market-wide breaker, level 3",
};

export interface Halt {
  state: TradingState;
  cause: HaltCause | undefined;
  collar: [number, number] | undefined;
  auction: Auction | undefined;
}

export function haltText({ state, cause, collar, auction }: Halt): string {
  const collecting = auction ? auctionText(auction) : "Orders are collected";
  // Before and after its hours an instrument is halted without a cause.
  const parts = [state === "call" ? collecting : cause ? "Halted" : "Closed"];
  if (cause) parts.push(causes[cause]);
  if (collar) {
    const [low, high] = collar.map((price) => formatPrice(toUnits(price)));
    parts.push(`from ${low} to ${high}`);
  }
  return parts.join(" · ");
}
