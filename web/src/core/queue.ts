// The displayed orders of one instrument by priority: where in its queue an order stands.
import type { Side } from "./book.js";

interface Order {
  side: Side;
  price: number;
  quantity: number;
}

export interface QueuePlace {
  /** Orders and shares with priority at the same price. */
  orders: number;
  quantity: number;
}

export class OrderQueues {
  private readonly orders = new Map<number, Order>();
  /** The references at a price, in the order in which they trade. */
  private readonly queues = new Map<string, Set<number>>();

  clear(): void {
    this.orders.clear();
    this.queues.clear();
  }

  /** A new order goes behind all others of its price; quantity 0 removes it. */
  set(side: Side, reference: number, price: number, quantity: number): void {
    const known = this.orders.get(reference);
    if (known && quantity > 0) {
      known.quantity = quantity;
      return;
    }
    if (known) {
      this.orders.delete(reference);
      this.queue(known).delete(reference);
    } else if (quantity > 0) {
      const order = { side, price, quantity };
      this.orders.set(reference, order);
      this.queue(order).add(reference);
    }
  }

  /** Undefined if the order is not among those that are displayed. */
  place(reference: number): QueuePlace | undefined {
    const order = this.orders.get(reference);
    if (!order) return undefined;
    const ahead = { orders: 0, quantity: 0 };
    for (const other of this.queue(order)) {
      if (other === reference) break;
      ahead.orders += 1;
      ahead.quantity += this.orders.get(other)!.quantity;
    }
    return ahead;
  }

  private queue(order: Order): Set<number> {
    const key = `${order.side}${order.price}`;
    let queue = this.queues.get(key);
    if (!queue) this.queues.set(key, (queue = new Set()));
    return queue;
  }
}
