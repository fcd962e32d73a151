"""Makes the runs of a sweep on a Ray cluster."""

from __future__ import annotations

import importlib
import pickle
from collections.abc import Generator, Sequence
from typing import Any

from ._core import DamrakError
from ._sweep_rows import Measures, Row, Rows, Task, row_of
from ._sweep_worker import run


def _run(task: Task) -> tuple[Row, Measures] | str:
    """An error of the whole sweep is a text, as Ray would wrap an exception."""
    try:
        return run(task)
    except DamrakError as error:
        return str(error)


def run_on_ray(
    tasks: Sequence[Task], rows: Rows, address: str | None, workers: int | None, retries: int
) -> Generator[None, None, None]:
    """Yields when a run has its row, which is written here: a lost machine has none.

    Ray makes the runs of lost machines and processes again, elsewhere.
    """
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise DamrakError("executor='ray' needs Ray: pip install 'damrak[ray]'") from None
    began = not ray.is_initialized()
    if began:
        ray.init(address=address, log_to_driver=False, include_dashboard=False)
    remote = ray.remote(num_cpus=1, max_retries=retries)(_run)
    most = workers or max(1, 2 * int(ray.cluster_resources().get("CPU", 1)))
    waiting = iter(tasks)
    pickled: dict[str, bytes] = {}
    running: dict[Any, Task] = {}
    try:
        while True:
            for task in waiting:
                # What a script or a notebook defines goes along, which is not in a module there.
                if task.cell not in pickled:
                    pickled[task.cell] = ray.cloudpickle.dumps(pickle.loads(task.market))
                running[remote.remote(task._replace(market=pickled[task.cell]))] = task
                if len(running) >= most:
                    break
            if not running:
                return
            (done,), _ = ray.wait(list(running), num_returns=1)
            task = running.pop(done)
            try:
                answer = ray.get(done)
            except ray.exceptions.RayError as error:
                answer = row_of(task, error=f"lost: {error}"), {}
            if isinstance(answer, str):
                raise DamrakError(answer)
            rows.append(*answer)
            yield
    finally:
        for one in running:
            ray.cancel(one, force=True)
        if began:
            ray.shutdown()
