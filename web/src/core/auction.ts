// The words for an auction that is being collected for.
import type { Auction } from "./messages.js";
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
