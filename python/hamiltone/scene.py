"""Scenes: what a user writes, checked and rendered."""

from __future__ import annotations

import operator
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from . import _hamiltone
from ._hamiltone import RenderError, Simulation
from .progress import bar
from .result import Result, read_states

Progress = Callable[[int, int], Any]


class Scene:
    """An instrument and what is played on it: the TOML text of a scene, or a dict of the same structure.

    Nothing is checked until :meth:`check`, :meth:`render` or :meth:`prepare`. Errors are :class:`SceneError`, with all that
    is wrong in ``problems`` and file, line, column and field of the first as attributes.
    """

    def __init__(self, scene: str | Mapping[str, Any], *, name: str = "scene.toml", base: str | os.PathLike[str] = "."):
        """A scene from its text or from a dict; ``name`` stands in messages, file names in it start from ``base``.

        >>> fork = {"kind": "oscillator", "mass": "2 g", "frequency": "440 Hz", "velocity": 1.0}
        >>> scene = Scene({"hamiltone": 2, "run": {"duration": "10 ms"}, "body": {"fork": fork},
        ...                "pickup": {"left": {"at": "fork"}}})
        >>> scene.check()["steps"]
        441
        """
        if isinstance(scene, Mapping):
            self._scene = _hamiltone.Scene.of_dict(scene, name, Path(base))
        else:
            self._scene = _hamiltone.Scene(scene, name, Path(base))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scene:
        """The scene in a file."""
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raised = _hamiltone.SceneError(f"{path}: byte {error.start} is not UTF-8; a scene is a text file")
            raised.file = str(path)
            raise raised from error
        # The folder is kept whole: the scene may be rendered elsewhere, on a worker of a cluster or after a change of folder.
        return cls(text, name=str(path), base=path.resolve().parent)

    @property
    def text(self) -> str:
        """The TOML text with all changes."""
        return self._scene.text

    def to_dict(self) -> dict[str, Any]:
        """The scene as a dict, with all changes."""
        return self._scene.to_dict()

    def copy(self) -> Scene:
        """A scene that can be changed without changing this one."""
        other = object.__new__(Scene)
        other._scene = self._scene.copy()
        return other

    def set(self, path: str, value: Any) -> Scene:
        """Changes the value at a dotted path, such as ``contact.felt.exponent``, or ``score.0.time`` in the first entry of a
        list, and returns the scene. Texts are quantities with their unit, such as ``"0.3 mm"``; numbers are in SI units.
        """
        self._scene.set(path, value)
        return self

    def check(self) -> dict[str, Any]:
        """What is known before a render, as ``hamiltone check`` prints it:

        - ``title``, ``scheme``, ``sample_rate``, ``oversampling``, ``rate`` (steps per second), ``steps``, ``duration`` (s)
        - ``degrees_of_freedom``, and the names of ``bodies``, ``contacts``, ``drives`` and ``pickups``
        - ``choices``: what was chosen, and why
        - ``solved``: by body and name (value, SI unit) of what was found for it, such as a tension, a thickness or an undercut
        - ``frequencies``: by body its lowest 16 eigenfrequencies that are not 0, Hz, without losses and contacts, as the time step
          sounds them; ``highest_frequency`` of the system, Hz; ``omega_dt``, its ω·Δt, and ``omega_dt_limit``, None without a limit
        - ``tuning``: how far partials sound from theory, with ``tuning_verdict``
        - ``step_seconds``, ``preparation_seconds``, ``render_seconds``: processor time, by a part of the steps, which is timed
        - ``memory_bytes`` of the sound while it is rendered, without the model's own; ``sound_bytes`` of its samples
        - ``warnings``
        """
        return self._scene.check()

    def render(
        self,
        *,
        duration: str | float | None = None,
        scheme: str | None = None,
        states: bool | int | str | os.PathLike[str] = False,
        sound: str | os.PathLike[str] | None = None,
        audit: str | os.PathLike[str] | None = None,
        report: str | os.PathLike[str] | None = None,
        progress: bool | Progress | None = None,
        check: bool = True,
    ) -> Result:
        """Renders the scene.

        Parameters
        ----------
        duration, scheme
            In place of those of the scene; the scene itself is not changed.
        states
            ``True`` keeps positions, velocities and energies at every sample in :attr:`Result.states`, a number those at every
            so many internal steps; a path writes them to an NPZ file as well.
        sound, audit, report
            Files that are written: WAV or FLAC, JSON, and a folder for an HTML report with plots of the whole run.
        progress
            A function that is called with the steps done and the steps of the run; ``False`` for silence; by default a line
            on a terminal when a render takes longer than two seconds.
        check
            Whether a red verdict (the energy balance is violated, energy was gained, the run diverged, or it sounds another
            note than the scene states) raises :class:`RenderError`, which has the result as ``error.result``.
        """
        scene = self._with(duration, scheme)
        with tempfile.TemporaryDirectory(prefix="hamiltone-") as folder:
            path, every = None, None
            if states is not False and states is not None:
                whole = states is True or hasattr(states, "__index__")
                path = Path(folder) / "states.npz" if whole else Path(states)
                every = operator.index(states) if whole and states is not True else None
            files = {
                "sound": _path(sound),
                "states": path,
                "states_every": every,
                "audit": _path(audit),
                "report": _path(report),
            }
            with bar(progress) as tell:
                rendered = scene._scene.render(files, tell)
            dataset = read_states(path, rendered.ok) if path else None
        result = Result(scene, rendered, dataset)
        if check and not rendered.ok:
            error = RenderError(f"the verdict of `{rendered.title}` is red: {result.reason}")
            error.result = result
            raise error
        return result

    def prepare(self) -> Simulation:
        """The scene prepared for stepping in blocks: see :class:`Simulation`."""
        return self._scene.prepare()

    def _with(self, duration: str | float | None, scheme: str | None) -> Scene:
        scene = self.copy()
        if duration is not None:
            scene.set("run.duration", duration)
        if scheme is not None:
            scene.set("run.scheme", scheme)
        return scene

    def __getstate__(self) -> Any:
        return self._scene.__getstate__()

    def __setstate__(self, state: Any) -> None:
        self._scene = _hamiltone.Scene(*state[:3])
        self._scene.__setstate__(state)

    def __repr__(self) -> str:
        return f"Scene({self._scene.name!r})"


def _path(path: str | os.PathLike[str] | None) -> Path | None:
    return None if path is None else Path(path)
