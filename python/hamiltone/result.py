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

if TYPE_CHECKING:
    import xarray

    from .scene import Scene

PAGE_HEIGHT = 720
"""The height of a result in a notebook, px."""


class Result:
    """What a render has found. Arrays are made when they are first asked for."""

    def __init__(self, scene: Scene, rendered: _hamiltone.Rendered, states: dict[str, np.ndarray] | None):
        self._scene, self._rendered, self._states = scene, rendered, states

    @property
    def ok(self) -> bool:
        """Whether the verdict is green or amber."""
        return self._rendered.ok

    @property
    def verdict(self) -> str:
        """``green``, ``amber`` (partials are out of tune) or ``red``."""
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
    """States as an xarray Dataset: rows over ``time``, coordinates of bodies over ``NAME_x`` where they are points."""
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
