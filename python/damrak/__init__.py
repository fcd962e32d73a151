"""Damrak: an exchange on a laptop, and a laboratory for market microstructure.

>>> import damrak
>>> day = damrak.open("AAPL_2012-06-21_34200000_57600000_message_1.csv")    # doctest: +SKIP
>>> day.bbo("AAPL").to_polars()                                             # doctest: +SKIP

`open` reads a recorded day and `Day` gives its tables, books and orders; `serve` starts an
exchange, `connect` enters orders at one, and `follow` receives its feed. `Market` is a market in
virtual time, in which a `Participant` of your own trades; `sweep` makes many runs of it, `compare`
tests two markets for differences.
"""

import atexit as _atexit

from ._processor import check_processor as _check_processor

_check_processor()

TYPE_CHECKING = False  # as of the module typing, whose import takes longer than the rest
if TYPE_CHECKING:
    from . import participants as participants
    from ._backtest import Backtest, backtest
    from ._commands import (
        BustTrade,
        Cancel,
        Command,
        CorrectTrade,
        EndDay,
        Halt,
        Instrument,
        Limit,
        MarketOrder,
        MassCancel,
        Order,
        Pegged,
        Query,
        Quote,
        Replace,
        Resume,
        SetAllocation,
        SetCombination,
        SetLeadMaker,
        SetLimits,
        SetParticipantState,
        SetPhase,
        SetPriceBand,
        SetPriceLimits,
        SetQuoteProtection,
        Stop,
        StopLimit,
        Uncross,
    )
    from ._comparison import Comparison, Difference, compare
    from ._connection import ConnectionLost
    from ._core import (
        DamrakError,
        DayError,
        Fill,
        IncompleteError,
        InUseError,
        MarketAccess,
        MarketTrades,
        OrderError,
        SentOrder,
        version,
    )
    from ._core import end_calls as _end_calls
    from ._core import is_main_interpreter as _is_main_interpreter
    from ._day import Day
    from ._engine import Engine, EngineBook, OrderFlag, order_dtype, venues
    from ._events import (
        Accepted,
        Cancelled,
        Counted,
        Event,
        Events,
        Executed,
        Expired,
        OrderEvent,
        OrderStatus,
        ParticipantStateChanged,
        PhaseChanged,
        Refreshed,
        Rejected,
        Replaced,
        Rested,
        RuleSet,
        TradeBusted,
        TradeCorrected,
        TradingStateChanged,
        Triggered,
        Uncrossed,
    )
    from ._exchange import Exchange, ExchangeError, serve
    from ._feed import Feed, FeedMessage, FeedTrade, follow
    from ._laboratory import (
        Calibration,
        Check,
        Estimate,
        Finding,
        ModelEstimate,
        StylisedFact,
        Validation,
        calibrate,
        validate,
    )
    from ._market import Market, markets
    from ._open import convert
    from ._open import open as open
    from ._order_entry import News, OrderEntry, OwnOrder, connect
    from ._orders import Book, Level, OrderLife, OrderStep, QueuedOrder
    from ._parquet import write_parquet
    from ._participant import Participant
    from ._run import ParticipantResult, Run
    from ._sweep import Sweep, sweep
    from ._table import Column, Table
else:
    from ._core import DamrakError, DayError, IncompleteError, InUseError, OrderError, version
    from ._core import end_calls as _end_calls
    from ._core import is_main_interpreter as _is_main_interpreter

# Not `open`, by which `from damrak import *` would replace the built-in one.
__all__ = [
    "Accepted",
    "Backtest",
    "Book",
    "BustTrade",
    "Calibration",
    "Cancel",
    "Cancelled",
    "Check",
    "Column",
    "Command",
    "Comparison",
    "ConnectionLost",
    "CorrectTrade",
    "Counted",
    "DamrakError",
    "Day",
    "DayError",
    "Difference",
    "EndDay",
    "Engine",
    "EngineBook",
    "Estimate",
    "Event",
    "Events",
    "Exchange",
    "ExchangeError",
    "Executed",
    "Expired",
    "Feed",
    "FeedMessage",
    "FeedTrade",
    "Fill",
    "Finding",
    "Halt",
    "InUseError",
    "IncompleteError",
    "Instrument",
    "Level",
    "Limit",
    "Market",
    "MarketAccess",
    "MarketOrder",
    "MarketTrades",
    "MassCancel",
    "ModelEstimate",
    "News",
    "Order",
    "OrderEntry",
    "OrderError",
    "OrderEvent",
    "OrderFlag",
    "OrderLife",
    "OrderStatus",
    "OrderStep",
    "OwnOrder",
    "Participant",
    "ParticipantResult",
    "ParticipantStateChanged",
    "Pegged",
    "PhaseChanged",
    "Query",
    "QueuedOrder",
    "Quote",
    "Refreshed",
    "Rejected",
    "Replace",
    "Replaced",
    "Rested",
    "Resume",
    "RuleSet",
    "Run",
    "SentOrder",
    "SetAllocation",
    "SetCombination",
    "SetLeadMaker",
    "SetLimits",
    "SetParticipantState",
    "SetPhase",
    "SetPriceBand",
    "SetPriceLimits",
    "SetQuoteProtection",
    "Stop",
    "StopLimit",
    "StylisedFact",
    "Sweep",
    "Table",
    "TradeBusted",
    "TradeCorrected",
    "TradingStateChanged",
    "Triggered",
    "Uncross",
    "Uncrossed",
    "Validation",
    "__version__",
    "backtest",
    "build_info",
    "calibrate",
    "compare",
    "connect",
    "convert",
    "follow",
    "markets",
    "order_dtype",
    "program",
    "serve",
    "sweep",
    "validate",
    "venues",
    "write_parquet",
]

