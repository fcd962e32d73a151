"""What the package promises of itself: a light import, an interrupt that is heard, no leaks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import run

import damrak


def python(
    code: str, *arguments: str, temporary: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ if temporary is None else {**os.environ, "TMPDIR": str(temporary)},
    )


def test_the_program_is_of_the_same_version() -> None:
    assert damrak.__version__ in run("--version")
    done = subprocess.run(
        [sys.executable, "-m", "damrak", "--version"], capture_output=True, text=True, check=True
    )
    assert damrak.__version__ in done.stdout
    assert subprocess.run([sys.executable, "-m", "damrak", "nonsense"], check=False).returncode == 2


def test_its_libraries_are_named() -> None:
    info = damrak.build_info()
    assert info["damrak"] == damrak.__version__
    assert {"openssl", "zstd", "zlib", "fmt"} <= set(info)


def test_import_needs_no_other_package() -> None:
    code = (
        "import sys; before = set(sys.modules); import damrak; "
        "print(*sorted(one for one in set(sys.modules) - before if not one.startswith('damrak')))"
    )
    assert set(python(code).stdout.split()) <= {"atexit", "encodings.ascii"}


def test_nothing_leaks(itch: Path) -> None:
    code = (
        "import sys, damrak\n"
        "damrak._core.tell_leaks()\n"
        "day = damrak.open(sys.argv[1])\n"
        "day.bbo().to_polars(); list(day.batches('trades', rows=100)); day.order\n"
        "try: day.bbo('X')\n"
        "except damrak.DayError: pass\n"
    )
    done = python(code, str(itch))
    assert done.returncode == 0, done.stderr
    assert "leaked" not in done.stderr


def test_a_thread_that_is_left_says_nothing_of_leaks() -> None:
    code = (
        "import damrak, threading\n"
        "def hold():\n"
        "    engine = damrak.Engine(['A']); has_engine.set(); threading.Event().wait()\n"
        "has_engine = threading.Event()\n"
        "threading.Thread(target=hold, daemon=True).start(); has_engine.wait()\n"
    )
    assert python(code).stderr == ""


def test_names_are_complete() -> None:
    for name in damrak.__all__:
        assert getattr(damrak, name) is not None
    assert set(dir(damrak)) == {*damrak.__all__, "open"}
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        damrak.nonsense  # noqa: B018


def test_an_old_processor_is_refused_with_words(tmp_path: Path) -> None:
    from damrak._processor import check_processor

    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor: 0\nflags\t\t: fpu sse2 avx\n")
    with pytest.raises(ImportError, match=r"x86-64-v3 .* lacks avx2, bmi1"):
        check_processor(str(cpuinfo))
    check_processor(str(tmp_path / "none"))


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "day.itch"
    run("generate", path, "--messages", "4000000")
    return path


def test_an_interrupt_is_heard_between_rows(tmp_path: Path) -> None:
    """Millions of rows may come between two messages."""
    path = tmp_path / "day.itch"
    run("generate", path, "--messages", "3000")
    day = damrak.open(path)
    done = []

    def tell(messages: int) -> None:
        done.append(messages)
        signal.raise_signal(signal.SIGINT)

    reader = day._rows.reader([("bbo", 1, 1_000_000, [])], None, None, None, 1 << 16, "float")
    with pytest.raises(KeyboardInterrupt):
        reader.read(all=True, progress=tell)
    assert done[0] < day.message_count


def test_an_interrupt_is_heard_while_a_script_is_read() -> None:
    script = "instrument symbol=A\n" + "new buy quantity=1 price=1\n" * 500_000 + "nonsense\n"
    engine = damrak.Engine([])
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        with pytest.raises(KeyboardInterrupt):
            engine.run(script)
    finally:
        signal.signal(signal.SIGALRM, before)


def run_in(where: str, call: Callable[[], None]) -> None:
    """In the main thread or in a worker, for which the main thread waits as users' programs do."""
    if where == "main":
        call()
        return
    thread = threading.Thread(target=call)
    thread.start()
    try:
        while thread.is_alive():
            time.sleep(0.001)
    except KeyboardInterrupt:
        pass  # that of the main thread
    thread.join()


