"""Fixtures for tests against a real exchange; pytest finds them when damrak is installed.

`damrak_exchange` is an exchange for one test; the marker
`@pytest.mark.damrak(venue="xetra-like", settings={…})` says how it is started, with the parameters
of `damrak.serve`. `damrak_exchange_factory` starts any number with such parameters.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from ._exchange import Exchange


class ExchangeFactory(Protocol):
    def __call__(self, **parameters: Any) -> Exchange: ...


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "damrak(**parameters): parameters of damrak.serve for damrak_exchange"
    )


@pytest.fixture
def damrak_exchange_factory() -> Iterator[ExchangeFactory]:
    """Starts exchanges that end with the test."""
    from ._exchange import serve

    with contextlib.ExitStack() as started:
        yield lambda **parameters: started.enter_context(serve(**parameters))


@pytest.fixture
def damrak_exchange(
    request: pytest.FixtureRequest, damrak_exchange_factory: ExchangeFactory
) -> Exchange:
    """An exchange for one test, as the marker `damrak` says."""
    marker = request.node.get_closest_marker("damrak")
    return damrak_exchange_factory(**(marker.kwargs if marker else {}))
