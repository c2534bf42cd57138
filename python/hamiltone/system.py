"""Systems built part by part."""

from __future__ import annotations

from typing import Any

from ._hamiltone import Simulation
from .result import Result
from .scene import Scene


class System:
    """A system that is built from Python: bodies, contacts, links, drives and pickups by keyword, the parameters being those
    of scenes (``hamiltone describe NAME`` lists them).

    >>> system = System(duration=0.01, scheme="ec")
    >>> system.body("hammer", "mass", mass="5 g", velocity=1.0)
    >>> system.body("fork", "oscillator", mass="2 g", frequency="440 Hz")
    >>> system.contact("felt", "hammer", "fork", law="power", stiffness="1e6 N/m^1.5", exponent=1.5, gap="1 mm")
    >>> system.pickup("left", "fork")
    >>> system.render().ok
    True
    """

    def __init__(self, **run: Any):
        """An empty system; ``run`` has the keys of the section [run], such as ``duration``, ``scheme``, ``sample_rate``."""
        self._sections: dict[str, Any] = {"hamiltone": 2, "run": run}

    def add(self, section: str, name: str, /, **parameters: Any) -> None:
        """Adds a part of any section: ``add("obstacle", "frets", …)``."""
        parts = self._sections.setdefault(section, {})
        if name in parts:
            raise ValueError(f"there is already a {section} `{name}`")
        parts[name] = parameters

    def body(self, name: str, kind: str, /, **parameters: Any) -> None:
        """Adds a body."""
        self.add("body", name, kind=kind, **parameters)

    def contact(self, name: str, one: str, other: str, /, *, law: str, **parameters: Any) -> None:
        """Adds a contact between two places, such as ``"string@0.12"``, or a place and ``"ground"``."""
        self.add("contact", name, between=[one, other], law=law, **parameters)

    def link(self, name: str, one: str, other: str, /, **parameters: Any) -> None:
        """Adds a spring and damper between two places."""
        self.add("link", name, between=[one, other], **parameters)

    def drive(self, name: str, kind: str, at: str, /, **parameters: Any) -> None:
        """Adds a drive at a place."""
        self.add("drive", name, kind=kind, at=at, **parameters)

    def pickup(self, name: str, at: str, /, **parameters: Any) -> None:
        """Adds a pickup at a place."""
        self.add("pickup", name, at=at, **parameters)

    def scene(self, name: str = "system") -> Scene:
        """The scene of this system."""
        return Scene(self._sections, name=name)

    def prepare(self) -> Simulation:
        """The system prepared for stepping in blocks."""
        return self.scene().prepare()

    def render(self, **options: Any) -> Result:
        """Renders the system: see :meth:`Scene.render`."""
        return self.scene().render(**options)
