"""A simply supported plate that stretches as it bends (von Kármán), of 100 modes and 30 stress functions, by Hamiltone and by
jaxdiffmodal in one run.

python benches/peers/plate_jaxdiffmodal.py                               prints `sound … taken …` of jaxdiffmodal
python benches/peers/plate_jaxdiffmodal.py target/release/hamiltone      the comparison, in some minutes

The scene is scenes/plate_mallet.toml with a plate of 30 × 21 cm × 1 mm and an initial velocity around one place; the mallet is out
of reach. In the plane of the plate the programs have different edges:

  Hamiltone      F = F_nn = 0: a side moves at right angles to itself and not along itself, as on thin walls; Ψ are sines
  jaxdiffmodal   F = F_n = 0: no stress at the sides, which move freely, as in VK-Gong

So two things are compared. The motion: jaxdiffmodal steps with the coefficients of Hamiltone's edges, integrated here by quadrature.
The coefficients: of the first mode alone, q̈ = −ω²q − gq³, beside a solution of ∇⁴F = −(Eh/2) L(w, w) by neither program.
"""

import sys
from functools import cache

from jaxdiffmodal_common import apart, cents, frequency, np, reference, rendered, theirs
from jaxdiffmodal.coupling import compute_coupling_matrix
from jaxdiffmodal.ftm import (
    PlateParameters, damping_term, plate_eigenvalues, plate_wavenumbers, select_modes_from_eigenvalues, stiffness_term,
)
from jaxdiffmodal.time_integrators import make_vk_nl_fn
from numpy.polynomial import legendre, polynomial
from scipy.special import ellipk

MODES, AIRY, A, B, THICKNESS = 100, 30, 0.30, 0.21, 1e-3  # m
MODULUS, POISSON, DENSITY, D1, D3 = 200e9, 0.3, 7850.0, 3.0, 2e-3  # Pa, –, kg/m³, 1/s, m²/s
PLACE, PICKUP, WIDTH, VELOCITY = (0.31, 0.37), (0.21, 0.27), 0.08, 8.0  # –, –, m, m/s
SECONDS, TIMES, RATES = 0.5, (0.05, 0.1, 0.2, 0.4), (44100, 88200)  # s, s, Hz
LONG = 4  # s of the renders that are timed, of which the preparation is a small part
PLATE = {
    "body.plate.length": f"{A} m", "body.plate.width": f"{B} m", "body.plate.thickness": f"{THICKNESS} m",
    "body.plate.youngs_modulus": f"{MODULUS} Pa",
    "body.plate.poisson_ratio": POISSON, "body.plate.density": f"{DENSITY} kg/m^3", "body.plate.modes": MODES, "body.plate.airy_modes": AIRY,
    "body.plate.von_karman": "true", "body.mallet.position": "50 mm", "body.mallet.velocity": "0 m/s",
    "pickup.left.quantity": "displacement", "pickup.left.at": f"plate@{PICKUP[0]},{PICKUP[1]}",
}
STRIKE = {
    "body.plate.loss": f'{{ d1 = "{D1} 1/s", d3 = "{D3} m^2/s" }}', "drive.blow.kind": "strike", "drive.blow.at": f"plate@{PLACE[0]},{PLACE[1]}",
    "drive.blow.velocity": f"{VELOCITY} m/s", "drive.blow.width": f"{WIDTH} m",
}
FIRST = {
    "body.plate.loss": '{ d1 = "0 1/s", d3 = "0 m^2/s" }', "drive.blow.kind": "modes", "drive.blow.at": "plate",
    "drive.blow.cosine": f'["{THICKNESS} m"]',
}


def numbers(count: int) -> np.ndarray:
    """(m, n) of the lowest."""
    waves = plate_eigenvalues(*plate_wavenumbers(40, 40, A, B))
    return np.stack([np.asarray(k) for k in select_modes_from_eigenvalues(waves, count)[:2]], axis=-1)


