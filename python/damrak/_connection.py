"""What connections to a running exchange have in common."""

from __future__ import annotations

from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from ._core import DamrakError


class ConnectionLost(DamrakError):
    """There is no connection to the exchange, and none will come; the message says why."""


class _KeptUp(Protocol):
    """A thread of the library that connects again after a loss."""

    @property
    def trouble(self) -> str: ...


_Kept = TypeVar("_Kept", bound=_KeptUp)


class Connection(Generic[_Kept]):
    """Ends with its `with` block."""

    def __init__(self, connection: _Kept, where: str) -> None:
        self._connection = connection
        self._where = where

    @property
    def trouble(self) -> str:
        """Why there is no connection; empty while there is one."""
        return self._connection.trouble

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
