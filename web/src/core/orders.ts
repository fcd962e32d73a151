// Own orders: what the exchange tells of them, and what to ask it for.
import { OrderQueues } from "./queue.js";
import type { OrderMessage } from "./messages.js";
import { unitsPerPrice } from "./prices.js";

export class OwnOrders {
  readonly open = new Map<number, OrderMessage>();
  readonly queues = new OrderQueues();
  private requests = 0;

  constructor(private readonly send: (message: object) => boolean) {}

  clear(): void {
    this.open.clear();
  }

  hear(order: OrderMessage): void {
    if (order.state === "finished") this.open.delete(order.order);
    else this.open.set(order.order, order);
  }

  of(symbol: string): OrderMessage[] {
    return [...this.open.values()].filter((order) => order.symbol === symbol);
  }

  enter(symbol: string, side: "buy" | "sell", quantity: number, units: number): boolean {
    const price = units / unitsPerPrice;
    return this.send({ op: "enter", request: ++this.requests, symbol, side, quantity, price });
  }

  replace(order: number, quantity: number, units: number): boolean {
    const price = units / unitsPerPrice;
    return this.send({ op: "replace", request: ++this.requests, order, quantity, price });
  }

  cancel(order: number): boolean {
    return this.send({ op: "cancel", request: ++this.requests, order });
  }
}
