"""The string of scenes/steel_string.toml before it is bent, by Hamiltone and by jaxdiffmodal in one run: both polarisations of 82
modes with one tension, from the same initial displacement. Prints pitches, differences of the motion and processor times, and how
far each is from a reference in NumPy.

python benches/peers/string_jaxdiffmodal.py                              prints `sound … taken …` of jaxdiffmodal
python benches/peers/string_jaxdiffmodal.py target/release/hamiltone     the comparison

The tension is jaxdiffmodal's own `make_tm_nl_fn`, which multiplies a full matrix, with the factor of `string_tau_with_density`; a
second time is that of the same sum as one product of vectors, which its interface also takes.
"""

import sys

from jaxdiffmodal_common import apart, cents, frequency, np, reference, rendered, theirs
from jaxdiffmodal.ftm import StringParameters, damping_term, stiffness_term, string_eigenvalues
from jaxdiffmodal.time_integrators import make_tm_nl_fn, string_tau_with_density

MODES, LENGTH, RADIUS, MODULUS, DENSITY = 82, 0.648, 0.216e-3, 200e9, 7850.0  # m, m, Pa, kg/m³
PITCH, DECAY = 440 * 2 ** (-14 / 12), [(196.0, 9.0), (5000.0, 1.0)]  # Hz; Hz, s
PLUCK, WIDTH, HEIGHTS, PICKUP = 0.8, 8e-3, (3e-3, 2e-3), 0.88  # m
SECONDS, TIMES, PARTIALS = 1.4, (0.05, 0.2, 0.4, 0.7, 1.2), (1, 12)  # s, s, –
RATES = (44100, 88200, 176400)  # Hz


def string() -> StringParameters:
    """Its parameters: tension and losses solved from pitch and decay times, as a scene states them."""
    area, inertia = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4
    mass, bending, k2 = DENSITY * area, MODULUS * inertia, (np.pi / LENGTH) ** 2
    tension = mass * (2 * LENGTH * PITCH) ** 2
    for _ in range(50):
        c2, kappa2 = tension / mass, bending / mass
        wave = lambda f: 2 * (2 * np.pi * f) ** 2 / (c2 + np.sqrt(c2**2 + 4 * kappa2 * (2 * np.pi * f) ** 2))
        (f, t), (g, u) = DECAY
        d3 = 6 * np.log(10) * (1 / u - 1 / t) / (wave(g) - wave(f))
        d1 = 6 * np.log(10) / t - d3 * wave(f)
        tension = mass * ((2 * np.pi * PITCH) ** 2 + (0.5 * (d1 + d3 * k2)) ** 2 - kappa2 * k2**2) / k2
    return StringParameters(area, inertia, DENSITY, MODULUS, float(mass * d1), float(mass * d3), float(tension), LENGTH)


def model():
    """γ, ω², λ of both polarisations, and the factor of ΔT/ρA = factor·Σλq²."""
    of = string()
    one = string_eigenvalues(MODES, LENGTH)
    twice = lambda array: np.tile(np.asarray(array, float), 2)
    factor = string_tau_with_density(of) * 0.5 * LENGTH  # ∫φ² = L/2
    return twice(damping_term(of, one)), twice(stiffness_term(of, one)), twice(one), float(factor)


def pluck() -> np.ndarray:
    """Of both: 2/L ∫u sin(nπx/L) of a triangle whose corner is averaged over the width, a factor sinc of each mode."""
    n = np.arange(1, MODES + 1)
    corner = 2 / (n**2 * np.pi**2 * PLUCK * (1 - PLUCK)) * np.sin(n * np.pi * PLUCK) * np.sinc(n * WIDTH / (2 * LENGTH))
    return np.concatenate([height * corner for height in HEIGHTS])


def modulation(lam: np.ndarray, factor: float, library):
    """n(q) as one product of vectors."""
    lam = library.asarray(lam)
    return lambda q: (factor * (lam @ (q * q))) * (lam * q)


def main() -> None:
    import jax.numpy as jnp

    gamma, omega2, lam, factor = model()
    row = np.concatenate([np.sin(np.arange(1, MODES + 1) * np.pi * PICKUP), np.zeros(MODES)])
    q, v = pluck(), np.zeros(2 * MODES)
    own = make_tm_nl_fn(jnp.asarray(lam), jnp.asarray(factor * np.tile(lam, (2 * MODES, 1))))
    if len(sys.argv) < 2:
        print(f"sound {SECONDS} taken {theirs(gamma, omega2, own, q, v, 44100, int(SECONDS * 44100), row, 3)[1]:.6g}")
        return
    sets = {"pickup.string.quantity": "displacement"}
    state = rendered(sys.argv[1], "steel_string", sets, 44100, 0.001, states=True)
    begin = np.concatenate([state["up.q"][0], state["across.q"][0]])
    print(f"initial displacement: largest difference of a mode from the Fourier series {np.abs(begin - q).max():.1e} m")
    q = begin
    fast = modulation(lam, factor, jnp)
    exact = reference(gamma, omega2, modulation(lam, factor, np), q, v, RATES[-1], int(SECONDS * RATES[-1]), row, 2)
    print("    Hz   partial   cents above the partial at rest: Hamiltone, jaxdiffmodal, reference")
    for rate in RATES:
        steps = int(SECONDS * rate)
        renders = [rendered(sys.argv[1], "steel_string", sets, rate, SECONDS) for _ in range(3)]
        taken = min(taken for _, taken in renders)
        peer, taken2 = theirs(gamma, omega2, own, q, v, rate, steps, row, 3)
        taken3 = theirs(gamma, omega2, fast, q, v, rate, steps, row, 3)[1]
        sounds = renders[0][0][:steps, 0], peer, exact[:: RATES[-1] // rate]
        for n in PARTIALS:
            rest = np.sqrt(omega2[n - 1] - 0.25 * gamma[n - 1] ** 2) / (2 * np.pi)
            for t in TIMES:
                a, b, c = (cents(frequency(sound, rate, rest * 1.005, t), rest) for sound in sounds)
                print(f"{rate:>6}   {n:>7}   {t:>5} s   {a:>9.3f} {b:>9.3f} {c:>9.3f}")
        for end in (0.1, SECONDS):
            a, b, c = (sound[: int(end * rate)] for sound in sounds)
            print(
                f"         rms of the difference in the first {end} s: Hamiltone – jaxdiffmodal {apart(a, b):.3f} %,"
                f" Hamiltone – reference {apart(a, c):.3f} %, jaxdiffmodal – reference {apart(b, c):.3f} %"
            )
        print(
            f"         a step: Hamiltone {1e6 * taken / steps:.2f} µs, jaxdiffmodal {1e6 * taken2 / steps:.2f} µs, {taken2 / taken:.1f} times;"
            f" with one product of vectors {1e6 * taken3 / steps:.2f} µs, {taken3 / taken:.1f} times",
            flush=True,
        )


if __name__ == "__main__":
    main()