def linear() -> tuple[np.ndarray, np.ndarray]:
    """γ and ω² by jaxdiffmodal."""
    mass = DENSITY * THICKNESS
    of = PlateParameters(THICKNESS, A, B, DENSITY, MODULUS, POISSON, mass * D1, mass * D3, 0.0)
    lam = np.sum((numbers(MODES) * np.pi / [A, B]) ** 2, axis=1)
    return np.asarray(damping_term(of, lam)), np.asarray(stiffness_term(of, lam))


def sines(airy: int, modes: int) -> np.ndarray:
    """√(E/2ρ) ∫ΨL(Φ, Φ)/ζ²‖Ψ‖ of sines Ψ and of sines Φ of ‖Φ‖ = 1, by quadrature."""
    x, weights = legendre.leggauss(150)
    x, weights = np.pi * (x + 1) / 2, np.pi * weights / 2
    psi, phi = numbers(airy), numbers(modes)

    def along(side: int):
        l, k = np.outer(psi[:, side], x), np.outer(phi[:, side], x)
        triple = lambda f: np.einsum("lx,ix,jx->lij", np.sin(l) * weights, f(k), f(k), optimize=True)
        return triple(np.sin), triple(np.cos)

    (sx, cx), (sy, cy) = along(0), along(1)
    p, q = (phi * np.pi / [A, B]).T
    zeta2 = np.sum((psi * np.pi / [A, B]) ** 2, axis=1)
    bend = np.outer(p**2, q**2) + np.outer(q**2, p**2)
    whole = 4 / np.pi**2 * (bend * sx * sy - 2 * np.outer(p * q, p * q) * cx * cy)
    return np.sqrt(MODULUS / (2 * DENSITY)) * whole / (zeta2 * np.sqrt(A * B / 4))[:, None, None]


@cache
def free() -> np.ndarray:
    """The same of sides without stress, by jaxdiffmodal: some 45 s."""
    kx, ky = numbers(MODES).T
    return np.sqrt(MODULUS / (2 * DENSITY)) * np.asarray(compute_coupling_matrix(AIRY, MODES, A, B, kx, ky)[1])


def free_by_polynomials(most: int = 14) -> float:
    """Σ of the squares for the first mode and sides without stress: F as products of (1 − ξ²)² Legendre polynomials (Ritz)."""
    x, weights = legendre.leggauss(60)
    of = [[], [], []]
    for k in range(most):
        f = polynomial.polymul(legendre.leg2poly([0] * k + [1]), polynomial.polypow([1, 0, -1], 2))
        f = f / np.sqrt(weights @ polynomial.polyval(x, polynomial.polyder(f, 2)) ** 2)
        for d in range(3):
            of[d].append(polynomial.polyval(x, polynomial.polyder(f, d)))
    of = [np.array(values) for values in of]
    by = lambda i, j: (of[i] * weights) @ of[j].T
    u, v, area = 2 / A, 2 / B, A * B / 4
    mixed = np.kron(by(2, 0), by(0, 2)) + np.kron(by(0, 2), by(2, 0))
    stiffness = area * (u**4 * np.kron(by(2, 2), by(0, 0)) + v**4 * np.kron(by(0, 0), by(2, 2)) + (u * v) ** 2 * mixed)
    angle = np.pi * (x + 1) / 2
    s2, c2 = ((of[0] * weights) @ f(angle) ** 2 for f in (np.sin, np.cos))
    load = area * 8 / (A * B) * (np.pi / A * np.pi / B) ** 2 * (np.kron(s2, s2) - np.kron(c2, c2))
    return MODULUS / (2 * DENSITY) * load @ np.linalg.solve(stiffness, load)


def alone(omega2: float, g: float, amplitude: float) -> float:
    """Frequency of q̈ = −ω²q − gq³, Hz."""
    whole = omega2 + g * amplitude**2
    return np.sqrt(whole) / (4 * ellipk(g * amplitude**2 / (2 * whole)))


def cubic(coefficients: np.ndarray):
    """n(q) in NumPy."""
    flat = coefficients.reshape(-1, MODES)

    def force(q):
        bent = (flat @ q).reshape(-1, MODES)
        return (bent @ q) @ bent

    return force


