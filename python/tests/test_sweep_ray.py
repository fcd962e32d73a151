"""Sweeps on a Ray cluster: the same rows, also when a process or a machine is lost."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_sweep import busy, swept

import damrak

ray = pytest.importorskip("ray")
clusters = pytest.importorskip("ray.cluster_utils")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two nodes of a core each: that of the tests, and one that can be lost."""
    # Where workers import the classes of the tests from.
    tests = str(Path(__file__).parent)
    os.environ["PYTHONPATH"] = os.pathsep.join([tests, os.environ.get("PYTHONPATH", "")])
    head = {"num_cpus": 1, "include_dashboard": False}
    one = clusters.Cluster(initialize_head=True, head_node_args=head)
    node = one.add_node(num_cpus=1)
    ray.init(address=one.address, log_to_driver=False)
    yield one, node
    ray.shutdown()
    one.shutdown()


def without_places(result: damrak.Sweep) -> list[dict[str, Any]]:
    return [{**row, "seconds": 0, "machine": ""} for row in result.rows()]


def test_the_rows_are_those_of_local_processes(cluster: Any, tmp_path: Path) -> None:
    grid = {"Maker.skew": [0.0, 0.01], "makers.count": [1, 3]}
    here = swept(busy(), grid, tmp_path / "here")
    there = swept(busy(), grid, tmp_path / "there", executor="ray")
    assert without_places(there) == without_places(here) and there.failed == []
    files = list((tmp_path / "there").rglob("*.jsonl"))
    assert {path.stem.rsplit("-", 2)[1] for path in files} == {str(os.getpid())}
    swept(busy(), grid, tmp_path / "here", executor="ray")
    assert len(list((tmp_path / "here").rglob("*.jsonl"))) <= 8, "what is there is not run again"


def test_a_killed_process_loses_nothing_and_a_failed_run_is_a_row(
    cluster: Any, tmp_path: Path
) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    once = busy(fault="once", marks=str(marks))
    assert swept(once, {}, tmp_path / "rows", executor="ray").failed == []
    failing = busy()
    grid = {"Maker.fault": ["raise", "always"]}
    result = swept(failing, grid, tmp_path / "rows", seeds=[1], retries=1, executor="ray")
    raised, lost = result.failed
    assert raised["error"].startswith("ZeroDivisionError: no reason")
    assert lost["error"].startswith("lost: ")


def test_another_version_ends_the_sweep(cluster: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("damrak._sweep.version", lambda: "0.0.1")
    with pytest.raises(damrak.DamrakError, match=r"a worker has damrak .*the sweep is of 0\.0\.1"):
        swept(busy(), {}, tmp_path, executor="ray")


def test_a_lost_machine_loses_nothing(cluster: Any, tmp_path: Path) -> None:
    both, node = cluster

    def lose() -> None:
        while len(damrak.Sweep(tmp_path).rows()) < 4:
            time.sleep(0.01)
        both.remove_node(node, allow_graceful=False)

    losing = threading.Thread(target=lose)
    losing.start()
    result = swept(busy(), {}, tmp_path, seeds=range(1, 61), duration="5s", executor="ray")
    losing.join()
    assert [row["seed"] for row in result.rows()] == list(range(1, 61)) and result.failed == []
