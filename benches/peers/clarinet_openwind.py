"""A clarinet by Hamiltone and by openwind in one run: the same tube, reed and pressure. Prints frequency, rms of the pressure in the mouthpiece and processor time of both.

python benches/peers/clarinet_openwind.py target/release/hamiltone
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from openwind import Player, simulate
from scipy.io import wavfile

PRESSURES = [2500, 3500, 4000, 4500]  # Pa; the reed beats above 2500
LENGTH, RADIUS = 0.48, 7.5e-3  # m
SECONDS, BEGIN, SETTLED = 0.6, 4000, 0.45  # s, Pa, s


def ours(program: str, pressure: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Times, s, pressures, Pa, and processor time, s."""
    scene = Path(__file__).parents[2] / "scenes/clarinet.toml"
    sets = {
        "run.duration": f"{SECONDS} s", "run.sample_rate": "48 kHz", "body.bore.length": f"{LENGTH} m",
        "body.bore.highest": "12 kHz", "score.0.pressure": f"{BEGIN} Pa", "score.1.pressure": f"{pressure} Pa",
        "pickup.outside.bus": "none", "pickup.mouthpiece.bus": "main", "output.level": "raw",
        "output.format": "64-bit float", "output.channels": "mono", "output.fade": "0 s",
    }
    with tempfile.TemporaryDirectory() as folder:
        words = [word for key, value in sets.items() for word in ("--set", f"{key}={value}")]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([program, "render", scene, "-o", f"{folder}/a.wav", "-q", *words], check=True, capture_output=True)
        taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        rate, samples = wavfile.read(f"{folder}/a.wav")
    return np.arange(len(samples)) / rate, samples, taken


def theirs(pressure: float) -> tuple[np.ndarray, np.ndarray, float]:
    """The same by openwind, whose steps alone are timed."""
    rise = lambda part: 0.5 - 0.5 * np.cos(np.pi * min(max(part, 0.0), 1.0))
    player = Player("CLARINET")
    player.update_curve("width", 0.01)
    player.update_curve("mass", 3.37e-6)
    player.update_curve("pulsation", float(np.sqrt(1821 / 3.37e-6)))
    player.update_curve(
        "mouth_pressure", lambda t: BEGIN * rise(t / 0.015) + (pressure - BEGIN) * rise((t - 0.1) / 0.08)
    )
    begin = time.process_time()
    run = simulate(
        SECONDS,
        [[0.0, RADIUS], [LENGTH, RADIUS]],
        player=player,
        losses="diffrepr",
        radiation_category="unflanged",
        temperature=20,
        verbosity=0,
    )
    taken = time.process_time() - begin
    return np.asarray(run.ts), np.asarray(run.values["entrance_reed1dof_source_pressure"]), taken


def measured(times: np.ndarray, pressures: np.ndarray) -> tuple[float, float]:
    """Frequency, Hz, by the phase of the fundamental, and rms over whole periods, once the note has settled."""
    rate = 192_000.0
    t = np.arange(SETTLED, min(SECONDS, times[-1]), 1 / rate)
    p = np.interp(t, times, pressures)
    p -= p.mean()
    spectrum = np.abs(np.fft.rfft(p * np.hanning(len(p)), 1 << 20))
    frequency = spectrum.argmax() * rate / (1 << 20)
    half = len(p) // 2
    turn = lambda k: np.angle(np.sum(p[k : k + half] * np.hanning(half) * np.exp(-2j * np.pi * frequency * t[k : k + half])))
    later = len(p) - half
    frequency += ((turn(later) - turn(0) + np.pi) % (2 * np.pi) - np.pi) / (2 * np.pi * later / rate)
    whole = int(int((t[-1] - t[0]) * frequency) / frequency * rate)
    return frequency, float(np.sqrt(np.mean(p[:whole] ** 2)))


def main() -> None:
    print("    Pa        Hz   openwind   cents      rms, Pa   openwind      %    time, s   openwind   ratio")
    for pressure in PRESSURES:
        (t, p, taken), (t2, p2, taken2) = ours(sys.argv[1], pressure), theirs(pressure)
        (f, rms), (f2, rms2) = measured(t, p), measured(t2, p2)
        print(
            f"{pressure:>6} {f:>9.3f} {f2:>10.3f} {1200 * np.log2(f / f2):>+7.2f} {rms:>12.1f} {rms2:>10.1f}"
            f" {100 * (rms / rms2 - 1):>+6.2f} {taken:>10.3f} {taken2:>10.2f} {taken2 / taken:>7.0f}"
        )


if __name__ == "__main__":
    main()