@pytest.mark.parametrize("where", ["main", "worker"])
def test_an_interrupt_ends_a_long_call(long: Path, where: str) -> None:
    """The signal comes while the call is under way, and the call ends long before its end."""
    day = damrak.open(long)
    heard: list[type[BaseException]] = []
    messages = 0

    def read() -> None:
        nonlocal messages
        reader = day._rows.reader([("messages", 1, 0, [])], None, None, None, 1 << 16, "float")

        def tell(done: int) -> None:
            nonlocal messages
            first, messages = messages == 0, done
            if first:
                signal.raise_signal(signal.SIGINT)

        try:
            reader.read(all=True, progress=tell)
        except KeyboardInterrupt as error:
            heard.append(type(error))

    run_in(where, read)
    assert heard == [KeyboardInterrupt]
    assert 0 < messages < day.message_count


@pytest.mark.parametrize("where", ["main", "worker"])
def test_an_interrupt_ends_a_program_that_answers(where: str, tmp_path: Path) -> None:
    """Journals, validations and measures are answers of the program."""
    from damrak._program_answers import run_program

    market = tmp_path / "market.toml"
    market.write_text(
        '[[instrument]]\nsymbol = "AAA"\n[[participants]]\nkind = "neutral"\nmessages_per_s = 500\n'
    )
    heard: list[type[BaseException]] = []
    counts: list[int] = []

    def tell(count: int) -> None:
        counts.append(count)
        if len(counts) == 2:
            signal.raise_signal(signal.SIGINT)

    def ask() -> None:
        try:
            run_program(["sim", "run", str(market), "--duration", "20h"], done=lambda: 7, tell=tell)
        except KeyboardInterrupt as error:
            heard.append(type(error))

    run_in(where, ask)
    assert heard == [KeyboardInterrupt]
    assert set(counts) == {7}


def test_a_handler_that_does_not_raise_ends_nothing(long: Path) -> None:
    day = damrak.open(long)
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        reader = day._rows.reader([("trades", 1, 0, [])], None, None, None, 1 << 16, "float")

        def tell(_: int) -> None:
            if not heard:
                signal.raise_signal(signal.SIGINT)

        core = reader.read(all=True, progress=tell)
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]
    assert core is not None and len(core[0]) == len(day.trades())


@pytest.mark.parametrize(
    "loop",
    [
        "day.bbo()",
        "day.book('SIM1', '10:00')",
        "damrak.open(sys.argv[1])",
        "engine.submit_many(rows)",
        "engine.advance(engine.time + 10**13)",
    ],
)
def test_python_ends_while_a_daemon_thread_is_in_a_call(
    itch: Path, tmp_path: Path, loop: str
) -> None:
    code = f"""
import sys, threading, numpy as np, damrak
day = damrak.open(sys.argv[1])
engine = damrak.Engine(["A"], venue="xetra-like")
rows = np.zeros(100_000, damrak.order_dtype("quantity", "price"))
rows["quantity"], rows["price"] = 1, 9
begun = threading.Event()
def work():
    while True:
        {loop}
        begun.set()
threading.Thread(target=work, daemon=True).start()
begun.wait()
"""
    done = python(code, str(itch), temporary=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.iterdir())


def test_files_that_are_no_recordings_are_refused_at_once(itch: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", Path("/dev/zero")):
        with pytest.raises(damrak.DayError, match="no regular file"):
            damrak.open(path)
    for target in (itch, Path("/dev/null")):
        with pytest.raises(damrak.DayError):
            damrak.convert(itch, target)
    assert Path("/dev/null").is_char_device() and damrak.open(itch).message_count > 30_000


def test_a_fork_and_its_parent_read_the_same_day(itch: Path) -> None:
    code = """
import os, sys, damrak
day = damrak.open(sys.argv[1])
if os.fork() == 0:
    sys.exit(0 if len(day.bbo()) else 1)
assert os.wait()[1] == 0
print(len(day.bbo()))
"""
    assert int(python(code, str(itch)).stdout) > 100
