"""The orders behind a recorded day, as rows for Engine.submit_many: adds, cancels and replaces as
they were, and for each execution an order of that quantity and price that takes at once."""
import damrak
import numpy as np

COLUMNS = ("time", "command", "instrument", "participant", "side", "tif", "flags", "quantity",
           "price", "order", "new_order")
NEW, CANCEL, REPLACE = 1, 2, 3
IMMEDIATE = 3
BUYER, SELLER = 1, 2


def orders_of(day):
    """The rows, and the symbols that they number from 1."""
    messages = day.messages()
    action = messages["action"]
    kept = np.flatnonzero(np.isin(action, np.array([b"A", b"F", b"C", b"M"])))
    action = action[kept]
    rows = np.zeros(len(kept), damrak.order_dtype(*COLUMNS))
    is_fill, is_cancel, is_replace = action == b"F", action == b"C", action == b"M"
    symbols = sorted({messages.symbols[i] for i in np.unique(messages["symbol"][kept])})
    numbers = np.zeros(len(messages.symbols), "u4")
    for place, symbol in enumerate(messages.symbols):
        numbers[place] = symbols.index(symbol) + 1 if symbol in symbols else 0
    rows["time"] = messages["ts_event"][kept]
    rows["command"] = np.select([is_cancel, is_replace], [CANCEL, REPLACE], NEW)
    rows["instrument"] = numbers[messages["symbol"][kept]]
    # Who takes is on the other side than the order that is filled.
    sells = (messages["side"][kept] == b"A") ^ is_fill
    rows["side"] = sells
    rows["participant"] = np.where(sells, SELLER, BUYER)
    rows["tif"] = np.where(is_fill, IMMEDIATE, 0)
    rows["flags"] = np.where(is_replace, damrak.OrderFlag.LOSE_PRIORITY.value, 0)
    rows["quantity"] = messages["size"][kept]
    rows["price"] = np.where(is_cancel, 0, messages["price"][kept])
    order = messages["order_id"][kept]
    taking = order.max() + 1 + np.arange(len(kept), dtype="u8")
    rows["order"] = np.where(is_replace, messages["old_order_id"][kept],
                             np.where(is_fill, taking, order))
    rows["new_order"] = np.where(is_replace, order, 0)
    return rows, symbols
