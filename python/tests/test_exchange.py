"""The real program starts on free ports, ends with its block, and recovers from a kill."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import damrak


def health(exchange: damrak.Exchange) -> str:
    with urllib.request.urlopen(f"{exchange.url}/health") as answer:
        return str(json.load(answer)["status"])


def test_it_is_ready_and_ends_with_its_block() -> None:
    with damrak.serve(gateways=("binary", "http")) as exchange:
        assert set(exchange.ports) == {"binary", "http"}
        assert health(exchange) == "ok"
        assert "gateway" in exchange.logs
        socket.create_connection(("127.0.0.1", exchange.ports["binary"])).close()
        folder = exchange.data.parent
        assert exchange.is_running and folder.exists()
    assert not exchange.is_running and not folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(exchange.pid, 0)


def test_instruments_and_settings_are_those_given() -> None:
    with damrak.serve(
        instruments=[{"symbol": "ASML", "tick": 0.05}],
        settings={"journal": {"durability": "sync"}},
    ) as exchange:
        with urllib.request.urlopen(f"{exchange.url}/v1/instruments") as answer:
            symbols = [one["symbol"] for one in json.load(answer)["instruments"]]
        assert symbols == ["ASML"]
        assert "sync" in exchange.logs


def test_the_venue_is_the_one_given() -> None:
    # At any hour: before its first day and at night this venue has no instruments to show.
    with damrak.serve(venue="xetra-like", gateways=("binary", "http")) as exchange:
        assert "xetra-like" in exchange.logs


def test_after_an_exception_the_data_are_kept_and_named() -> None:
    with (
        pytest.raises(RuntimeError) as caught,
        damrak.serve(gateways=("binary", "http")) as exchange,
    ):
        raise RuntimeError("mine")
    folder = exchange.data.parent
    assert not exchange.is_running and folder.exists()
    assert str(folder) in "".join(caught.value.__notes__)
    shutil.rmtree(folder)


def test_a_kill_is_recovered_from(tmp_path: Path) -> None:
    with damrak.serve(data=tmp_path / "data", demo=True) as exchange:
        exchange.kill()
    with damrak.serve(gateways=("binary", "http"), data=tmp_path / "data") as exchange:
        assert health(exchange) == "ok"
        assert "recovered" in exchange.logs
        assert exchange.stop() == 0
    assert (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("parameters", "error", "text"),
    [
        ({"venue": "moon"}, damrak.ExchangeError, r"there is no venue 'moon'"),
        ({"arguments": ["--nonsense"]}, damrak.ExchangeError, r"nonsense"),
        ({"settings": {"journal": {"colour": 1}}}, damrak.ExchangeError, r"colour"),
        ({"gateways": ("telex",)}, ValueError, r"'telex': one of binary"),
    ],
    ids=["venue", "argument", "setting", "gateway"],
)
def test_what_does_not_start_says_why(
    parameters: dict[str, object], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        damrak.serve(**parameters)  # type: ignore[arg-type]


def test_the_fixtures_of_the_plugin(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.damrak(venue="frequent-batch", gateways=("binary", "http"))
        def test_marked(damrak_exchange):
            assert "frequent-batch" in damrak_exchange.logs

        def test_two(damrak_exchange_factory):
            one, two = (damrak_exchange_factory(gateways=("binary",)) for _ in range(2))
            assert one.ports != two.ports
        """
    )
    installed = any(one.value == "damrak.pytest_plugin" for one in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "damrak.pytest_plugin"]
    result = pytester.runpytest_subprocess("--strict-markers", *plugin)
    result.assert_outcomes(passed=2)


def test_one_that_dies_by_itself_is_told_and_its_log_kept() -> None:
    with (
        pytest.raises(damrak.ExchangeError, match="ended by itself with exit code -9") as caught,
        damrak.serve(gateways=("binary",)) as exchange,
    ):
        os.kill(exchange.pid, signal.SIGKILL)
        while exchange.is_running:
            pass
    folder = exchange.data.parent
    assert str(folder) in str(caught.value) and folder.exists()
    shutil.rmtree(folder)


def test_one_that_nobody_stops_ends_with_python() -> None:
    code = "import damrak; e = damrak.serve(gateways=('binary',)); print(e.pid, e.data.parent)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    pid, folder = done.stdout.split()
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)
    assert not Path(folder).exists()


@pytest.mark.parametrize(
    "end",
    [
        "os.kill(os.getpid(), signal.SIGTERM)",
        "os._exit(0)",
        "e.kill(); e.stop()",
        "os.kill(e.pid, signal.SIGKILL); e.stop()",
    ],
)
def test_nothing_of_it_outlives_python_however_that_ends(end: str) -> None:
    code = (
        "import damrak, os, signal; e = damrak.serve(gateways=('binary',));"
        f"print(e.pid, e.data.parent, flush=True); {end}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    pid, folder = done.stdout.split()
    while Path(folder).exists():
        time.sleep(0.01)
    with contextlib.suppress(OSError):  # an end that nobody has noted is none that runs
        assert Path(f"/proc/{pid}/cmdline").read_bytes() == b""
