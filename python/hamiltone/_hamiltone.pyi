"""The extension module; its classes are used through those of the package, but for `Simulation`."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__version__: str

class SceneError(ValueError):
    """A scene that cannot be run."""

    file: str | None
    line: int | None
    column: int | None
    field: str | None
    problems: list[dict[str, Any]]

class RenderError(RuntimeError):
    """A render that ended with a red verdict."""

    result: Any

class Scene:
    text: str
    name: str
    base: Path
    def __init__(self, text: str, name: str, base: Path) -> None: ...
    @staticmethod
    def of_dict(dict: Mapping[str, Any], name: str, base: Path) -> Scene: ...
    def to_dict(self) -> dict[str, Any]: ...
    def set(self, path: str, value: Any) -> None: ...
    def copy(self) -> Scene: ...
    def check(self) -> dict[str, Any]: ...
    def render(self, files: Mapping[str, Any], progress: Callable[[int, int], Any] | None = None) -> Rendered: ...
    def prepare(self) -> Simulation: ...
    def __getstate__(self) -> Any: ...
    def __setstate__(self, state: Any) -> None: ...

class Rendered:
    ok: bool
    verdict: str
    title: str
    sample_rate: float
    reason: str
    warnings: list[str]
    buses: list[str]
    pickups: list[tuple[str, str, str]]
    def audit(self) -> str: ...
    def bus(self, number: int) -> NDArray[np.float64]: ...
    def samples(self) -> NDArray[np.float64]: ...
    def partials(self) -> list[dict[str, Any]]: ...
    def page(self) -> str: ...

class Simulation:
    """A scene that is stepped by its caller, in blocks.

    >>> from hamiltone import Scene
    >>> import numpy as np
    >>> fork = {"kind": "oscillator", "mass": "2 g", "frequency": "440 Hz", "velocity": 1.0}
    >>> simulation = Scene({"hamiltone": 2, "run": {"duration": "1 s"}, "body": {"fork": fork},
    ...                     "pickup": {"left": {"at": "fork"}}}).prepare()
    >>> out = np.empty((128, len(simulation.outputs)))
    >>> simulation.run(out)
    >>> simulation.steps, simulation.balance()["ok"]
    (128, True)
    """

    @property
    def inputs(self) -> list[str]:
        """The names of the drives: the columns of inputs."""
    @property
    def outputs(self) -> list[str]:
        """The names of the pickups: the columns of outputs."""
    @property
    def rate(self) -> float:
        """Steps per second."""
    @property
    def steps(self) -> int:
        """Steps so far."""
    @property
    def time(self) -> float:
        """t, s."""
    @property
    def q(self) -> NDArray[np.float64]:
        """The positions of all coordinates now."""
    @property
    def v(self) -> NDArray[np.float64]:
        """Their velocities."""
    def run(self, out: NDArray[np.float64], inputs: NDArray[np.float64] | None = None) -> None:
        """Takes as many steps as ``out`` has rows and writes the pickups after each into it. ``inputs`` has one row more: the
        values of the drives at the ends of the steps; without it the drives of the scene are played. Neither is copied.
        """
    def balance(self) -> dict[str, Any]:
        """The energy balance so far: energies in J, the largest relative residual and what is accepted."""
    def reset(self) -> None:
        """Back to the initial condition."""
    def save(self) -> bytes:
        """The complete state, with a check sum."""
    def restore(self, state: bytes) -> None:
        """Continues from a saved state of the same scene, with the same bits and its energy balance. Bytes that are not as they were
        saved, a state of another scene and one with numbers that are not finite are refused (ValueError); then nothing is changed.
        """

class Sweep:
    def __init__(
        self, scene: Scene, over: Sequence[tuple[str, Any]], shard: tuple[int, int] | None, keep_audio: Path | None
    ) -> None: ...
    def check(self, table: Path | None) -> None: ...
    def open(self, table: Path) -> list[int]: ...
    def runs(self) -> list[int]: ...
    def row(self, number: int) -> str: ...
    def enter(self, row: str) -> None: ...
    def run(self, runs: list[int], progress: Callable[[int, int], Any] | None) -> list[str]: ...
    def finish(self) -> list[str]: ...

def compare(scene: Scene, asked: tuple[Any, ...], progress: Callable[[int, int], Any] | None) -> tuple[Any, Any, Any, str]: ...
def partials(
    sound: NDArray[np.float64], rate: float, expected: list[float]
) -> list[tuple[float | None, float | None, float | None]]: ...
def quantity(text: str, unit: str | None = None) -> float: ...
def licenses() -> str:
    """The licence notices of all that is linked into the package."""
