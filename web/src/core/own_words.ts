// The words for what a viewer's own orders are and do: they say "you".
import type { OrderMessage } from "./messages.js";
import { formatQuantity } from "./prices.js";
import type { QueuePlace } from "./queue.js";

type Order = Pick<OrderMessage, "side" | "open" | "price">;

const priceOf = ({ price }: Order) => (price === null ? "market" : price.toFixed(2));

/** You buy 100 · 300 ahead. */
export function ownText({ side, open }: Order, place: QueuePlace | undefined): string {
  const ahead = place ? ` · ${formatQuantity(place.quantity)} ahead` : "";
  return `You ${side} ${formatQuantity(open)}${ahead}`;
}

/** You buy 100 at 99.98, 2 orders, 300 ahead. */
export function ownDetails(
  order: Order & Pick<OrderMessage, "state">,
  place: QueuePlace | undefined,
): string {
  const ahead = place
    ? `${place.orders} orders, ${formatQuantity(place.quantity)} ahead`
    : order.state;
  return `You ${order.side} ${formatQuantity(order.open)} at ${priceOf(order)}, ${ahead}`;
}

export interface OrderNews {
  text: string;
  kind: "info" | "error";
}

/** Undefined: nothing that a viewer has to be told. */
export function orderNews(order: OrderMessage): OrderNews | undefined {
  const { what, message, last, open, side, symbol } = order;
  if (what === "sent" || what === "present") return undefined;
  const bad = what.endsWith("rejected") || what === "lost";
  const filled = last && `${last[1]} at ${last[0].toFixed(2)}, ${open} open`;
  const text = message || filled || `you ${side} ${open} ${symbol} at ${priceOf(order)}`;
  return {
    text: `Your order ${order.order} ${what.replace("_", " ")}: ${text}`,
    kind: bad ? "error" : "info",
  };
}
