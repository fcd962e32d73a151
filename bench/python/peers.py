"""The same work by the package and by others: functions that do it and say what came out."""
import contextlib
import datetime as dt
import importlib
import json
import logging
import shutil
import subprocess
import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import damrak
import numpy as np

DATE = "2026-11-20"
DAY_OF_ORDERS = "orders of the day through the engine"
EMPTY_CALL = "an empty call"
EMPTY_INTERPRETER = "an empty interpreter"


@dataclass
class Job:
    """`work` is what is timed, and gives what came out, which is equal in all jobs of the same
    `same`. With `makes` it is called first, and gives what is timed and what says what came out."""

    row: str
    who: str
    work: object
    count: int  # of what the rate is
    unit: str
    same: str = ""
    is_ours: bool = False
    makes: bool = False
    seconds: list = field(default_factory=list)
    outcome: object = None


def missing(*names):
    """Says which packages are not there."""
    for name in names:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                importlib.import_module(name)
        except Exception as why:  # noqa: BLE001
            print(f"left out: {name}: {str(why).splitlines()[0]}", flush=True)
            return True
    return False


ROWS_OF_A_BATCH = 65_536


def itch_jobs(file, messages):
    def whole(*tables):
        def read():
            day = damrak.open(file, date=DATE)
            return {name: getattr(day, name)().to_arrow() for name in tables}

        def count(read):
            # itch-book's messages are those about orders and trades.
            if "messages" in read:
                action = read["messages"]["action"].to_numpy()
                return {"messages": int((action != "N").sum())}
            return {name: len(rows) for name, rows in read.items()}
        return lambda: (read, count)

    def ours(*tables):
        def read():
            rows = dict.fromkeys(tables, 0)
            day = damrak.open(file, date=DATE)
            for batch in day.batches(tables, rows=ROWS_OF_A_BATCH):
                for name in tables:
                    arrow = batch[name].to_arrow()
                    rows[name] += len(arrow)
                    if name == "messages":
                        import pyarrow.compute as pc
                        rows[name] -= pc.sum(pc.equal(arrow["action"], "N")).as_py() or 0
            return rows
        return read

    def theirs(*tables, **options):
        def read():
            import itch_book
            rows = dict.fromkeys(tables, 0)
            feed = itch_book.open(file, date=dt.date.fromisoformat(DATE))
            for batch in feed.batches(tables=tables, rows=ROWS_OF_A_BATCH, **options):
                for name in tables:
                    rows[name] += len(getattr(batch, name)["ts_event"])
            return rows
        return read

    jobs = []
    for row, tables, options in (("file to Arrow: bbo and trades", ("bbo", "trades"), {}),
                                 ("file to Arrow: messages", ("messages",), {}),
                                 ("file to Arrow: depth 10", ("depth",), {"depth": 10})):
        jobs.append(Job(row, "damrak, in batches", ours(*tables), messages, "messages", row, True))
        if not missing("itch_book"):
            jobs.append(Job(row, "itch-book, in batches", theirs(*tables, **options), messages,
                            "messages", row))
        jobs.append(Job(row, "damrak, one table of the day", whole(*tables), messages, "messages",
                        row, True, True))
    return jobs


def itchfeed_jobs(file, messages):
    if missing("itch"):
        return []

    def parse():
        from itch.parser import MessageParser
        with open(file, "rb") as stream:
            return sum(1 for _ in MessageParser().parse_file(stream))

    return [Job("file to Arrow: messages", "itchfeed (objects, no tables)", parse, messages,
                "messages")]


def parquet_jobs(file, messages):
    row = "Parquet: bbo and trades"

    def count(paths):
        import pyarrow.parquet as pq
        return sum(pq.ParquetFile(path).metadata.num_rows for path in paths)

    def ours():
        day = damrak.open(file, date=DATE)
        return count(damrak.write_parquet(day, "ours", tables=("bbo", "trades")))

    def theirs():
        shutil.rmtree("theirs", ignore_errors=True)
        program = Path(sys.executable).with_name("itch2parquet")
        subprocess.run([program, "convert", file, "theirs", "--tables", "bbo,trades", "--date",
                        DATE, "--no-md5"], check=True, capture_output=True)
        return count([one for one in Path("theirs").rglob("*.parquet")
                      if one.stem.split(".")[0] in ("bbo", "trades")])

    jobs = []
    if missing("pyarrow"):
        return jobs
    jobs.append(Job(row, "damrak", ours, messages, "messages", row, True))
    if not missing("itch_book") and Path(sys.executable).with_name("itch2parquet").exists():
        jobs.append(Job(row, "itch2parquet", theirs, messages, "messages", row))
    return jobs


