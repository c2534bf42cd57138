"""Shipped scenes with another score, what is heard of them, and the partials of that."""

import tomllib
from pathlib import Path

import numpy as np

import hamiltone

SCENES = Path(__file__).parents[2] / "scenes"


def load(name, duration, score):
    """A shipped scene with another duration (s) and another score."""
    table = tomllib.loads((SCENES / name).read_text())
    table["run"]["duration"] = duration
    return hamiltone.Scene({**table, "score": score})


def render(scene, pickup):
    """What a pickup hears, and its rate; balanced."""
    result = scene.render(check=False)
    assert result.audit["residual_max_relative"] <= result.audit["residual_tolerance"], result.reason
    return np.asarray(result.pickups[pickup]), result.sample_rate


def partials(x, rate, near, seconds=0.3, count=3):
    """Frequency (Hz) of the first partial of the end of a signal near a frequency, and the amplitudes of the first ones over the first."""
    part = x[-int(seconds * rate) :]
    spectrum = abs(np.fft.rfft(part * np.hanning(len(part)), 16 * len(part)))
    f = np.arange(len(spectrum)) * rate / (16 * len(part))

    def largest(center, width):
        inside = abs(f - center) < width
        i = np.flatnonzero(inside)[np.argmax(spectrum[inside])]
        return f[i], spectrum[i]

    first, size = largest(near, 0.06 * near)
    return first, np.array([largest(n * first, 0.05 * first)[1] / size for n in range(1, count + 1)])
