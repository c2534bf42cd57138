"""Physical-modelling sound synthesis with an energy balance that is always checked.

>>> import hamiltone
>>> scene = hamiltone.Scene.load("scenes/plucked_string.toml")          # doctest: +SKIP
>>> scene.set("body.string.length", "0.6 m")                            # doctest: +SKIP
>>> result = scene.render(duration="1 s")                               # doctest: +SKIP
>>> result.audio.shape, result.audit["residual_max_relative"]           # doctest: +SKIP
>>> hamiltone.Instrument.load("kalimba").play("song.mid").save("song.wav") # doctest: +SKIP
"""

from ._hamiltone import Engine, RenderError, SceneError, Simulation, __version__, licenses
from .fit import Fit, fit
from .instrument import Instrument, Performance
from .laws import tabulated
from .result import Result
from .scene import Scene
from .studies import Comparison, compare, sweep
from .system import System
from .table import Table

# What every error of a scene has, also one that stands at no place.
for _name, _value in {"file": None, "line": None, "column": None, "field": None, "problems": ()}.items():
    setattr(SceneError, _name, _value)
RenderError.result = None

__all__ = [
    "Comparison",
    "Engine",
    "Fit",
    "Instrument",
    "Performance",
    "RenderError",
    "Result",
    "Scene",
    "SceneError",
    "Simulation",
    "System",
    "Table",
    "__version__",
    "compare",
    "fit",
    "licenses",
    "sweep",
    "tabulated",
]