if not _is_main_interpreter():
    raise ImportError("damrak does not support sub-interpreters: import it in the main one")
_atexit.register(_end_calls)

__version__: str = version()

# The rest is imported when it is used.
_room_of = {
    "Accepted": "_events",
    "Backtest": "_backtest",
    "Book": "_orders",
    "BustTrade": "_commands",
    "Cancel": "_commands",
    "Cancelled": "_events",
    "Column": "_table",
    "Command": "_commands",
    "CorrectTrade": "_commands",
    "Counted": "_events",
    "Day": "_day",
    "EndDay": "_commands",
    "Engine": "_engine",
    "EngineBook": "_engine",
    "Event": "_events",
    "Events": "_events",
    "Exchange": "_exchange",
    "ExchangeError": "_exchange",
    "Executed": "_events",
    "Expired": "_events",
    "Halt": "_commands",
    "Instrument": "_commands",
    "Level": "_orders",
    "Limit": "_commands",
    "Market": "_market",
    "MarketAccess": "_core",
    "MarketOrder": "_commands",
    "MarketTrades": "_core",
    "MassCancel": "_commands",
    "Order": "_commands",
    "OrderEvent": "_events",
    "OrderFlag": "_engine",
    "OrderLife": "_orders",
    "OrderStatus": "_events",
    "OrderStep": "_orders",
    "ParticipantStateChanged": "_events",
    "Pegged": "_commands",
    "PhaseChanged": "_events",
    "Query": "_commands",
    "QueuedOrder": "_orders",
    "Quote": "_commands",
    "Refreshed": "_events",
    "Rejected": "_events",
    "Replace": "_commands",
    "Replaced": "_events",
    "Rested": "_events",
    "Resume": "_commands",
    "RuleSet": "_events",
    "SetAllocation": "_commands",
    "SetCombination": "_commands",
    "SetLeadMaker": "_commands",
    "SetLimits": "_commands",
    "SetParticipantState": "_commands",
    "SetPhase": "_commands",
    "SetPriceBand": "_commands",
    "SetPriceLimits": "_commands",
    "SetQuoteProtection": "_commands",
    "Stop": "_commands",
    "StopLimit": "_commands",
    "Table": "_table",
    "TradeBusted": "_events",
    "TradeCorrected": "_events",
    "TradingStateChanged": "_events",
    "Triggered": "_events",
    "Uncross": "_commands",
    "Uncrossed": "_events",
    "ConnectionLost": "_connection",
    "Feed": "_feed",
    "FeedMessage": "_feed",
    "FeedTrade": "_feed",
    "Fill": "_core",
    "News": "_order_entry",
    "OrderEntry": "_order_entry",
    "OwnOrder": "_order_entry",
    "Participant": "_participant",
    "ParticipantResult": "_run",
    "Run": "_run",
    "SentOrder": "_core",
    "backtest": "_backtest",
    "connect": "_order_entry",
    "follow": "_feed",
    "markets": "_market",
    "convert": "_open",
    "open": "_open",
    "order_dtype": "_engine",
    "serve": "_exchange",
    "venues": "_engine",
    "write_parquet": "_parquet",
    "Calibration": "_laboratory",
    "Check": "_laboratory",
    "Comparison": "_comparison",
    "Difference": "_comparison",
    "Estimate": "_laboratory",
    "Finding": "_laboratory",
    "ModelEstimate": "_laboratory",
    "StylisedFact": "_laboratory",
    "Sweep": "_sweep",
    "Validation": "_laboratory",
    "calibrate": "_laboratory",
    "compare": "_comparison",
    "sweep": "_sweep",
    "validate": "_laboratory",
}


def __getattr__(name: str) -> object:
    import importlib

    if name == "participants":
        return importlib.import_module("damrak.participants")
    if name not in _room_of:
        raise AttributeError(f"module 'damrak' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"{__name__}.{_room_of[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "open"])


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
