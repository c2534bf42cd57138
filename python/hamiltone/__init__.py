"""Physical-modelling sound synthesis with an energy balance checked at every step.

>>> import hamiltone
>>> scene = hamiltone.Scene.load("scenes/plucked_string.toml")          # doctest: +SKIP
>>> scene.set("body.string.length", "0.6 m")                            # doctest: +SKIP
>>> result = scene.render(duration="1 s")                               # doctest: +SKIP
>>> result.audio.shape, result.audit["residual_max_relative"]           # doctest: +SKIP
"""

from ._hamiltone import RenderError, SceneError, Simulation, __version__
from .result import Result
from .scene import Scene
from .system import System

__all__ = ["RenderError", "Result", "Scene", "SceneError", "Simulation", "System", "__version__"]
