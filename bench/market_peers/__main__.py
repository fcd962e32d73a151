"""Simulated markets beside hftbacktest (PyPI), on one machine in one run: one day replayed without
participants, as books and through the matching engine; and a populated market.

    scripts/bench peers
    python3 bench/market_peers [--program build/release/damrak] [--bench build/release/bench/market]
                               [--messages N] [--participants N] [--runs N] [--save FILE]

The rows take turns, each in a process of its own; a figure is the best of the runs. Seconds are
those of the work alone, without start and preparation: processor time, of `damrak replay` by the
wall clock. A rate counts the messages of the day, whatever a program makes of them: hftbacktest
by order has a queue of orders at each price as `damrak replay` has, by price it has quantities,
both of them twice, for the exchange and for the trader; only `damrak sim whatif` matches.
hftbacktest has to end with the best prices of the day, and `damrak sim whatif` with no
difference to it.

ABIDES is on GitHub alone, in no package registry, and is not measured here.
"""
import importlib.util
import json
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from beside import RELEASE, in_new_folder, keep, options_of, parser_of, said, versions  # noqa: E402

HFTBACKTEST_DAY = Path(__file__).resolve().parent / "hftbacktest_day.py"
PACKAGES = ("hftbacktest", "databento")


def told(*command):
    return json.loads(said(*command))


@dataclass
class Work:
    name: str
    messages: int
    measure: object  # returns seconds
    beside: str = ""
    seconds: float = float("inf")

    def run(self):
        self.seconds = min(self.seconds, self.measure())

    @property
    def rate(self):
        return self.messages / self.seconds


def make_day(program, messages):
    """Returns its number of messages and its best prices at the end."""
    said(program, "generate", "day.itch", "--messages", str(messages), "--symbols", "1")
    said(program, "archive", "import", "day.itch")
    said(program, "archive", "export", "day.dar", "--to", "dbn", "--schema", "mbo", "--out",
         "mbo.dbn")
    Path("nobody.toml").write_text("")
    book = told(program, "book", "day.dar", "--at", "23:59:59", "--depth", "1", "--json")
    best = tuple(book[side][0]["price"] for side in ("bids", "asks"))
    return told(program, "archive", "info", "day.dar", "--json")["messages"], best


def days_of_ours(program, messages):
    def match():
        run = told(program, "sim", "whatif", "day.dar", "--with", "nobody.toml", "--json")
        if run["drift"]["differences"] != 0:
            sys.exit("market_peers: the replayed day is not the recorded one")
        return run["messages"] / run["messages_per_s"]

    def build():
        return told(program, "replay", "day.itch", "--format", "itch", "--json")["seconds"]

    return [Work("day matched, damrak sim whatif", messages, match),
            Work("books of a day, damrak replay", messages, build)]


def days_of_hftbacktest(messages, best):
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        print(f"hftbacktest: left out, not installed: {', '.join(missing)}")
        return []
    said(sys.executable, HFTBACKTEST_DAY, "prepare", "mbo.dbn")

    def play(file):
        run = told(sys.executable, HFTBACKTEST_DAY, "run", file)
        if (run["bid"], run["ask"]) != best:
            sys.exit(f"market_peers: hftbacktest ends at {run}, not at {best}")
        return run["seconds"]

    ours = "books of a day, damrak replay"
    return [Work("by order, hftbacktest", messages, lambda: play("by_order.npy"), ours),
            Work("by price, hftbacktest", messages, lambda: play("by_price.npy"), ours)]


def populated(bench, participants):
    counted = {}

    def measure():
        counted.update(told(bench, "--participants", str(participants), "--json"))
        work.messages = counted["messages"]
        return counted["messages"] / counted["messages_per_s"]

    work = Work(f"{participants:,} participants, bench/market", 0, measure)
    return work


def main(arguments):
    parser = parser_of("Simulated markets beside hftbacktest.", 2_000_000)
    parser.add_argument("--bench", default=RELEASE / "bench" / "market", type=Path)
    parser.add_argument("--participants", default=1_000, type=int)
    options = options_of(parser, arguments)
    program, bench = options.program, options.bench
    with in_new_folder():
        messages, best = make_day(program, options.messages)
        rows = days_of_ours(program, messages) + days_of_hftbacktest(messages, best)
        rows.append(populated(bench, options.participants))
        for _ in range(options.runs):
            for row in rows:
                row.run()
    has_peer = any(row.beside for row in rows)
    version = versions(["hftbacktest"])["hftbacktest"] if has_peer else ""
    print(f"hftbacktest {version or 'left out'}; ABIDES left out: it is in no package registry")
    print(f"{'work':<34}{'messages':>11}{'seconds':>9}{'messages/s':>13}   seconds of ours")
    ours = {row.name: row for row in rows}
    out = []
    for row in rows:
        ratio = row.seconds / ours[row.beside].seconds if row.beside else None
        print(f"{row.name:<34}{row.messages:>11,}{row.seconds:>9.3f}{row.rate:>13,.0f}   "
              f"{f'{ratio:.1f} x' if ratio else 'ours'}", flush=True)
        out.append({"work": row.name, "messages": row.messages, "seconds": round(row.seconds, 4),
                    "messages_per_s": round(row.rate),
                    "seconds_of_ours": ratio and round(ratio, 2)})
    keep(options.save, {"hftbacktest": version, "rows": out})


if __name__ == "__main__":
    main(sys.argv[1:])
