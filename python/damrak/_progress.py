"""Progress of long calls, by tqdm where it is installed."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress_of(
    what: str, show: bool | None, total: int | None = None, unit: str = " messages"
) -> Iterator[Callable[[int], None] | None]:
    """A function to be called with the count done so far.

    `show=None` shows a bar if tqdm is installed and standard error is a terminal.
    """
    if show is False or (show is None and not (sys.stderr and sys.stderr.isatty())):
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(desc=what, total=total, unit=unit, unit_scale=True, leave=False) as bar:

        def tell(done: int) -> None:
            bar.update(done - bar.n)

        yield tell
