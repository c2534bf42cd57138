"""A line that tells how far a long call is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

SHOWN_AFTER = 2.0
"""Seconds until a line is shown."""


@contextmanager
def bar(progress: bool | Callable[[int, int], Any] | None, what: str = "steps") -> Iterator[Callable[[int, int], Any] | None]:
    """A function of what is done and what there is to do: the caller's own, one that writes a line, or none."""
    if callable(progress):
        yield progress
        return
    if progress is False or (progress is None and not sys.stderr.isatty()):
        yield None
        return
    begin, shown = time.monotonic(), False

    def tell(done: int, all_: int) -> None:
        nonlocal shown
        spent = time.monotonic() - begin
        if spent < SHOWN_AFTER or not done:
            return
        shown = True
        left = spent * (all_ - done) / done
        sys.stderr.write(f"\r{100 * done / all_:5.1f} % of {all_} {what}, {left:.0f} s left ")
        sys.stderr.flush()

    try:
        yield tell
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
