"""Makes the runs of a sweep: the part that is the same on every machine, and local processes."""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import signal
import time
import traceback
from collections import deque
from collections.abc import Generator, Sequence
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING

from ._core import DamrakError, version
from ._sweep_rows import Measures, Row, Rows, Task, row_of

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

    from ._market import Market


def run(task: Task) -> tuple[Row, Measures]:
    """A run and what is measured of it; one that fails is a row with its error.

    Raises
    ------
    DamrakError
        This process cannot make runs of this sweep at all.
    """
    market = _market_of(task)
    began = time.thread_time()
    result = None
    try:
        result = market.measured(task.duration, task.seed)
        error = "; ".join(result["faults"]) or "it ended early"
    except (Exception, SystemExit) as raised:
        error = "".join(traceback.format_exception_only(raised)).strip()
    seconds = time.thread_time() - began
    if result is None or not result["complete"]:
        return row_of(task, seconds=seconds, error=error), {}
    measures, values = {}, {}
    for instrument, group, measure, unit, value in result["measured"]:
        name = "/".join(filter(None, (instrument, group, measure)))
        measures[name] = (instrument, group, measure, unit)
        values[name] = value
    row = row_of(task, hash=f"{result['hash']:016x}", measures=values, seconds=seconds)
    return row, measures


def _market_of(task: Task) -> Market:
    if task.version != version():
        raise DamrakError(f"a worker has damrak {version()}, and the sweep is of {task.version}")
    try:
        market: Market = pickle.loads(task.market)
    except Exception as error:
        raise DamrakError(
            f"a worker cannot load the participants: {error}. Define them in a module that it can "
            "import"
        ) from error
    return market


class _Worker:
    def __init__(self, context: BaseContext, rows: Rows) -> None:
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(  # type: ignore[attr-defined]
            target=_serve, args=(theirs, str(rows.folder)), daemon=True
        )
        self.process.start()
        theirs.close()

    def end(self) -> str:
        """Says how it ended, if that was not here."""
        self.process.kill()
        self.process.join()
        self.pipe.close()
        code: int = self.process.exitcode
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with status {code}"
        return f"the process of the run was ended {how}"


def _serve(pipe: Connection, folder: str) -> None:
    """Makes the runs that it is sent, until nobody is there to send any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the sweep, which ends this
    parent = multiprocessing.parent_process()
    assert parent is not None
    rows = Rows(folder)
    while pipe in wait([pipe, parent.sentinel]):
        try:
            task: Task = pipe.recv()
        except EOFError:
            return
        problem = ""
        try:
            rows.append(*run(task))
        except DamrakError as error:
            problem = str(error)
        with contextlib.suppress(BrokenPipeError):
            pipe.send(problem)


def run_here(
    tasks: Sequence[Task], rows: Rows, workers: int, retries: int
) -> Generator[None, None, None]:
    """Makes the runs in processes of this machine; yields when one has its row."""
    context = multiprocessing.get_context()
    waiting = deque((task, 0) for task in tasks)
    made: list[_Worker] = []
    idle: list[_Worker] = []
    busy: dict[Connection, tuple[_Worker, Task, int]] = {}
    try:
        while waiting or busy:
            while waiting and len(busy) < workers:
                if not idle:
                    idle.append(_Worker(context, rows))
                    made.append(idle[-1])
                worker = idle.pop()
                task, lost = waiting.popleft()
                busy[worker.pipe] = worker, task, lost
                with contextlib.suppress(BrokenPipeError):  # it is gone, which is seen below
                    worker.pipe.send(task)
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                worker, task, lost = busy.pop(pipe)
                try:
                    problem = pipe.recv()
                except (EOFError, ConnectionResetError):
                    error = worker.end()
                    if task.seed not in rows.done(task.cell):
                        if lost < retries:
                            waiting.appendleft((task, lost + 1))
                            continue
                        rows.append(row_of(task, error=error))
                else:
                    idle.append(worker)
                    if problem:
                        raise DamrakError(problem)
                yield
    finally:
        for worker in made:
            worker.end()
