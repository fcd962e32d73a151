"""Starts the exchange: the real program, on free ports, for as long as a block of code lasts."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias

from . import program
from ._arguments import (
    as_choice,
    as_flag,
    as_list,
    as_path,
    as_seconds,
    as_table,
    as_text,
    as_whole,
)
from ._core import DamrakError

if TYPE_CHECKING:
    from ._feed import Feed
    from ._order_entry import OrderEntry, Protocol

Setting: TypeAlias = str | int | float | bool | Sequence["Setting"] | Mapping[str, "Setting"]

_gateways = ("binary", "fix", "ouch", "itch", "udp", "mold", "retransmit", "glimpse", "l2", "http")


# Those whose folder may be there; they and it end with Python.
_started: set[Exchange] = set()


@atexit.register
def _stop_all() -> None:
    for exchange in list(_started):
        code = exchange.stop()
        if exchange._is_ended or code == -signal.SIGKILL:  # otherwise its log says why it ended
            exchange._forget()


class ExchangeError(DamrakError):
    """The exchange did not start, or ended by itself; the message has what it said."""


class Exchange:
    """A running exchange; made by `damrak.serve`, and stopped at the end of its `with`.

    Attributes
    ----------
    ports : dict[str, int]
        The port of each open gateway, by name: binary, fix, ouch, itch, udp, http and so on.
    data : pathlib.Path
        The folder of the journal.
    """

    def __init__(
        self,
        process: subprocess.Popen[str],
        command: Sequence[str],
        configuration: dict[str, Any],
        data: Path,
        folder: Path,
        forget: Callable[[], None],
    ) -> None:
        self._process = process
        self._command = command
        self._configuration = configuration
        self._log = folder / "log"
        self._file = folder / "configuration.toml"
        self._forget = forget
        self._guard: subprocess.Popen[bytes] | None = None
        self._is_ended = False  # by us
        self._reading: threading.Thread | None = None
        self.data = data
        self.ports: dict[str, int] = {}

    def __repr__(self) -> str:
        state = f"pid {self.pid}" if self.is_running else "ended"
        return f"<damrak.Exchange {state}: {self.ports}>"

    @property
    def pid(self) -> int:
        """The id of its process."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def url(self) -> str:
        """Where its page and its HTTP interface are."""
        if "http" not in self.ports:
            raise ExchangeError("the HTTP gateway is closed: name it in gateways=")
        return f"http://127.0.0.1:{self.ports['http']}"

    @property
    def logs(self) -> str:
        """What it has written to standard error so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def connect(
        self, protocol: Protocol = "binary", *, user: str = "", password: str = ""
    ) -> OrderEntry:
        """Connects to it for orders: `damrak.connect` with its port.

        Parameters
        ----------
        protocol
            "binary", "ouch" or "fix".
        user
            OUCH: the user, FIX: the comp id; empty: ME. binary: an API key, or nothing.
        """
        from ._order_entry import connect

        return connect(
            f"127.0.0.1:{self._port(protocol)}",
            protocol,
            user=user or ("" if protocol == "binary" else "ME"),
            password=password,
            http=self.ports.get("http"),
        )

    def feed(self, *, keep: int = 100_000) -> Feed:
        """Follows its feed from the first message of the day: `damrak.follow` with its port."""
        from ._feed import follow

        return follow(port=self._port("itch"), keep=keep)

    def halt(self, symbol: str) -> None:
        """Halts an instrument: its orders are refused until `resume`. Its feed says so.

        Raises
        ------
        ExchangeError
            There is no such instrument, or the exchange refused.
        """
        self._set_halted(symbol, True)

    def resume(self, symbol: str) -> None:
        """Ends a halt."""
        self._set_halted(symbol, False)

    def _port(self, gateway: str) -> int:
        if gateway not in self.ports:
            raise ExchangeError(f"the gateway {gateway} is closed: name it in gateways=")
        return self.ports[gateway]

    def _set_halted(self, symbol: str, halted: bool) -> None:
        """By the configuration, which the exchange reads again."""
        import tomllib

        whole = subprocess.run(
            [*self._command, "--print-config"], capture_output=True, text=True, check=True
        )
        instruments = tomllib.loads(whole.stdout)["instruments"]
        if as_text("symbol", symbol) not in [one["symbol"] for one in instruments]:
            raise ExchangeError(f"the exchange has no instrument {symbol}")
        for one in instruments:
            if one["symbol"] == symbol:
                one["halted"] = halted
        self._configuration["instruments"] = instruments
        _write_configuration(self._file, self._configuration)
        said = len(self.logs)
        self._process.send_signal(signal.SIGHUP)
        while self.is_running:
            for line in self.logs[said:].splitlines():
                if line.startswith("reloaded"):
                    return
                if line.startswith("not reloaded"):
                    raise ExchangeError(line)
            time.sleep(0.005)
        raise ExchangeError(f"the exchange has ended: {_last(self._log)}")

    def stop(self, timeout: float = 60.0) -> int:
        """Ends it in an orderly way, and returns its exit code; 0: nothing was wrong.

        A process that has not ended after `timeout` seconds is killed.
        """
        as_seconds("timeout", timeout)
        if self.is_running:
            self._is_ended = True
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
        return self._wait()

    def kill(self) -> None:
        """Ends it at once, as a crash does. `serve(data=…)` with its folder recovers."""
        self._is_ended = True
        self._process.kill()
        self._wait()

    def _wait(self) -> int:
        code = self._process.wait()
        if self._guard is not None:
            self._guard.kill()
            self._guard.wait()
        if self._reading is not None:
            self._reading.join()
        if self._process.stdout is not None:
            self._process.stdout.close()
        return code

    def __enter__(self) -> Exchange:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        code = self.stop()
        _started.discard(self)
        failed = kind is not None and issubclass(kind, Exception)
        if error is not None and failed:
            error.add_note(f"the exchange's data and log are kept in {self._log.parent}")
        elif not self._is_ended or code not in (0, -signal.SIGKILL):
            if kind is None:
                raise ExchangeError(
                    f"the exchange ended by itself with exit code {code}: {_last(self._log)}; "
                    f"its data and log are kept in {self._log.parent}"
                )
        else:
            self._forget()


def _last(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"


def _toml(value: Setting) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        as_text("settings", value)
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        as_table("settings", value)
        return "{" + ", ".join(f"{_toml(key)} = {_toml(one)}" for key, one in value.items()) + "}"
    return "[" + ", ".join(_toml(one) for one in as_list("settings", value, "values")) + "]"


def _write_configuration(file: Path, configuration: Mapping[str, Setting]) -> None:
    file.write_text(
        "".join(f"{_toml(key)} = {_toml(value)}\n" for key, value in configuration.items()),
        encoding="utf-8",
    )


def serve(
    *,
    venue: str | os.PathLike[str] | None = None,
    demo: bool = False,
    instruments: Sequence[Mapping[str, Setting]] | None = None,
    settings: Mapping[str, Mapping[str, Setting] | Sequence[Mapping[str, Setting]]] | None = None,
    gateways: Sequence[str] = ("binary", "fix", "ouch", "itch", "http"),
    ports: Mapping[str, int] | None = None,
    data: str | os.PathLike[str] | None = None,
    arguments: Sequence[str] = (),
) -> Exchange:
    """Starts an exchange on free ports of 127.0.0.1, and waits until it is ready.

    >>> with damrak.serve(venue="xetra-like", demo=True) as exchange:   # doctest: +SKIP
    ...     print(exchange.ports["ouch"])

    At the end of the block it ends in an orderly way and its folder is removed; after an exception
    the folder stays, and the exception says where it is. Ctrl-C reaches Python first.
    It ends with Python, however that ends, and a temporary folder goes with it.

    Parameters
    ----------
    venue
        A ready-made venue (`damrak venue list`) or a venue file; None: continuous trading.
    demo
        Let built-in participants trade.
    instruments
        Tables `[[instruments]]` of the configuration, such as
        `[{"symbol": "AAPL", "tick": 0.01}]`, numbered from 1 where `id` is missing; None: AAPL,
        MSFT, SPY and TEST.
    settings
        Further tables of the configuration, such as `{"journal": {"durability": "sync"}}`.
    gateways
        Those that are open, at least one of binary, fix, ouch and udp; the others are closed.
    ports
        The port of a gateway by its name, such as `{"fix": 9878}`; others get a free one.
    data
        The folder of the journal, which is kept; None: a temporary one.
    arguments
        Further arguments of `damrak serve`.

    Raises
    ------
    ExchangeError
        It did not start; the message is the last line that it wrote.
    ValueError
        A gateway has a name that there is not.
    """
    gateways = as_list("gateways", gateways, "names of gateways")
    further = [as_text("arguments", one) for one in as_list("arguments", arguments, "texts")]
    fixed = {
        name: as_whole(f"ports[{name!r}]", port, 0, 65_535)
        for name, port in as_table("ports", ports or {}).items()
    }
    for name in (*gateways, *fixed):
        as_choice("gateway", name, _gateways)
    demo = as_flag("demo", demo)
    tables = [
        as_table("instruments", one)
        for one in as_list("instruments", instruments or (), "tables of the configuration")
    ]
    if venue is not None:
        venue = as_path("venue", venue)
    if data is not None:
        data = as_path("data", data)
    configuration: dict[str, Any] = as_table("settings", settings or {})
    if instruments is not None:
        configuration["instruments"] = [{"id": id_, **one} for id_, one in enumerate(tables, 1)]
    with contextlib.ExitStack() as undo:  # if it does not start
        folder = Path(tempfile.mkdtemp(prefix="damrak-exchange-"))
        undo.callback(shutil.rmtree, folder, ignore_errors=True)
        log = folder / "log"
        file = folder / "configuration.toml"
        kept = folder / "data" if data is None else Path(data)
        command = [program(), "serve", "--json", "--data", str(kept), "--only", ",".join(gateways)]
        for name in gateways:
            command += [f"--{name}-port", str(fixed.get(name, 0))]
        if venue is not None:
            command += ["--venue", venue]
        if demo:
            command.append("--demo-market")
        _write_configuration(file, configuration)
        command += ["--config", str(file), *further]
        with log.open("w", encoding="utf-8") as errors:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,  # Ctrl-C is for Python, which then ends it
            )
        exchange = Exchange(
            process,
            command,
            configuration,
            kept,
            folder,
            lambda: shutil.rmtree(folder, ignore_errors=True),
        )
        undo.callback(exchange.kill)
        exchange._guard = _guard_of(process.pid, folder)
        exchange.ports = _ports_of(process, log)
        # What it says later is for nobody, and must not fill the pipe.
        assert process.stdout is not None
        exchange._reading = threading.Thread(target=process.stdout.read, daemon=True)
        exchange._reading.start()
        undo.pop_all()
    _started.add(exchange)
    return exchange


def _guard_of(pid: int, folder: Path) -> subprocess.Popen[bytes]:
    """Ends the exchange and removes its folder once Python is no more, however it ended.

    Only Python has the other end of the guard's input: it closes when Python is gone.
    """
    waits = """
        is_there() { grep -qsF -- "$2" "/proc/$1/cmdline"; }
        read -r _
        is_there "$@" && kill -TERM "$1"
        while is_there "$@"; do sleep 0.1; done
        rm -rf -- "$2"
    """
    return subprocess.Popen(
        ["sh", "-c", waits, "sh", str(pid), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _ports_of(process: subprocess.Popen[str], log: Path) -> dict[str, int]:
    assert process.stdout is not None
    for line in process.stdout:
        with contextlib.suppress(ValueError):
            ready = json.loads(line)
            if ready.get("ready") is True:
                return {name: int(port) for name, port in ready["ports"].items()}
    code = process.wait()
    raise ExchangeError(f"the exchange did not start (exit code {code}): {_last(log)}")
