"""What string_jaxdiffmodal.py and plate_jaxdiffmodal.py have in common: renders by Hamiltone, a reference in NumPy, measures of a sound.

A model is  q̈ = −γq̇ − ω²q − n(q):  γ (1/s) twice the decay rates, ω² (1/s²), n a function of all q.
"""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # one core, of commands that are run from here, too

import resource
import subprocess
import tempfile
import time
from pathlib import Path

import jax
import numpy as np
from jaxdiffmodal.time_integrators import solve_tf_ic
from scipy.io import wavfile

jax.config.update("jax_enable_x64", True)

RAW = {
    "output.level": "raw", "output.format": "64-bit float", "output.channels": "pickups", "output.fade": "0 s",
    "run.scheme": "modal-ec", "run.oversampling": "1",
}


def rendered(program: str, scene: str, sets: dict, rate: float, seconds: float, states: bool = False):
    """By Hamiltone: pickups, a column each, and the user time of the whole command, s; or q and v of the bodies at all steps."""
    path = Path(__file__).parents[2] / f"scenes/{scene}.toml"
    sets = RAW | {"run.sample_rate": f"{rate} Hz", "run.duration": f"{seconds} s"} | sets
    with tempfile.TemporaryDirectory() as folder:
        words = [word for key, value in sets.items() for word in ("--set", f"{key}={value}")]
        words += ["--states", f"{folder}/a.npz"] if states else []
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([program, "render", path, "-o", f"{folder}/a.wav", "-q", *words], check=True, capture_output=True)
        taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if states:
            with np.load(f"{folder}/a.npz") as found:
                return {name: found[name] for name in found.files if name.endswith((".q", ".v"))}
        samples = wavfile.read(f"{folder}/a.wav")[1]
    return (samples[:, None] if samples.ndim == 1 else samples), taken


def theirs(gamma, omega2, nonlinear, q, v, rate: float, steps: int, row, turns: int = 1) -> tuple[np.ndarray, float]:
    """row·q of so many steps by jaxdiffmodal, compiled, and the processor time without compiling, s, the least of so many turns.

    `solve_tf_ic` is exact where n = 0. Its first step leaves n(q) out, a difference of first order that v − ½Δt n(q) in place of v takes away.
    """
    arrays = [jax.numpy.asarray(array) for array in (gamma, omega2, q, v, row)]

    @jax.jit
    def solve(gamma, omega2, q, v, row):
        return solve_tf_ic(gamma, omega2, q, v, 1 / rate, steps, nonlinear)[1] @ row

    found = np.asarray(solve(*arrays))
    taken = np.inf
    for _ in range(turns):
        begin = time.process_time()
        solve(*arrays).block_until_ready()
        taken = min(taken, time.process_time() - begin)
    return found, taken


def reference(gamma, omega2, nonlinear, q, v, rate: float, steps: int, row, finer: int) -> np.ndarray:
    """row·q by NumPy, `finer` steps for each: half of the exact linear motion, −n(q) for the whole step, the other half (Strang)."""
    dt = 0.5 / (rate * finer)
    sigma = 0.5 * gamma
    omega = np.sqrt(omega2 - sigma**2)
    decay, c, s = np.exp(-sigma * dt), np.cos(omega * dt), np.sin(omega * dt) / omega
    a, b, d = decay * (c + sigma * s), decay * s, decay * (c - sigma * s)
    e = -omega2 * b
    q, v = np.array(q, float), np.array(v, float)
    found = np.empty(steps)
    for step in range(steps):
        found[step] = row @ q
        for _ in range(finer):
            q, v = a * q + b * v, e * q + d * v
            v -= 2 * dt * nonlinear(q)
            q, v = a * q + b * v, e * q + d * v
    return found


def frequency(sound: np.ndarray, rate: float, about: float, at: float, window: float = 0.06) -> float:
    """Of the partial near a frequency at a time: by its phase in two windows (s) that begin a quarter of one apart, Hz."""
    n, hop = int(window * rate), int(0.25 * window * rate)
    first = max(int(at * rate) - (n + hop) // 2, 0)
    t = np.arange(n) / rate
    for _ in range(4):
        kernel = np.hanning(n) * np.exp(-2j * np.pi * about * t)
        one, other = sound[first : first + n] @ kernel, sound[first + hop : first + hop + n] @ kernel
        turn = np.angle(other / one * np.exp(-2j * np.pi * about * hop / rate))
        about += turn / (2 * np.pi * hop / rate)
    return about


def cents(f: float, g: float) -> float:
    return 1200 * np.log2(f / g)


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """rms of the difference over that of the other, %."""
    n = min(len(one), len(other))
    return 100 * np.sqrt(np.mean((one[:n] - other[:n]) ** 2) / np.mean(other[:n] ** 2))
