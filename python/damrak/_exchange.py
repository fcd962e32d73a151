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
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

from . import program
from ._core import DamrakError

Setting: TypeAlias = str | int | float | bool | Sequence["Setting"] | Mapping[str, "Setting"]

_gateways = ("binary", "fix", "ouch", "itch", "udp", "mold", "retransmit", "glimpse", "l2", "http")


# Those that run; they end with Python.
_started: weakref.WeakSet[Exchange] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    for exchange in list(_started):
        if exchange.is_running:
            exchange.stop()
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
        self, process: subprocess.Popen[str], data: Path, log: Path, forget: Callable[[], None]
    ) -> None:
        self._process = process
        self._log = log
        self._forget = forget
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

    def stop(self, timeout: float = 60.0) -> int:
        """Ends it in an orderly way, and returns its exit code; 0: nothing was wrong.

        A process that has not ended after `timeout` seconds is killed.
        """
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
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(one)}" for key, one in value.items()) + "}"
    return "[" + ", ".join(_toml(one) for one in value) + "]"


def serve(
    *,
    venue: str | os.PathLike[str] | None = None,
    demo: bool = False,
    instruments: Sequence[Mapping[str, Setting]] | None = None,
    settings: Mapping[str, Mapping[str, Setting] | Sequence[Mapping[str, Setting]]] | None = None,
    gateways: Sequence[str] = ("binary", "fix", "ouch", "itch", "http"),
    data: str | os.PathLike[str] | None = None,
    arguments: Sequence[str] = (),
) -> Exchange:
    """Starts an exchange on free ports of 127.0.0.1, and waits until it is ready.

    >>> with damrak.serve(venue="xetra-like", demo=True) as exchange:   # doctest: +SKIP
    ...     print(exchange.ports["ouch"])

    At the end of the block it ends in an orderly way and its folder is removed; after an exception
    the folder stays, and the exception says where it is. Ctrl-C reaches Python first.

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
    if isinstance(gateways, str) or isinstance(arguments, str):
        raise TypeError("gateways= and arguments= are lists")
    for name in gateways:
        if name not in _gateways:
            raise ValueError(f"there is no gateway {name!r}: there are {', '.join(_gateways)}")
    with contextlib.ExitStack() as undo:  # if it does not start
        folder = Path(tempfile.mkdtemp(prefix="damrak-exchange-"))
        undo.callback(shutil.rmtree, folder, ignore_errors=True)
        log = folder / "log"
        kept = folder / "data" if data is None else Path(data)
        command = [program(), "serve", "--json", "--data", str(kept), "--only", ",".join(gateways)]
        for name in gateways:
            command += [f"--{name}-port", "0"]
        if venue is not None:
            command += ["--venue", os.fspath(venue)]
        if demo:
            command.append("--demo-market")
        configuration = dict(settings or {})
        if instruments is not None:
            configuration["instruments"] = [
                {"id": number, **one} for number, one in enumerate(instruments, 1)
            ]
        if configuration:
            file = folder / "configuration.toml"
            file.write_text(
                "".join(f"{_toml(key)} = {_toml(value)}\n" for key, value in configuration.items()),
                encoding="utf-8",
            )
            command += ["--config", str(file)]
        with log.open("w", encoding="utf-8") as errors:
            process = subprocess.Popen(
                [*command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,  # Ctrl-C is for Python, which then ends it
            )
        exchange = Exchange(process, kept, log, lambda: shutil.rmtree(folder, ignore_errors=True))
        undo.callback(exchange.kill)
        exchange.ports = _ports_of(process, log)
        # What it says later is for nobody, and must not fill the pipe.
        assert process.stdout is not None
        exchange._reading = threading.Thread(target=process.stdout.read, daemon=True)
        exchange._reading.start()
        undo.pop_all()
    _started.add(exchange)
    return exchange


def _ports_of(process: subprocess.Popen[str], log: Path) -> dict[str, int]:
    assert process.stdout is not None
    for line in process.stdout:
        with contextlib.suppress(ValueError):
            ready = json.loads(line)
            if ready.get("ready") is True:
                return {name: int(port) for name, port in ready["ports"].items()}
    code = process.wait()
    raise ExchangeError(f"the exchange did not start (exit code {code}): {_last(log)}")
