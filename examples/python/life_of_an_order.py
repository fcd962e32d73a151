"""What stood before an order of a recorded day, and how it moved up in the queue.

python examples/python/life_of_an_order.py [DAY]
"""

from __future__ import annotations

from recorded_day import recorded_day


def main() -> None:
    day = recorded_day()
    symbol = day.symbols[0]
    price = day.book(symbol, at="10:00").bids[0].price
    last = day.queue(symbol, side="buy", price=price, at="10:00")[-1]
    print(f"{last.size} shares at {price} wait behind {last.shares_ahead}")
    if last.reference is None:
        return
    for step in day.order(last.reference).steps:
        print(step.time_ns, step.type, step.size, "behind", step.shares_ahead)


if __name__ == "__main__":
    main()
