"""The Python package beside other packages that do the same, in one run, on one generated day.

    make bench-python
    python bench/python [--messages N] [--runs N] [--books N] [--program build/release/damrak]
                        [--orders build/release/bench/orders] [--save FILE]

The jobs take turns; a figure is the best of the runs by the wall clock, and for work in this process
also by its processor time. Jobs that mean the same have to give the same number of rows, and the
engine the same state as a C++ program with the same orders. What is not installed is left out, in a
line. Prints a Markdown table.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

import peers
from orders import orders_of

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("damrak", "itch-book", "itchfeed", "databento", "hftbacktest", "order-matching",
            "limit-order-book", "lobpy", "pyarrow", "numpy")


def run(job):
    if isinstance(job.work, list):
        def work():
            subprocess.run(job.work, check=True, capture_output=True)
        tell = None
    else:
        work, tell = job.work() if job.makes else (job.work, None)
    cpu, began = time.process_time(), time.perf_counter()
    result = work()
    wall = time.perf_counter() - began
    job.seconds.append((wall, time.process_time() - cpu or wall))
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
    return min(one[which] for one in job.seconds)


def table(jobs, cpp):
    """Lines of the table, and the same as data."""
    lines, data = ["| work | by | rate | ns each | beside |", "|---|---|---|---|---|"], []

    def add(row, who, unit, each_s, beside=""):
        rate = 1 / each_s
        text = f"{rate / 1e6:.2f} M" if rate >= 1e5 else f"{rate:,.0f}"
        lines.append(f"| {row} | {who} | {text} {unit}/s | {each_s * 1e9:,.1f} | {beside} |")
        data.append({"work": row, "by": who, "unit": unit, "ns": each_s * 1e9, "beside": beside})

    ours = {job.row: job for job in reversed(jobs) if job.is_ours}
    empty = next((job for job in jobs if job.who == "an empty call"), None)
    nothing = next((job for job in jobs if job.row.startswith("import") and not job.who), None)
    if cpp:
        row = "orders of the day through the engine"
        add(row, "C++, the engine alone", "orders", cpp["engine_ns"] / 1e9)
        add(row, "C++, commands made from records", "orders", cpp["made_ns"] / 1e9)
        add(row, "C++, the same and events copied", "orders", cpp["copied_ns"] / 1e9)
    for job in jobs:
        if job is nothing:
            continue
        in_process = job.unit in ("orders", "calls")
        seconds = best(job, 1 if in_process else 0)
        each = seconds / job.count
        beside = ""
        if job.row.startswith("import"):
            each = max(1e-9, seconds - best(nothing, 0))
            beside = f"{each * 1e3:.0f} ms"
        elif "submit_many" in job.who and cpp:
            beside = (f"{cpp['engine_ns'] / each / 1e9:.0%} of the engine alone, "
                      f"{cpp['made_ns'] / each / 1e9:.0%} with commands made, "
                      f"{cpp['copied_ns'] / each / 1e9:.0%} with events copied")
        elif job.is_ours and empty and job.row == empty.row:
            beside = f"{(each - best(empty, 1) / empty.count) * 1e9:.0f} ns above an empty call"
        elif not job.is_ours and job.row in ours and job is not empty:
            base = ours[job.row]
            beside = f"{each / (best(base, 1 if in_process else 0) / base.count):.1f} x ours"
        add(job.row, job.who, job.unit, each, beside)
    return lines, data


def versions():
    found = {}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def main(arguments):
    parser = argparse.ArgumentParser(description="The Python package beside others.")
    release = ROOT / "build" / "release"
    parser.add_argument("--program", default=release / "damrak", type=Path)
    parser.add_argument("--orders", default=release / "bench" / "orders", type=Path)
    parser.add_argument("--messages", default=1_000_000, type=int)
    parser.add_argument("--runs", default=3, type=int)
    parser.add_argument("--books", default=10_000, type=int)
    parser.add_argument("--calls", default=100_000, type=int)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args(arguments)
    program, orders_program = options.program.resolve(), options.orders.resolve()
    save = options.save.resolve() if options.save else None
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for command in (["generate", "day.itch", "--messages", str(options.messages)],
                        ["archive", "import", "day.itch"]):
            subprocess.run([program, *command], check=True, capture_output=True)
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
        os.chdir("/")
    lines, data = table(jobs, cpp)
    print(", ".join(f"{name} {version}" for name, version in versions().items()))
    print(f"{messages:,} messages, {len(rows):,} orders, best of {options.runs} runs in turns\n")
    print("\n".join(lines))
    if save:
        save.write_text(json.dumps({"packages": versions(), "messages": messages, "rows": data},
                                   indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
