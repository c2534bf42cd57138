"""Targets of a fit: files, sounds and lists, as frequency, decay time and level of partials.

A partial sounds where it stands out of its surroundings, which are the noise of a recording, and is at most 60 dB below the strongest, at the
beginning of the sound at least. One that does not is NaN, and no part of a target.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _hamiltone

Target = str | os.PathLike[str] | tuple[np.ndarray, float] | Mapping[str, Sequence[float]]

FEATURES = ("frequency", "t60", "level")
"""What a partial of a target has: Hz, s, dB."""
RIFF = (b"RIFF", b"RIFX", b"RF64")
"""What a WAV file begins with."""
HEADER = 44
"""The shortest header of a WAV file, bytes: those of the file and of its two chunks, 12 + 8 + 8, and a format of 16."""


def read(target: Target) -> Mapping[str, Any] | tuple[np.ndarray, float]:
    """A target whose files are read: partials as they were given, or the samples of a sound, its channels added up, and its rate (Hz).

    Files are WAV, or JSON by their name; ValueError says which one cannot be read and why, OSError where there is none.
    """
    if isinstance(target, Mapping):
        return target
    if isinstance(target, tuple):
        sound, rate = target
        return _checked(sound, rate, "the sound of the target")
    path = Path(target)
    if path.exists() and not path.is_file():
        raise ValueError(f"`{path}` is no regular file; a target is a WAV file, or a JSON file with frequency, t60 and level")
    if path.suffix == ".json":
        return _json(path)
    rate, sound = _wav(path)
    return _checked(sound, rate, f"`{path}`")


def columns(target: Mapping[str, Any]) -> list[np.ndarray]:
    """Frequencies, decay times and levels of partials that are given; NaN of what does not matter."""
    unknown = set(target) - set(FEATURES)
    if unknown or not target:
        raise ValueError(f"a target has frequency, t60 and level; this one has {', '.join(map(str, target)) or 'nothing'}")
    found = [_numbers(name, target.get(name, ())) for name in FEATURES]
    if not any(np.isfinite(column).any() for column in found):
        raise ValueError("the target has no number; give frequency (Hz), t60 (s) or level (dB) of a partial")
    return found


def measured(sound: np.ndarray, rate: float, expected: list[float]) -> np.ndarray:
    """Frequency, T60 and level of the partials of a sound near those that are expected, and how far noise may have moved the frequency, Hz; NaN of
    what does not sound or cannot be measured."""
    rows = _hamiltone.partials(sound, rate, expected)
    return np.array([[np.nan if x is None else x for x in row] for row in rows]).reshape(-1, len(FEATURES) + 1)


def alignment(sound: np.ndarray, rate: float, expected: list[float]) -> float:
    """By which factor the partials that are expected must be moved to lie on peaks of a sound: the largest sum of levels."""
    n = min(len(sound), 1 << 17)
    spectrum = np.abs(np.fft.rfft(sound[:n] * np.hanning(n)))
    level = np.log(spectrum + 1e-6 * spectrum.max())
    # Each bin has the highest level within 0.3 %, so that a partial may be off.
    ratios = np.exp(np.linspace(np.log(0.5), np.log(2.0), 2801))
    best = np.full(len(ratios), 0.0)
    for f in expected:
        for off in np.linspace(0.997, 1.003, 7):
            bins = ratios * f * off * n / rate
            here = np.where(bins < len(level) - 1, level[np.minimum(bins.round().astype(int), len(level) - 1)], level.min())
            top = here if off == 0.997 else np.maximum(top, here)
        best += top
    return float(ratios[np.argmax(best)])


def _json(path: Path) -> Mapping[str, Any]:
    try:
        target = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"`{path}` is not JSON: {error}") from error
    if not isinstance(target, dict):
        raise ValueError(f"`{path}`: a target in JSON is an object with frequency, t60 and level, any of them")
    try:
        columns(target)
    except ValueError as error:
        raise ValueError(f"`{path}`: {error}") from error
    return target


def _numbers(name: str, values: Any) -> np.ndarray:
    if isinstance(values, (str, Mapping)) or not hasattr(values, "__iter__"):
        raise ValueError(f"{name} of a target is a list of numbers, not {values!r}")
    try:
        column = np.array([np.nan if value is None else float(value) for value in values])
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} of a target is a list of numbers, null for what does not matter: {error}") from error
    if np.isinf(column).any() or (name != "level" and (column <= 0).any()):
        least = "" if name == "level" else " above 0"
        raise ValueError(f"{name} of a target has finite numbers{least}, null for what does not matter; this has {column.tolist()}")
    return column


def _wav(path: Path) -> tuple[float, np.ndarray]:
    from scipy.io import wavfile

    with path.open("rb") as file:
        head = file.read(HEADER)
    if head.startswith(b"fLaC"):
        raise ValueError(f"`{path}` is a FLAC file, which a fit does not read; write it as WAV")
    if not head.startswith(RIFF) and not any(kind.startswith(head) for kind in RIFF):
        raise ValueError(f"`{path}` is no WAV file; a target is a WAV file, or a JSON file with frequency, t60 and level")
    if len(head) < HEADER:
        raise ValueError(f"`{path}` is damaged: it ends within its header, after {len(head)} bytes; give a whole WAV file")
    try:
        with warnings.catch_warnings():
            # Other chunks do not matter; a sound that ends early does.
            warnings.simplefilter("ignore", wavfile.WavFileWarning)
            warnings.filterwarnings("error", "Reached EOF", wavfile.WavFileWarning)
            return wavfile.read(path)
    except OSError:
        raise
    except Exception as error:  # Of a damaged file it raises errors of many kinds.
        raise ValueError(f"`{path}` is a damaged WAV file, or of a kind that is not read: {error}; give a whole WAV file of samples") from error


def _checked(sound: Any, rate: float, name: str) -> tuple[np.ndarray, float]:
    sound = np.asarray(sound, dtype=float)
    if not rate > 0:
        raise ValueError(f"{name}: the rate is {rate}, but must be above 0")
    sound = sound.sum(axis=1) if sound.ndim == 2 else sound
    if sound.size < 256:
        raise ValueError(f"{name} has {sound.size} samples; 256 are needed at least")
    if not np.isfinite(sound).all() or not sound.any():
        raise ValueError(f"{name} is silent, or not finite")
    return np.ascontiguousarray(sound), float(rate)
