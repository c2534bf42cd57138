"""Contact laws of one's own, computed in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .units import quantity

ROUNDING = 1e-9
"""By how much, of the largest, a force that is a difference of energies may fall by rounding alone."""


def tabulated(
    potential: Callable[[float], float] | None = None,
    *,
    force: Callable[[float], float] | None = None,
    reach: float | str,
    points: int = 1000,
) -> dict[str, Any]:
    """The contact law ``table`` of a potential or of a force that Python computes, as keywords of a contact.

    Parameters
    ----------
    potential
        V(x), J, of the penetration x, m, with V(0) = V'(0) = 0 and a force that does not fall: any function of a number, also one that
        numba has compiled. It is evaluated before the run only, halfway between the points; forces are its central differences,
        f(x) = (V(x + h/2) - V(x - h/2))/h, h being the distance of the points.
    force
        f(x) = V'(x), N, in place of the potential.
    reach
        Up to which penetration it is tabulated, m or a text such as "1 mm". Beyond, the force goes on along its last slope.
    points
        How many points there are besides x = 0. Between them the force is straight, so that its error is at most h² max|f''|/8, of a
        potential, with its differences, h² max|f''|/6; the energy balance is exact all the same, being that of the table. A force
        that does not begin at 0 becomes a slope over the first h.

    Raises ValueError where a value is not finite or the force falls. A potential that is a formula needs no table: ``law="formula"``.

    >>> law = tabulated(lambda x: 4e5 * x**2.5, reach="1 mm")
    >>> law["law"], len(law["points"])
    ('table', 1001)
    >>> scene = {"hamiltone": 2, "run": {"duration": "5 ms"}, "body": {"hammer": {"kind": "mass", "mass": "5 g", "velocity": 1.0}},
    ...          "contact": {"felt": {"between": ["hammer", "ground"], **law}}, "pickup": {"left": {"at": "hammer"}}}
    >>> import hamiltone
    >>> hamiltone.Scene(scene).render().audit["passive"]
    True
    """
    if (potential is None) == (force is None):
        raise TypeError("tabulated takes a potential or a force")
    reach = float(quantity(reach, "m"))
    if not (reach > 0 and np.isfinite(reach)) or points < 1:
        raise ValueError(f"the reach must be a length above 0 and the points at least 1, not {reach} and {points}")
    x = np.linspace(0.0, reach, points + 1)
    if force is not None:
        forces = np.array([float(force(at)) for at in x[1:].tolist()])
    else:
        # Between the points: the differences then share their energies, and forces of a convex potential cannot fall.
        between = np.append(0.5 * (x[1:] + x[:-1]), reach + 0.5 * x[1])
        energies = np.array([float(potential(at)) for at in between.tolist()])
        forces = np.diff(energies) / np.diff(between)
    if not np.isfinite(forces).all():
        raise ValueError(f"the law is not finite at a penetration of {x[1:][~np.isfinite(forces)][0]:g} m")
    rising = np.maximum.accumulate(np.maximum(forces, 0.0))
    fallen = rising - forces > ROUNDING * max(rising[-1], np.finfo(float).tiny)
    if fallen.any():
        raise ValueError(f"the force falls at a penetration of {x[1:][fallen][0]:g} m; contact laws have forces ≥ 0 that do not fall")
    return {"law": "table", "points": np.column_stack([x, np.append(0.0, rising)]).tolist()}
