"""Contact laws that Python computes."""

import numpy as np
import pytest

import hamiltone


def struck(law):
    return hamiltone.Scene(
        {
            "hamiltone": 2,
            "run": {"duration": "5 ms", "scheme": "ec", "oversampling": 8},
            "body": {"hammer": {"kind": "mass", "mass": "5 g", "velocity": 1.0}},
            "contact": {"felt": {"between": ["hammer", "ground"], **law}},
            "pickup": {"left": {"at": "hammer"}},
        }
    ).render()


POWER = {"law": "power", "stiffness": "1e6 N/m^1.5", "exponent": 1.5}


@pytest.mark.parametrize(
    "law", [{"potential": lambda x: 4e5 * x**2.5}, {"force": lambda x: 1e6 * x**1.5}], ids=["potential", "force"]
)
def test_a_tabulated_law_is_the_law(law):
    exact, found = struck(POWER), struck(hamiltone.tabulated(**law, reach="2 mm", points=2000))
    assert found.ok and found.audit["residual_max_relative"] < 1e-13
    error = np.abs(found.pickups["left"] - exact.pickups["left"]).max() / np.abs(exact.pickups["left"]).max()
    assert error < 2e-6, error


def test_a_compiled_potential_is_taken():
    numba = pytest.importorskip("numba")
    compiled = numba.njit(lambda x: 4e5 * x**2.5)
    assert hamiltone.tabulated(compiled, reach=1e-3) == hamiltone.tabulated(lambda x: 4e5 * x**2.5, reach=1e-3)


def test_what_is_no_law_is_refused():
    with pytest.raises(ValueError, match="the force falls at a penetration of 0.0006"):
        hamiltone.tabulated(force=lambda x: min(x, 1e-3 - x), reach=1e-3, points=10)
    with pytest.raises(ValueError, match="not finite"):
        hamiltone.tabulated(lambda x: float("nan"), reach=1e-3)
    with pytest.raises(ValueError, match="the reach must be"):
        hamiltone.tabulated(lambda x: x * x, reach=0)
    with pytest.raises(ValueError, match="is measured in m, not in kg"):
        hamiltone.tabulated(lambda x: x * x, reach="1 kg")
    with pytest.raises(TypeError, match="a potential or a force"):
        hamiltone.tabulated(reach=1)
    with pytest.raises(ValueError, match="the force falls"):
        hamiltone.tabulated(lambda x: -x * x, reach=1e-3)