def main() -> None:
    import jax.numpy as jnp

    norm = np.sqrt(A * B) / 2  # of sin·sin; jaxdiffmodal's coefficients are those of shapes of norm 1
    gamma, omega2 = linear()
    shape = lambda place: np.prod(np.sin(numbers(MODES) * np.pi * place), axis=1)
    row, own = shape(PICKUP) / norm, sines(AIRY, MODES)
    held = make_vk_nl_fn(jnp.asarray(own))
    if len(sys.argv) < 2:
        v = norm * VELOCITY * WIDTH**2 / (A * B) * shape(PLACE) * np.exp(-np.arange(MODES) / 20)
        print(f"sound {SECONDS} taken {theirs(gamma, omega2, held, np.zeros(MODES), v, 44100, int(SECONDS * 44100), row, 2)[1]:.6g}")
        return
    program = sys.argv[1]
    print("first mode alone, q̈ = −ω²q − gq³, f at an amplitude of h over f at rest, cents")
    rest, g = np.sqrt(omega2[0]) / (2 * np.pi), (THICKNESS * norm) ** 2
    for name, square in (
        (f"Hamiltone's sides, {AIRY} sines by quadrature", np.sum(own[:, 0, 0] ** 2)), ("  400 sines", np.sum(sines(400, 1) ** 2)),
        (f"sides without stress, {AIRY} functions by jaxdiffmodal", np.sum(free()[:, 0, 0] ** 2)), ("  196 polynomials", free_by_polynomials()),
    ):
        print(f"  {name:<55} g h²/ω² {square * g / omega2[0]:.5f}   {cents(alone(omega2[0], square * g, 1.0), rest):>7.2f}")

    for name, sets, seconds, times in (("all modes, from the first at h, lossless", FIRST, 0.2, (0.05, 0.15)), ("struck", STRIKE, SECONDS, TIMES)):
        loss = gamma if sets is STRIKE else 0 * gamma
        state = rendered(program, "plate_mallet", PLATE | sets, 44100, 0.001, states=True)
        q, v = norm * state["plate.q"][0], norm * state["plate.v"][0]
        exact = reference(loss, omega2, cubic(own), q, v, RATES[-1], int(seconds * RATES[-1]), row, 4)
        other = theirs(loss, omega2, make_vk_nl_fn(jnp.asarray(free())), q, v, RATES[-1], len(exact), row)[0]
        print(f"{name}: up to {1e3 * np.abs(exact).max():.2f} mm of a plate of {1e3 * THICKNESS:g} mm")
        bent = alone(omega2[0], np.sum(own[:, 0, 0] ** 2) * g, 1.0)
        pitch = lambda sound, rate, t: cents(frequency(sound, rate, bent, t), rest)
        print("    Hz   first mode, cents above rest: Hamiltone, jaxdiffmodal, reference   (sides without stress)")
        for rate in RATES:
            steps, every = int(seconds * rate), RATES[-1] // rate
            ours = rendered(program, "plate_mallet", PLATE | sets, rate, seconds)[0]
            taken = min(rendered(program, "plate_mallet", PLATE | sets, rate, LONG)[1] for _ in range(2)) / (LONG * rate)
            peer, taken2 = theirs(loss, omega2, held, q, v, rate, steps, row, 2)
            taken2 /= steps
            sounds = ours[:steps, 0], peer, exact[::every], other[::every]
            for t in times:
                a, b, c, d = (pitch(sound, rate, t) for sound in sounds)
                print(f"{rate:>6}   {t:>5} s   {a:>9.3f} {b:>9.3f} {c:>9.3f}   ({d:.2f})")
            for end in (0.1, seconds):
                a, b, c = (sound[: int(end * rate)] for sound in sounds[:3])
                print(
                    f"         rms of the difference in the first {end} s: Hamiltone – jaxdiffmodal {apart(a, b):.3f} %,"
                    f" Hamiltone – reference {apart(a, c):.3f} %, jaxdiffmodal – reference {apart(b, c):.3f} %"
                )
            print(f"         a step: Hamiltone {1e6 * taken:.1f} µs, jaxdiffmodal {1e6 * taken2:.1f} µs, {taken2 / taken:.1f} times", flush=True)


if __name__ == "__main__":
    main()
