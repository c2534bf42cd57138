"""The result of a render: sound, states, audit, pictures."""

from __future__ import annotations

import html
import json
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _hamiltone
from .table import Table

if TYPE_CHECKING:
    import xarray

    from .scene import Scene

PAGE_HEIGHT = 720
"""The height of a result in a notebook, px."""


class Kept:
    """What a copy of a result holds in place of the render: all that is asked of one, by the same names. Its page repeats the run."""

    def __init__(self, scene: Scene, rendered: _hamiltone.Rendered | Kept):
        for name in ("ok", "verdict", "title", "sample_rate", "reason", "warnings", "buses", "pickups"):
            setattr(self, name, getattr(rendered, name))
        self._scene = scene
        self._audit, self._partials, self._samples = rendered.audit(), rendered.partials(), rendered.samples()
        self._sounds = [rendered.bus(i) for i in range(len(rendered.buses))]

    def audit(self) -> str:
        return self._audit

    def partials(self) -> list[dict[str, Any]]:
        return self._partials

    def samples(self) -> np.ndarray:
        return self._samples

    def bus(self, number: int) -> np.ndarray:
        return self._sounds[number]

    def page(self) -> str:
        return self._scene.render(check=False, progress=False).page()


class Result:
    """What a render has found. Arrays are made when they are first asked for.

    It can be pickled and copied: the copy has the sound, the states, the audit and the partials; a page or a report of it repeats the run.
    """

    def __init__(self, scene: Scene, rendered: _hamiltone.Rendered, states: dict[str, np.ndarray] | None):
        self._scene, self._rendered, self._states = scene, rendered, states

    @property
    def ok(self) -> bool:
        """Whether the verdict is green or amber."""
        return self._rendered.ok

    @property
    def verdict(self) -> str:
        """``green``, ``amber`` (partials are out of tune, a tension is more than doubled, or a plate has too few modes) or ``red``."""
        return self._rendered.verdict

    @property
    def warnings(self) -> list[str]:
        """What the user should know though the run went on."""
        return self._rendered.warnings

    @property
    def sample_rate(self) -> float:
        """The rate of the sound, Hz."""
        return self._rendered.sample_rate

    @cached_property
    def audit(self) -> dict[str, Any]:
        """The energy balance of the run and what it was made of, as the audit file has it."""
        return json.loads(self._rendered.audit())

    @cached_property
    def audio(self) -> np.ndarray:
        """The sound of the first bus as its file stores it, float64, frames × channels; 1 is full scale."""
        return self._rendered.bus(0)

    @cached_property
    def buses(self) -> dict[str, np.ndarray]:
        """The sound of each bus by its name."""
        return {name: self.audio if i == 0 else self._rendered.bus(i) for i, name in enumerate(self._rendered.buses)}

    @cached_property
    def pickups(self) -> dict[str, np.ndarray]:
        """What each pickup reads at the samples of the sound, in SI units: views of one array."""
        samples = self._rendered.samples()
        return {name: samples[:, i] for i, (name, _, _) in enumerate(self._rendered.pickups)}

    @property
    def units(self) -> dict[str, str]:
        """The unit of each pickup."""
        return {name: unit for name, _, unit in self._rendered.pickups}

    @cached_property
    def time(self) -> np.ndarray:
        """The times of the samples, s."""
        return np.arange(len(next(iter(self.pickups.values())))) / self.sample_rate

    @cached_property
    def states(self) -> xarray.Dataset:
        """Positions, velocities, contacts and energies over time with units and coordinates, where ``render`` was asked for
        states. Needs xarray.
        """
        if self._states is None:
            raise AttributeError("this result has no states; render with states=True")
        return dataset(self._states)

    @cached_property
    def partials(self) -> Table:
        """The partials of each body with a pickup, up to 16 of a body, one a row, as the report has them:

        - ``body``, ``partial``: whose, and its number from 1; ``pickups``: those on the body
        - ``theory_hz``: of the continuous body without losses, where theory gives it
        - ``system_hz``: of the equations that are stepped, of the grid or the modes of the body
        - ``step_hz``: as the time step sounds that, known before the run
        - ``measured_hz``: in the sound
        - ``cents``: by how much the measured one is above theory, 1200 log2(f/f_theory)
        - ``level_db``: beside the strongest peak of the same spectrum, at most 0
        - ``audible``: whether it was found, is 60 dB below the strongest at most, and below 20 kHz and 0.45 of the sample rate
        - ``t60_requested_s``: the decay time that the scene asks for, infinite without losses
        - ``t60_s``: the decay time as measured, or ``t60_missing``: why there is none

        What is not known is NaN.

        >>> from hamiltone import Scene
        >>> string = {"kind": "string", "length": "0.65 m", "linear_density": "6.6 g/m", "tension": "73.2 N", "loss": {"t60": [["80 Hz", "2 s"]]}}
        >>> result = Scene({"hamiltone": 2, "run": {"duration": "1 s"}, "body": {"string": string},
        ...                 "drive": {"finger": {"kind": "pluck", "at": "string@0.23", "height": "3 mm"}},
        ...                 "pickup": {"bridge": {"at": "string@1", "quantity": "force"}}}).render()
        >>> result.partials["measured_hz"][:2].round(2).tolist()
        [81.01, 162.02]
        """
        return Table(self._rendered.partials())

    @property
    def reason(self) -> str:
        """Why the verdict is what it is, in a sentence."""
        audit = self.audit
        residual, tolerance = audit["residual_max_relative"], audit["residual_tolerance"]
        return self._rendered.reason or f"largest relative energy residual {residual:.1e} (tolerance {tolerance:.1e})"

    def report(self, folder: str | os.PathLike[str]) -> Path:
        """Writes an HTML report with plots of the whole run into a folder and returns its page. The run is repeated, to the
        same bits, with the plots watching; ``render(report=…)`` does both at once.
        """
        self._scene.render(report=folder, check=False)
        page = Path(folder) / ("index.html" if self.ok else "index.failed.html")
        return page

    def page(self) -> str:
        """A self-contained HTML page: verdict, player, waveform, spectra, partials, audit."""
        return self._rendered.page()

    def __getstate__(self) -> dict[str, Any]:
        return {"_scene": self._scene, "_rendered": Kept(self._scene, self._rendered), "_states": self._states}

    def _repr_html_(self) -> str:
        page = html.escape(self.page(), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:{PAGE_HEIGHT}px;border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<Result of {self._rendered.title!r}: {self.verdict}, {self.reason}>"


def read_states(path: Path, ok: bool) -> dict[str, np.ndarray]:
    """The arrays of a file of states; that of a failed run has another name."""
    if not ok:
        path = path.with_name(f"{path.stem}.failed{path.suffix}")
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def dataset(arrays: dict[str, np.ndarray]) -> xarray.Dataset:
    """States as an xarray Dataset: rows over ``time``, coordinates of bodies over ``NAME_x`` where they are points, and
    over ``NAME_mode`` (the number, from 1) and ``NAME_hz`` (the frequency) where they are modes.
    """
    import xarray

    manifest = json.loads(str(arrays["manifest"]))
    bodies = {body["name"]: body for body in manifest["bodies"]}
    contacts = {contact["name"]: contact for contact in manifest["contacts"]}
    data: dict[str, Any] = {}
    coordinates: dict[str, Any] = {"time": ("time", arrays["time"], {"units": "s"})}
    for name, values in arrays.items():
        owner, _, what = name.rpartition(".")
        if what in ("q", "v") and owner in bodies:
            body, dimension = bodies[owner], f"{owner}_dof"
            data[name] = (("time", dimension), values, {"units": body[what]})
            if body["points"]:
                # (coordinate, place) of each point of a grid; ends that do not move are no coordinates.
                places = np.full(values.shape[1], np.nan)
                for dof, x in body["points"]:
                    places[int(dof)] = x
                coordinates[f"{owner}_x"] = (dimension, places, {"units": "m"})
            if "modes" in body:
                coordinates[f"{owner}_mode"] = (dimension, np.arange(1, values.shape[1] + 1))
                coordinates[f"{owner}_hz"] = (dimension, np.array(body["modes"]), {"units": "Hz"})
        elif owner.startswith("ledger"):
            data[name] = ("time", values, {"units": manifest["ledger_unit"]})
        elif owner.startswith("contact."):
            contact = contacts[owner.removeprefix("contact.")]
            dimension = f"{owner}_part"
            units = "m" if what == "gap" else contact["impulse"]
            data[name] = (("time", dimension), values, {"units": units})
            if len(contact["x"]) == values.shape[1]:
                coordinates[f"{owner}_x"] = (dimension, np.array(contact["x"]), {"units": "m"})
    return xarray.Dataset(data, coordinates, attrs={key: manifest[key] for key in ("title", "scheme", "rate_hz", "scene_sha256")})
