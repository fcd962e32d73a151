"""What scripts/test-wheels does with the installed wheel, with NumPy alone beside it."""

import importlib.metadata
import pathlib
import subprocess
import sys

import damrak

assert damrak.__version__ == importlib.metadata.version("damrak")
program = subprocess.run(["/test/venv/bin/damrak", "--version"], capture_output=True, check=True)
assert damrak.__version__ in program.stdout.decode()

path = pathlib.Path("/test/day.itch")
generate = [damrak.program(), "generate", path, "--messages", "20000"]
subprocess.run(generate, check=True, capture_output=True)
day = damrak.open(path, date="2026-11-02", tz="America/New_York")
bbo = day.bbo("SIM1")
assert len(bbo) > 1000 and (bbo["ask_px_00"] > bbo["bid_px_00"]).any()
assert day.book("SIM1", at="12:00").bids

engine = damrak.Engine(["A"], venue="xetra-like")
assert engine.advance("13:00")
engine = damrak.Engine(["A"])
assert engine.submit(damrak.Limit("A", "sell", 100, 5.0))[0].kind == "accepted"
assert engine.book("A").asks[0].price == 5.0

with damrak.serve() as exchange, exchange.connect("ouch", user="ME") as entry:
    entry.buy("AAPL", 100, 9.5)
    assert entry.wait("accepted").order

for module in ("polars", "pandas", "pyarrow", "matplotlib"):
    assert module not in sys.modules
try:
    bbo.to_polars()
except ImportError as error:
    assert error.name == "polars"
else:
    raise AssertionError("Polars is not here")
