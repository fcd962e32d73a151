"""A day of DBN mbo records in hftbacktest, without participants.

    python3 hftbacktest_day.py prepare mbo.dbn     writes by_order.npy and by_price.npy
    python3 hftbacktest_day.py run by_order.npy    prints {"seconds", "bid", "ask"}
"""
import json
import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")

from hftbacktest import (ADD_ORDER_EVENT, CANCEL_ORDER_EVENT, DEPTH_EVENT,  # noqa: E402
                         FILL_EVENT, MODIFY_ORDER_EVENT, BacktestAsset,
                         HashMapMarketDepthBacktest)

KIND = 0xff
SIDES = 3 << 28
STEP_NS = 60_000_000_000


def by_order(data):
    """A cancel of DBN takes a part of the order; one of hftbacktest takes all of it, and fails if
    there is no such order. A part is a change to what is left there."""
    left = {}
    for row in data:
        kind, order = int(row["ev"]) & KIND, int(row["order_id"])
        if kind == ADD_ORDER_EVENT:
            left[order] = row["qty"]
        elif kind == CANCEL_ORDER_EVENT:
            left[order] -= row["qty"]
            if left[order] > 0:
                row["ev"] = int(row["ev"]) + MODIFY_ORDER_EVENT - kind
                row["qty"] = left[order]
            else:
                del left[order]
    return data


def by_price(data):
    """Each change of a level as its new quantity; trades as they are."""
    levels = {}
    kinds = data["ev"] & KIND
    data = data[kinds != FILL_EVENT]
    for row in data:
        kind = int(row["ev"]) & KIND
        if kind not in (ADD_ORDER_EVENT, CANCEL_ORDER_EVENT):
            continue
        level = (int(row["ev"]) & SIDES, round(float(row["px"]), 4))
        change = row["qty"] if kind == ADD_ORDER_EVENT else -row["qty"]
        levels[level] = levels.get(level, 0) + change
        row["ev"] = int(row["ev"]) + DEPTH_EVENT - kind
        row["qty"] = levels[level]
        row["order_id"] = 0
    return data


def prepare(file):
    from hftbacktest.data.utils.databento import convert
    data = convert(file, None)
    np.save("by_price.npy", by_price(data.copy()))
    np.save("by_order.npy", by_order(data))


def run(data, is_by_order):
    asset = (BacktestAsset().data(data).linear_asset(1.0).constant_order_latency(0, 0)
             .no_partial_fill_exchange().trading_value_fee_model(0, 0).tick_size(0.01).lot_size(1))
    asset = asset.l3_fifo_queue_model() if is_by_order else asset.risk_adverse_queue_model()
    market = HashMapMarketDepthBacktest([asset])
    began = time.process_time()
    while (code := market.elapse(STEP_NS)) == 0:
        pass
    seconds = time.process_time() - began
    if code != 1:
        sys.exit(f"hftbacktest ends with code {code} at {market.current_timestamp}")
    depth = market.depth(0)
    told = {"seconds": seconds, "bid": round(depth.best_bid, 4), "ask": round(depth.best_ask, 4)}
    market.close()
    return told


def main(what, file):
    if what == "prepare":
        return prepare(file)
    data = np.load(file)
    is_by_order = file.startswith("by_order")
    run(data[:1000], is_by_order)  # compiles
    print(json.dumps(run(data, is_by_order)))
    return None


if __name__ == "__main__":
    main(*sys.argv[1:])
