"""Damrak: an exchange on a laptop, and a laboratory for market microstructure.

>>> import damrak
>>> day = damrak.open("AAPL_2012-06-21_34200000_57600000_message_1.csv")    # doctest: +SKIP
>>> day.bbo("AAPL").to_polars()                                             # doctest: +SKIP

`open` reads a recorded day and `Day` gives its tables, books and orders; `serve` starts an
exchange.
"""

from ._processor import check_processor as _check_processor

_check_processor()

TYPE_CHECKING = False  # as of the module typing, whose import takes longer than the rest
if TYPE_CHECKING:
    from ._core import DamrakError, DayError, IncompleteError, version
    from ._day import Day, convert, open
    from ._exchange import Exchange, ExchangeError, serve
    from ._orders import Book, Level, OrderLife, OrderStep, QueuedOrder
    from ._parquet import write_parquet
    from ._table import Column, Table
else:
    from ._core import DamrakError, DayError, IncompleteError, version

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

__version__: str = version()

# The rest is imported when it is used.
_room_of = {
    "Book": "_orders",
    "Column": "_table",
    "Day": "_day",
    "Exchange": "_exchange",
    "ExchangeError": "_exchange",
    "Level": "_orders",
    "OrderLife": "_orders",
    "OrderStep": "_orders",
    "QueuedOrder": "_orders",
    "Table": "_table",
    "convert": "_day",
    "open": "_day",
    "serve": "_exchange",
    "write_parquet": "_parquet",
}


def __getattr__(name: str) -> object:
    if name not in _room_of:
        raise AttributeError(f"module 'damrak' has no attribute '{name}'")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{_room_of[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def program() -> str:
    """The path of the program `damrak`.

    That of the package, or of the environment variable DAMRAK_PROGRAM if it is set. Start it itself
    rather than the command `damrak`, which is a Python script that starts it.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    """
    import os

    path = os.environ.get("DAMRAK_PROGRAM") or os.path.join(
        os.path.dirname(__file__), "bin", "damrak"
    )
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: there is no program damrak")
    return path


def build_info() -> dict[str, str]:
    """Versions of the package and of the libraries that it carries, by name."""
    import sys

    from ._core import library_versions

    return {"damrak": __version__, "python": sys.version.split()[0], **library_versions()}
