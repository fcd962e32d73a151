"""The Python package beside other packages that do the same, in one run, on one generated day.

    make bench-python
    python bench/python [--messages N] [--runs N] [--books N] [--program build/release/damrak]
                        [--orders build/release/bench/orders] [--save FILE]

The jobs take turns; a figure is the best of the runs, in processor time of the process and of those
it started, and by the wall clock. Ratios are of processor time. Jobs that mean the same have to
give the same number of rows, and the engine the same state as a C++ program with the same orders.
What is not installed is left out, in a line. Prints a Markdown table.
"""
import resource
import subprocess
import sys
import time
from pathlib import Path

import peers
from orders import orders_of

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from beside import RELEASE, in_new_folder, keep, options_of, parser_of, said, versions  # noqa: E402

CPP = {"engine_ns": "the engine alone", "made_ns": "the engine with commands made",
       "copied_ns": "that with events copied"}
PACKAGES = ("damrak", "itch-book", "itchfeed", "databento", "hftbacktest", "order-matching",
            "limit-order-book", "lobpy", "pyarrow", "numpy")


def cpu_seconds():
    """Of this process and of those that it started and that ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def run(job):
    if isinstance(job.work, list):
        def work():
            subprocess.run(job.work, check=True, capture_output=True)
        tell = None
    else:
        work, tell = job.work() if job.makes else (job.work, None)
    before, began = cpu_seconds(), time.perf_counter()
    result = work()
    wall = time.perf_counter() - began
    job.seconds.append((cpu_seconds() - before, wall))
    job.outcome = tell(result) if tell else result


def check(jobs):
    """Ends the program where two that mean the same differ."""
    first = {}
    for job in jobs:
        if job.same and first.setdefault(job.same, job).outcome != job.outcome:
            other = first[job.same]
            sys.exit(f"bench/python: {job.row}: {job.who} gives {job.outcome}, {other.who} "
                     f"{other.outcome}")


def best(job, which):
    """0: processor time, 1: by the wall clock."""
    return min(one[which] for one in job.seconds)


def text_of(seconds):
    return f"{seconds * 1e3:,.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e9:,.1f} ns"


def beside_of(job, each, empty, ours, cpp):
    if "submit_many" in job.who and cpp:
        return ", ".join(f"{cpp[name] / each / 1e9:.0%} of {what}" for name, what in CPP.items())
    if job.row == empty.row and job is not empty and job.is_ours:
        return f"{(each - best(empty, 0) / empty.count) * 1e9:.0f} ns above an empty call"
    base = ours.get(job.row)
    if base is None or job.is_ours or job.who in (peers.EMPTY_CALL, peers.EMPTY_INTERPRETER):
        return ""
    return f"{each / (best(base, 0) / base.count):.1f} x ours"


def table(jobs, cpp):
    """Lines of the table, and the same as data."""
    lines = ["| work | by | rate | CPU time each | wall time each | beside |",
             "|---|---|---|---|---|---|"]
    data = []

    def add(row, who, unit, each, wall=None, beside=""):
        rate = f"{1e-6 / each:.2f} M" if each < 1e-5 else f"{1 / each:,.1f}"
        lines.append(f"| {row} | {who} | {rate} {unit}/s | {text_of(each)} "
                     f"| {text_of(wall) if wall else ''} | {beside} |")
        data.append({"work": row, "by": who, "unit": unit, "cpu_s": each, "wall_s": wall,
                     "beside": beside})

    ours = {job.row: job for job in reversed(jobs) if job.is_ours}
    empty = next(job for job in jobs if job.who == peers.EMPTY_CALL)
    nothing = next(job for job in jobs if job.who == peers.EMPTY_INTERPRETER)
    for name, what in CPP.items() if cpp else ():
        add(peers.DAY_OF_ORDERS, f"C++, {what}", "orders", cpp[name] / 1e9)
    for job in jobs:
        each, wall = best(job, 0) / job.count, best(job, 1) / job.count
        if job.row == nothing.row and job is not nothing:
            each, wall = (max(1e-6, one - best(nothing, i)) for i, one in enumerate((each, wall)))
        add(job.row, job.who, job.unit, each, wall, beside_of(job, each, empty, ours, cpp))
    return lines, data


def main(arguments):
    parser = parser_of("The Python package beside others.", 1_000_000)
    parser.add_argument("--orders", default=RELEASE / "bench" / "orders", type=Path)
    parser.add_argument("--books", default=10_000, type=int)
    parser.add_argument("--calls", default=100_000, type=int)
    options = options_of(parser, arguments)
    program, orders_program = options.program, options.orders
    with in_new_folder():
        said(program, "generate", "day.itch", "--messages", str(options.messages))
        said(program, "archive", "import", "day.itch")
        day = peers.damrak.open("day.itch", date=peers.DATE)
        messages = day.message_count
        rows, symbols = orders_of(day)
        rows.tofile("orders.bin")
        jobs = [*peers.array_jobs(rows, symbols), *peers.submit_jobs(options.calls),
                *peers.itch_jobs("day.itch", messages), *peers.itchfeed_jobs("day.itch", messages),
                *peers.parquet_jobs("day.itch", messages),
                *peers.books_jobs("day.dar", options.books), *peers.import_jobs()]
        cpp = None
        if not orders_program.exists():
            print(f"left out: the engine in C++: there is no {orders_program}")
        for _ in range(options.runs):
            if orders_program.exists():
                told = peers.cpp_rows(orders_program, "orders.bin", symbols)
                cpp = told if cpp is None else {
                    name: min(value, cpp[name]) if name.endswith("_ns") else value
                    for name, value in told.items()}
            for job in jobs:
                run(job)
        check(jobs)
        if cpp and (cpp["events"], cpp["state_hash"]) != jobs[0].outcome:
            sys.exit(f"bench/python: the engine in C++ gives {cpp}, in Python {jobs[0].outcome}")
    lines, data = table(jobs, cpp)
    packages = versions(PACKAGES)
    print(", ".join(f"{name} {version}" for name, version in packages.items()))
    print(f"{messages:,} messages, {len(rows):,} orders, best of {options.runs} runs in turns\n")
    print("\n".join(lines))
    keep(options.save, {"packages": packages, "messages": messages, "rows": data})


if __name__ == "__main__":
    main(sys.argv[1:])
