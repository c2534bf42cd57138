"""Many runs of one scene: sweeps over parameters, comparisons of schemes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _hamiltone
from .progress import bar
from .scene import Scene
from .table import Table
from .units import quantity

if TYPE_CHECKING:
    from distributed import Client

Progress = Callable[[int, int], Any]
Values = str | Sequence[Any]

ROWS_PER_TASK = 4
"""How many runs are one task of a cluster: short runs then do not wait for the scheduler."""


def sweep(
    scene: Scene,
    over: Mapping[str, Values],
    *,
    output: str | os.PathLike[str] | None = None,
    keep_audio: str | os.PathLike[str] | None = None,
    shard: tuple[int, int] | None = None,
    client: Client | None = None,
    progress: bool | Progress | None = None,
) -> Table:
    """Runs a scene with all combinations of the values of some parameters: one row a run, the last parameter varying fastest.

    Parameters
    ----------
    over
        The values by the path of the parameter: a range such as ``"60 N:80 N:5"`` or ``"1e6:1e9:10:log"``, or a sequence.
    output
        The table, .csv or .parquet. Finished runs are in a journal beside it until it is complete: the same call continues a
        sweep that was interrupted or killed. The command ``hamiltone sweep`` with the same scene and values does so, too.
    keep_audio
        A folder for the sound of each run.
    shard
        (i, n): only the i-th of n parts.
    client
        A Dask client, whose cluster computes the runs; by default all cores of this machine do.

    A run that is refused or fails is a row with its ``verdict`` and ``reason``.

    >>> fork = {"kind": "oscillator", "mass": "2 g", "frequency": "440 Hz", "velocity": 1.0}
    >>> scene = Scene({"hamiltone": 2, "run": {"duration": "10 ms"}, "body": {"fork": fork},
    ...                "pickup": {"left": {"at": "fork"}}})
    >>> table = sweep(scene, {"body.fork.mass": "1 g:3 g:3"})
    >>> table["verdict"].tolist()
    ['green', 'green', 'green']
    """
    payload = (scene.copy(), tuple(over.items()), shard, None if keep_audio is None else Path(keep_audio).resolve())
    runs = _sweep(payload)
    runs.check(None if output is None else Path(output))
    pending = runs.runs() if output is None else runs.open(Path(output))
    with bar(progress, "runs") as tell:
        if client is None:
            rows = runs.run(pending, tell)
        else:
            rows = _on_cluster(client, payload, runs, pending, tell)
    if output is not None:
        rows = runs.finish()
    table = Table.of_json(rows)
    table.rows.sort(key=lambda row: row["run"])
    return Table(table.rows)


def _sweep(payload: tuple[Scene, tuple[tuple[str, Values], ...], tuple[int, int] | None, Path | None]) -> _hamiltone.Sweep:
    scene, over, shard, audio = payload
    return _hamiltone.Sweep(scene._scene, list(over), shard, audio)


@lru_cache(maxsize=8)
def _unpacked(pickled: bytes) -> _hamiltone.Sweep:
    import pickle

    return _sweep(pickle.loads(pickled))


def _rows(pickled: bytes, numbers: Iterable[int]) -> list[str]:
    """The rows of some runs, on a worker."""
    runs = _unpacked(pickled)
    return [runs.row(number) for number in numbers]


def _on_cluster(client: Client, payload: Any, runs: _hamiltone.Sweep, pending: list[int], tell: Progress | None) -> list[str]:
    import pickle

    from distributed import as_completed

    pickled = pickle.dumps(payload)
    parts = [pending[i : i + ROWS_PER_TASK] for i in range(0, len(pending), ROWS_PER_TASK)]
    futures = client.map(lambda part: _rows(pickled, part), parts, pure=False)
    rows: list[str] = []
    try:
        for future, result in as_completed(futures, with_results=True):
            for row in result:
                runs.enter(row)
                rows.append(row)
            # What is in the journal is not kept on the cluster.
            future.release()
            if tell:
                tell(len(rows), len(pending))
    finally:
        client.cancel([future for future in futures if not future.done()])
    return rows


class Comparison:
    """Schemes side by side: what :func:`compare` has found."""

    def __init__(self, rows: list[str], orders: str, reference: Any, picture: str):
        self.table = Table.of_json(rows)
        """One row a scheme and rate: cost, residual, passivity, iterations, error, order; ``cents`` of the audible partial that is farthest
        from theory (``cents_of``), as measured, and ``t60_s`` of the first."""
        self.orders: dict[str, dict[str, Any]] = json.loads(orders)
        """The order of each scheme: ``measured`` over the motion before the first impact of a rigid contact (at ``impact_s``), ``claimed``
        for smooth motion and short steps (``omega_dt`` is the largest frequency times the longest step), ``with_impacts`` over the whole
        window. ``state`` is "measured"; "exact" where rates differ by rounding only; "coarse" where errors are too large, or do not fall;
        "impacts" where a rigid contact is closed from the start; "unknown" else. All of it in a ``sentence``."""
        self.reference = reference
        """Scheme and rate (Hz) of the reference."""
        self.picture = picture
        """Error against cost, SVG."""

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file."""
        Path(path).write_text(self.picture, encoding="utf-8")

    def _repr_html_(self) -> str:
        return self.picture + self.table._repr_html_()

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self.orders)}; reference {self.reference}>"


def compare(
    scene: Scene,
    schemes: str | Sequence[str] = (),
    *,
    rates: float | str | Sequence[float | str] = (),
    reference: str | None = None,
    window: float | str | None = None,
    sound: float | str | None = None,
    progress: bool | Progress | None = None,
) -> Comparison:
    """Runs a scene by several schemes at several internal rates, Hz or texts with units such as ``"88.2 kHz"``: cost, energy balance,
    pitch, decay, error, order. One scheme or one rate needs no list.

    By default the scene's own scheme and those that run its system with an exact balance, at the internal rate of the scene, at two
    times and at four times that. The error is that of the pickups in the first ``window`` seconds against the scheme
    ``reference`` at four times the highest rate; ``sound`` is how many seconds are rendered for cost, balance, pitch and decay; both
    may be texts with units.
    """
    with bar(progress, "runs") as tell:
        hertz = [_rate(rate) for rate in _several(rates)]
        asked = (_several(schemes), hertz, reference, quantity(window, "s"), quantity(sound, "s"))
        found = _hamiltone.compare(scene._scene, asked, tell)
    return Comparison(*found)


def _several(values: Any) -> list[Any]:
    """The values of a sequence, or the one that is given alone."""
    return list(values) if isinstance(values, Iterable) and not isinstance(values, str) else [values]


def _rate(rate: Any) -> Any:
    """A rate in Hz."""
    hertz = quantity(rate, "Hz")
    if hertz <= 0:
        raise ValueError(f"a rate is above 0 Hz; {rate!r} is not")
    return hertz