def books_jobs(archive, books):
    day = damrak.open(archive)
    first, last = day.span
    moments = np.linspace(first, last, books).astype("i8")
    symbol = day.symbols[0]

    def read():
        day = damrak.open(archive)
        return sum(len(day.book(symbol, int(at)).bids) > 0 for at in moments)

    return [Job("books of one instrument, each at another time, from an archive", "damrak", read,
                books, "books", "", True)]


def engine_of(symbols):
    return damrak.Engine(symbols, date=DATE, time=0)


def array_jobs(rows, symbols):
    columns = {name: np.ascontiguousarray(rows[name]) for name in rows.dtype.names}

    def send(orders, reads):
        def work():
            engine = engine_of(symbols)

            def timed():
                table = engine.submit_many(orders)
                if reads:
                    table.to_numpy()
                return table
            return timed, lambda table: (len(table), engine.state_hash)
        return work

    return [Job(DAY_OF_ORDERS, who, send(orders, reads), len(rows), "orders", DAY_OF_ORDERS, True,
                True)
            for who, orders, reads in (
                ("damrak submit_many, structured array", rows, False),
                ("damrak submit_many, dictionary of arrays", columns, False),
                ("damrak submit_many, all columns of events read", columns, True))]


def cpp_rows(program, file, symbols):
    """What the C++ program says of the same orders."""
    told = subprocess.run([program, file, "--symbols", str(len(symbols)), "--runs", "1",
                           "--json"], check=True, capture_output=True, text=True).stdout
    return json.loads(told)


def submit_jobs(calls):
    """A prepared order without reading its events, above an empty call of nanobind; and orders of
    other packages, which are objects made for each call."""
    from damrak import Limit, MassCancel, _core
    row = "one order a call"

    def empty():
        call = _core.is_main_interpreter
        for _ in range(calls):
            call()

    def prepared(*orders):
        engine = damrak.Engine(["AAPL"], max_orders=calls + 10)
        ready = [engine.prepare(order) for order in orders]
        clear = engine.prepare(MassCancel("AAPL", participant=1))

        def work():
            engine.submit(clear)
            submit = engine.submit
            turns = range(calls // len(ready))

            def timed():
                if len(ready) == 1:
                    order = ready[0]
                    for _ in turns:
                        submit(order)
                else:
                    first, second = ready
                    for _ in turns:
                        submit(first)
                        submit(second)
            return timed, lambda _: None
        return work

    def objects():
        engine = damrak.Engine(["AAPL"], max_orders=calls + 10)
        for _ in range(calls // 10):
            engine.submit(Limit("AAPL", "buy", 100, 10.0))

    buy, sell = Limit("AAPL", "buy", 100, 10.0), Limit("AAPL", "sell", 100, 10.0, participant=2)
    jobs = [
        Job(row, EMPTY_CALL, empty, calls, "calls"),
        Job(row, "damrak submit, prepared: rests", prepared(buy), calls, "orders", "", True, True),
        Job(row, "damrak submit, prepared: two that trade", prepared(sell, buy),
            calls, "orders", "", True, True),
        Job(row, "damrak submit, a new object each time", objects, calls // 10, "orders", "", True),
    ]
    if not missing("limit_order_book"):
        def lob():
            from limit_order_book import LimitOrderBook
            book = LimitOrderBook()
            for i in range(calls // 10):
                book.limit(False, i + 1, 100, 1000)

        jobs.append(Job(row, "limit-order-book limit()", lob, calls // 10, "orders"))
    if not missing("order_matching.matching_engine"):
        def matching():
            from order_matching.matching_engine import MatchingEngine
            from order_matching.enums import Side
            from order_matching.order import LimitOrder
            from order_matching.orders import Orders
            engine = MatchingEngine(seed=1)
            at = dt.datetime(2026, 11, 20)
            for i in range(200):
                order = LimitOrder(side=Side.BUY, price=10.0, size=100.0, timestamp=at,
                                   order_id=str(i), trader_id="1")
                engine.place(orders=Orders([order]))
                engine.match(timestamp=at + dt.timedelta(seconds=1))

        with contextlib.suppress(Exception):
            from loguru import logger
            logger.remove()
        logging.disable(logging.CRITICAL)
        jobs.append(Job(row, "order-matching place() and match()", matching, 200, "orders"))
    return jobs


def import_jobs():
    row = "import, above an empty interpreter"
    jobs = []
    for module in ("damrak", "itch_book", "databento", "hftbacktest", "lobpy", "itch"):
        if missing(module):
            continue
        jobs.append(Job(row, module, [sys.executable, "-c", f"import {module}"], 1, "imports", "",
                        module == "damrak"))
    jobs.append(Job(row, EMPTY_INTERPRETER, [sys.executable, "-c", ""], 1, "imports"))
    return jobs
