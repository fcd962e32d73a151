"""Damrak: an exchange on a laptop, and a laboratory for market microstructure.

>>> import damrak
>>> day = damrak.open("AAPL_2012-06-21_34200000_57600000_message_1.csv")    # doctest: +SKIP
>>> day.bbo("AAPL").to_polars()                                             # doctest: +SKIP

`open` reads a recorded day and `Day` gives its tables, books and orders; `serve` starts an exchange.
"""

import os as _os
import sys as _sys
from typing import TYPE_CHECKING

from ._processor import check_processor as _check_processor

_check_processor()

from ._core import DamrakError, DayError, IncompleteError, __version__  # noqa: E402
from ._day import Day, convert, open  # noqa: A004, E402
from ._orders import Book, Level, OrderLife, OrderStep, QueuedOrder  # noqa: E402
from ._table import Column, Table  # noqa: E402

if TYPE_CHECKING:
    from ._exchange import Exchange, ExchangeError, serve
    from ._parquet import write_parquet

__all__ = [
    "Book",
    "Column",
    "DamrakError",
    "Day",
    "DayError",
    "Exchange",
    "ExchangeError",
    "IncompleteError",
    "Level",
    "OrderLife",
    "OrderStep",
    "QueuedOrder",
    "Table",
    "__version__",
    "build_info",
    "convert",
    "open",
    "program",
    "serve",
    "write_parquet",
]

# What the first line of a script does not need is imported when it is used.
_later = {
    "Exchange": "_exchange",
    "ExchangeError": "_exchange",
    "serve": "_exchange",
    "write_parquet": "_parquet",
}


def __getattr__(name: str) -> object:
    if name in _later:
        import importlib

        return getattr(importlib.import_module(f"{__name__}.{_later[name]}"), name)
    raise AttributeError(f"module 'damrak' has no attribute '{name}'")


def program() -> str:
    """The path of the program `damrak`.

    That of the package, or of the environment variable DAMRAK_PROGRAM if it is set. Start it itself
    rather than the command `damrak`, which is a Python script that starts it.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    """
    path = _os.environ.get("DAMRAK_PROGRAM") or _os.path.join(
        _os.path.dirname(__file__), "bin", "damrak"
    )
    if not _os.path.exists(path):
        raise FileNotFoundError(f"{path}: there is no program damrak")
    return path


def build_info() -> dict[str, str]:
    """Versions of the package and of the libraries that it carries, by name."""
    from ._core import library_versions

    return {"damrak": __version__, "python": _sys.version.split()[0], **library_versions()}
