"""Instruments: played from a song, block by block, or surveyed key by key."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from . import _hamiltone
from ._hamiltone import Engine, Parameter, RenderError
from .progress import bar
from .table import Table

SHIPPED = next(folder for folder in (Path(__file__).parent / "instruments", Path(__file__).parents[2] / "instruments") if folder.is_dir())
"""The instruments of the package; those of the clone where it is installed to be edited."""


class Performance:
    """What an instrument has played."""

    def __init__(self, title: str, performed: _hamiltone.Performed):
        self._title, self._performed = title, performed

    @cached_property
    def samples(self) -> np.ndarray:
        """The sound as its files store it, float64, frames × channels; 1 is full scale. Several buses follow each other."""
        return self._performed.samples()

    @cached_property
    def buses(self) -> dict[str, np.ndarray]:
        """The sound of each bus by its name: views of :attr:`samples`."""
        names, counts = zip(*self._performed.buses)
        return dict(zip(names, np.split(self.samples, np.cumsum(counts)[:-1], axis=1)))

    @property
    def rate(self) -> float:
        """Samples per second."""
        return self._performed.rate

    @cached_property
    def time(self) -> np.ndarray:
        """The times of the samples, s."""
        return np.arange(len(self.samples)) / self.rate

    @cached_property
    def audit(self) -> dict[str, Any]:
        """The energy balance of the whole performance and what was played, as ``hamiltone play --audit`` writes it."""
        return json.loads(self._performed.audit())

    @property
    def is_balanced(self) -> bool:
        """Whether every part is finite and keeps its energy balance, and every gesture was played."""
        return self.audit["ok"]

    @property
    def warnings(self) -> list[str]:
        """What the user should know though the song was played, such as notes that the instrument does not have."""
        return self._performed.warnings

    def save(self, path: str | os.PathLike[str]) -> list[Path]:
        """Writes a sound file, .wav or .flac, and one more for each further bus; returns their names. Samples are stored as ``output.format``
        of the instrument says. A performance that is not balanced is ``NAME.failed.wav``.
        """
        return self._performed.save(Path(path))

    def __repr__(self) -> str:
        audit, state = self.audit, "balanced" if self.is_balanced else "NOT balanced"
        return f"<Performance on {self._title!r}: {audit['notes']} notes, {audit['duration_s']:.1f} s, {state}>"


class Instrument:
    """An instrument that is ready to be played: see :meth:`load`."""

    def __init__(self, instrument: _hamiltone.Instrument, path: Path):
        self._instrument, self._path = instrument, path

    @classmethod
    def load(
        cls,
        instrument: str | os.PathLike[str],
        rate: int = 48_000,
        *,
        set: Mapping[str, Any] | None = None,
        tuning: str | os.PathLike[str] | None = None,
        keyboard: str | os.PathLike[str] | None = None,
        preset: str | None = None,
    ) -> Instrument:
        """The instrument in a file, or one of the package by its name, such as ``"kalimba"`` (:meth:`names`).

        Parameters
        ----------
        rate
            Samples per second, 8000 to 384000.
        set
            Changes of values of the file by their paths, such as ``{"key.body.hammer.mass": "9 g"}``: texts with units, numbers in SI units.
        tuning, keyboard
            A Scala scale (.scl) in place of equal temperament, and its keyboard mapping (.kbm).
        preset
            Values of its parameters at first: a name in the folder beside its file, such as ``"muffled"`` of the piano, or a file.

        What is wrong raises :class:`SceneError`, with file and line.

        >>> kalimba = Instrument.load("kalimba", set={"key.body.tine.thickness": "1 mm"})
        >>> kalimba.title, kalimba.keys[:3], kalimba.rate
        ('Kalimba', [60, 62, 64], 48000.0)
        >>> performance = kalimba.play([{"notes": "C4 G4", "length": "1/4"}], tail=0.1)
        >>> performance.samples.shape[1], performance.is_balanced
        (2, True)
        """
        path = Path(instrument)
        if isinstance(instrument, str) and not path.suffix and path.name == instrument:
            path = SHIPPED / f"{instrument}.toml"
            if not path.is_file():
                raise ValueError(f"there is no instrument `{instrument}`; there are {', '.join(cls.names())}. A file is named with .toml")
        optional = lambda path: None if path is None else Path(path)
        return cls(_hamiltone.Instrument(path, list((set or {}).items()), rate, optional(tuning), optional(keyboard), preset), path)

    @staticmethod
    def names() -> list[str]:
        """The names of the instruments of the package."""
        return sorted(path.stem for path in SHIPPED.glob("*.toml"))

    @property
    def title(self) -> str:
        """Its title."""
        return self._instrument.title

    @property
    def keys(self) -> list[int]:
        """The keys that it plays, ascending, as MIDI numbers them: 60 is C4."""
        return self._instrument.keys

    @property
    def rate(self) -> float:
        """Samples per second."""
        return self._instrument.rate

    @property
    def parameters(self) -> list[Parameter]:
        """What can be moved while it sounds, each with ``name``, ``about``, ``unit``, ``range``, ``default`` and the ``midi`` controller that moves it."""
        return self._instrument.parameters

    @property
    def warnings(self) -> list[str]:
        """What the user should know of it."""
        return self._instrument.warnings

    def play(
        self,
        song: str | os.PathLike[str] | Sequence[Mapping[str, Any]],
        *,
        parts: Iterable[int] = (),
        tail: float = 30.0,
        velocity_curve: str | None = None,
        pedal_curve: str | None = None,
        parameters: Mapping[str, float] | None = None,
        progress: Any = None,
        check: bool = True,
    ) -> Performance:
        """Plays a song from rest, as ``hamiltone play`` does, to the same bits.

        Parameters
        ----------
        song
            A Standard MIDI File, a score (.toml), or the entries of one: ``[{"tempo": 96}, {"notes": "C4 E4", "length": "1/4"}]``, whose keys
            are those of scores.
        parts
            The parts of the song that are played, MIDI channels from 1; all where none is named.
        tail
            The longest tail after the end of the song, s; it ends sooner where the sound has fallen by 90 dB.
        velocity_curve, pedal_curve
            Maps of velocities and of the sustain pedal in place of those of the instrument, such as ``"0 0, 0.5 0.35, 1 1"``.
        parameters
            Values of parameters by name, in their units, in place of the defaults.
        progress
            A function of the frames done and those of the song, as of :meth:`Scene.render`.
        check
            Whether a performance that is not balanced, or in which a gesture was refused, raises :class:`RenderError`, which has it as
            ``error.result``.
        """
        asked = {"parts": list(parts), "tail": tail, "velocity_curve": velocity_curve, "pedal_curve": pedal_curve}
        asked["parameters"] = list((parameters or {}).items())
        music = Path(song) if isinstance(song, (str, os.PathLike)) else {"score": list(song)}
        with bar(progress, "frames") as tell:
            performed = self._instrument.play(music, asked, tell)
        performance = Performance(self.title, performed)
        if check and performed.trouble:
            raise _failed(f"the performance failed: {performed.trouble}", performance)
        return performance

    def engine(self) -> Engine:
        """The instrument at rest, to be played block by block: see :class:`Engine`."""
        return self._instrument.engine()

    def survey(
        self,
        keys: Iterable[int | str] = (),
        velocities: Iterable[int] = (30, 64, 100),
        *,
        seconds: float = 4.5,
        repeat_after: float = 0.5,
        progress: Any = None,
        check: bool = True,
    ) -> Table:
        """Plays keys at several velocities, each note from rest, and measures it: the table ``survey.csv`` of ``hamiltone survey``, one note a row.

        Parameters
        ----------
        keys
            MIDI numbers, notes such as ``"C4"``, or ranges such as ``"C3:C5"``; all where none is named.
        velocities
            1 to 127.
        seconds, repeat_after
            How long each note is heard, and the time from a stroke to the next, s.
        check
            Whether a note that is not balanced raises :class:`RenderError`, which has the table as ``error.result``.
        """
        with bar(progress, "notes") as tell:
            rows, troubles = self._instrument.survey(list(keys), list(velocities), seconds, repeat_after, tell)
        table = Table.of_json(rows)
        if check and troubles:
            raise _failed("; ".join(troubles), table)
        return table

    def __repr__(self) -> str:
        return f"Instrument({str(self._path)!r}, rate={self.rate:g})"


def _failed(message: str, result: Any) -> RenderError:
    error = RenderError(message)
    error.result = result
    return error
