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

class Parameter:
    """A parameter of an instrument that can be moved while it sounds."""

    name: str
    about: str
    unit: str
    range: tuple[float, float]
    default: float
    midi: int | None

class Instrument:
    rate: float
    title: str
    keys: list[int]
    parameters: list[Parameter]
    warnings: list[str]
    def __init__(
        self,
        path: Path,
        sets: Sequence[tuple[str, Any]],
        rate: int,
        tuning: Path | None = None,
        keyboard: Path | None = None,
        preset: str | None = None,
    ) -> None: ...
    def play(
        self, song: Path | Mapping[str, Any], asked: Mapping[str, Any], progress: Callable[[int, int], Any] | None = None
    ) -> Performed: ...
    def engine(self) -> Engine: ...
    def survey(
        self,
        keys: Sequence[int | str],
        velocities: Sequence[int],
        seconds: float,
        repeat_after: float,
        progress: Callable[[int, int], Any] | None = None,
    ) -> tuple[list[str], list[str]]: ...

class Performed:
    rate: float
    trouble: str | None
    warnings: list[str]
    buses: list[tuple[str, int]]
    def audit(self) -> str: ...
    def samples(self) -> NDArray[np.float64]: ...
    def save(self, path: Path) -> list[Path]: ...

class Engine:
    """An instrument that is played block by block, to the same bits as a whole song: :meth:`Instrument.engine` makes one.

    Notes and controllers act from the next frame on. Keys are MIDI numbers, or notes such as ``"C4"``. While one thread renders, others may play
    notes: they wait for the end of its block. The interpreter is free meanwhile.

    >>> from hamiltone import Instrument
    >>> engine = Instrument.load("kalimba").engine()
    >>> engine.note_on("C4", 0.8)
    True
    >>> block = engine.render(256)
    >>> block.shape, engine.render(out=block) is block, engine.held, engine.is_balanced
    ((256, 2), True, 1, True)
    """

    @property
    def rate(self) -> float:
        """Samples per second."""
    @property
    def channels(self) -> int:
        """The number of channels of a frame."""
    @property
    def delay(self) -> int:
        """By how many frames the sound is behind the notes."""
    @property
    def now(self) -> float:
        """The time of the next frame, s."""
    @property
    def held(self) -> int:
        """How many notes are held by keys or pedals."""
    @property
    def is_at_rest(self) -> bool:
        """Whether nothing moves, and no gesture waits for its time."""
    @property
    def is_balanced(self) -> bool:
        """Whether every part is finite and keeps its energy balance."""
    @property
    def parameters(self) -> list[Parameter]:
        """What can be moved while it sounds."""
    def __getitem__(self, name: str) -> float:
        """The value that a parameter has, or goes to, in its unit."""
    def __setitem__(self, name: str, value: float) -> None:
        """Moves a parameter from the next frame on, without a click."""
    def note_on(self, key: int | str, velocity: float) -> bool:
        """Strikes a key at a velocity of 0 to 1; ``False`` where the instrument does not have it."""
    def note_off(self, key: int | str) -> None:
        """Releases a key."""
    def release_all(self) -> None:
        """Releases all keys and pedals."""
    def control(self, number: int, value: float) -> bool:
        """Moves a controller, as MIDI numbers them, to a value of 0 to 1; ``False`` where that has no effect on the instrument."""
    def bend(self, semitones: float) -> bool:
        """Bends all strings by so many semitones, at most 24 either way; ``False`` where there are none."""
    def pressure(self, value: float, key: int | str | None = None) -> bool:
        """Presses on a key, or on all, at 0 to 1; ``False`` where that has no effect on the instrument."""
    def program(self, number: int) -> bool:
        """Chooses a program, 0 to 127."""
    def render(self, frames: int | None = None, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """The next frames, float64, frames × channels; 1 is full scale. They are written into ``out`` where it is given, which is not copied."""
    def audit(self) -> dict[str, Any]:
        """The energy balance of all parts so far, with the names that audits of performances have; energies in J."""

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
) -> list[tuple[float | None, float | None, float | None, float | None]]: ...
def quantity(text: str, unit: str | None = None) -> float: ...
def licenses() -> str:
    """The licence notices of all that is linked into the package."""
