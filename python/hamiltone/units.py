"""Quantities: numbers in SI units, or texts with a unit."""

from __future__ import annotations

from typing import Any

from . import _hamiltone


def quantity(value: Any, unit: str | None = None) -> Any:
    """The value in SI units of a text such as ``"44.1 kHz"``, which must be a quantity in this unit; anything else is returned.

    >>> quantity("44.1 kHz", "Hz"), quantity(48000, "Hz"), quantity("20 ms", "s")
    (44100.0, 48000, 0.02)
    """
    return _hamiltone.quantity(value, unit) if isinstance(value, str) else value
