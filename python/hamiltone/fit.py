"""Parameters of a scene from a recording, or from partials and decay times that it shall have.

The residuals of a partial k are, in the units of their tolerances,

    1200 log2(f/f*)/1 cent,   ln(T60/T60*)/0.01,   (L − L* − mean)/0.1 dB

with * of the target and L the level of the partial; the tolerance of a frequency that is uncertain by u for noise is √(1 + (u/CERTAIN)²) cents. Least squares (SciPy's trust-region method with finite differences)
starts at the best of several points; gradient-free methods minimise the same sum. Intervals of confidence are those of the linearised
problem, s² (JᵀJ)⁻¹ with Student's t.

A model may have no values with which all decay times are those of the target, or all levels. They must not pull frequencies from where they
are: the residuals of each of the three kinds are divided by their root mean square w, where that is above 1. Least squares begins with
w = START_WEIGHTS, and descends again with those of the place that was found until they stay.

Only partials that sound are compared (:mod:`hamiltone.targets`). What the target has and the fitted scene does not sound is no part of cost
and confidence: while the search goes on, it counts as a constant that no small change of a parameter alters. A search has found
nothing where a parameter ends at a bound, where partials are off by more than MAX_CENTS or MAX_DECAY, where more than half of the
features of the target are missing, or where levels decide a parameter and are off by more than MAX_LEVEL. They decide it where more than
half of its squared sensitivities Σ J² are theirs, as of the place of a pluck. Others are found in spite of them: levels of a recording
are also those of its room and microphone, which no tension alters.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

import numpy as np

from . import targets
from ._hamiltone import RenderError, SceneError
from .progress import bar
from .scene import Scene
from .table import Table
from .targets import Target
from .units import quantity

CENTS, DECAY, LEVEL = 1.0, 0.01, 0.1
"""The tolerances: cents, relative, dB."""
CERTAIN = 0.1
"""How far noise may move the frequencies of partials that all count alike, cents."""
FAILED = 1e3
"""The residual of each feature of a run that is refused or fails."""
MISSING = 300.0
"""The residual of a feature that cannot be measured: that of 300 cents, 30 dB, or a decay of e³ times the target's."""
START_WEIGHTS = (1.0, 30.0, 30.0)
"""By what residuals are divided at first: tolerances of 1 cent, 30 % and 3 dB."""
ROUNDS = 8
"""How often they are weighed anew at most."""
STARTS = 24
"""Points at which the search looks before it begins."""
SCAN = 41
"""Points of a line along one parameter, on which other minima are looked for."""
STEP = 1e-4
"""The step of finite differences, relative to the range of a parameter."""

RUNS = 1000
"""The most runs of a search where nothing else is asked for."""
MAX_CENTS = 5.0
"""The root mean square of what frequencies may be off, cents: the least difference that is heard between two tones."""
MAX_DECAY = 2.0
"""The factor by which decay times may be off, in the root mean square of its logarithm."""
MAX_LEVEL = 3.0
"""The root mean square of what levels may be off where they decide a parameter, dB: a factor √2 of amplitude. Of plucks at two unrelated
places the levels 20 lg|sin φ|, with φ uniform, are 20 lg(e) π/√6 = 11 dB apart; those of equal scenes in two schemes are tenths of a dB."""

METHODS = ("least-squares", "nelder-mead", "powell", "differential-evolution")

Bounds = tuple[Any, Any] | tuple[Any, Any, Any]


@dataclass
class Parameter:
    """A parameter that was fitted, in SI units."""

    value: float
    confidence: float
    """Half the width of the interval that holds it with a probability of 95 %; infinite where the target does not determine it."""


@dataclass
class Fit:
    """What a fit has found."""

    scene: Scene
    """The scene with the values that were found."""
    parameters: dict[str, Parameter]
    cost: float
    """Half the sum of the squares of the residuals of the features that sound."""
    features: int
    """The number of these features."""
    missing: int
    """How many other features of the target there are: those that the fitted scene does not sound."""
    cents: float
    """The root mean square of what the frequencies are off, cents; NaN where none is compared."""
    decay: float
    """The factor by which the decay times are off, likewise."""
    level: float
    """The root mean square of what the levels are off, up to a factor of the whole sound, dB; likewise."""
    at_bound: list[str]
    """The parameters that ended at a bound: a better value may lie beyond."""
    evaluations: list[dict[str, Any]] = field(repr=False)
    """Every run: parameters, cost, verdict and the largest relative residual of its energy balance."""
    partials: Table = field(repr=False)
    """The partials of the target and of the fitted scene, one a row: ``partial``, ``target_hz``, ``hz``, ``cents``, ``target_t60_s``, ``t60_s``; NaN
    where one does not sound, or a decay time cannot be measured."""
    reasons: list[str] = field(default_factory=list)
    """Why the parameters are not those of the target, a sentence each; empty where they were found."""

    @property
    def found(self) -> bool:
        """Whether the parameters were found; else they are the closest that the search has seen."""
        return not self.reasons

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(path)}</td><td>{found.value:.8g}</td><td>± {found.confidence:.2g}</td></tr>"
            for path, found in self.parameters.items()
        )
        head = "" if self.found else f"<p>not found: {html.escape('; '.join(self.reasons))}</p>"
        return f"{head}<table><tr><th>parameter</th><th>value</th><th>95 %</th></tr>{rows}</table>"


def fit(
    scene: Scene,
    free: Mapping[str, Bounds],
    target: Target,
    *,
    partials: int = 8,
    pickup: str | None = None,
    method: str = "least-squares",
    runs: int = RUNS,
    progress: Any = None,
) -> Fit:
    """Finds values of the parameters ``free`` with which a scene sounds like the target.

    Parameters
    ----------
    free
        (lowest, highest) or (lowest, start, highest) by the path of the parameter; numbers in SI units, texts with units, or places
        such as ``("string@0.1", "string@0.5")``.
    target
        A WAV file, a sound with its rate (Hz), or what partials shall be: ``{"frequency": […], "t60": […], "level": […]}`` with Hz, s
        and dB, any of them, NaN for what does not matter, or a JSON file of these.
    partials
        How many partials are compared.
    pickup
        The pickup that is compared; by default the first.
    method
        ``"least-squares"``; or ``"nelder-mead"``, ``"powell"`` or ``"differential-evolution"``, which use no derivatives.
    runs
        The most runs. The last are those of the confidence, one and one a parameter; before them the search ends with the closest that
        it has seen. The first look at where the partials of a recording are is none of them.

    Whether the parameters were found is :attr:`Fit.found`; :attr:`Fit.reasons` says why they were not.
    """
    problem = _Problem(scene, free, partials, pickup, runs)
    problem.aim(target)
    with bar(progress, "runs") as tell:
        problem.tell = tell
        found = problem.solve(method)
    return found


class _Ended(Exception):
    """The search has made as many runs as it may."""


class _Problem:
    """A fit that is going on; the parameters go from 0 to 1 within their bounds."""

    def __init__(self, scene: Scene, free: Mapping[str, Bounds], partials: int, pickup: str | None, runs: int):
        if not free:
            raise ValueError("a fit needs a free parameter: {path: (lowest, highest)}")
        self.scene, self.partials, self.pickup = scene.copy(), partials, pickup
        self.paths = list(free)
        self.places = [_place(bound[0]) for bound in free.values()]
        bounds = [[_number(value) for value in bound] for bound in free.values()]
        for path, bound in zip(self.paths, bounds):
            if len(bound) not in (2, 3) or not all(a < b for a, b in zip(bound, bound[1:])):
                raise ValueError(f"{path}: bounds are (lowest, highest) or (lowest, start, highest), ascending; these are {bound}")
        self.low, self.high = np.array([bound[0] for bound in bounds]), np.array([bound[-1] for bound in bounds])
        # What spans decades is searched by its logarithm.
        self.log = (self.low > 0) & (self.high > 10 * self.low)
        start = np.array([bound[1] if len(bound) == 3 else np.nan for bound in bounds])
        self.start = self.unit(start)
        self.evaluations: list[dict[str, Any]] = []
        # Those of the confidence, in the end, are among them.
        self.confidence_runs = 1 + len(self.paths)
        self.runs = runs - self.confidence_runs
        if self.runs < 1:
            least = 1 + self.confidence_runs
            raise ValueError(f"a fit of {counted(len(self.paths), 'parameter')} needs {least} runs at least; runs is {runs}")
        # The lowest cost so far, and where it is.
        self.closest: tuple[float, np.ndarray] = (np.inf, self.start)
        self.target = np.empty((0, 3))
        # Of the frequency of each partial, cents.
        self.tolerance = np.empty(0)
        # By what the residuals of frequencies, decay times and levels are divided, and what the last run has of them.
        self.weights = np.ones(3)
        self.found = self.target
        self.used = np.empty(0, dtype=bool)
        self.tell: Any = None
        # That of the target, where it is shorter than the scene.
        self.duration: float | None = None

    def unit(self, values: np.ndarray) -> np.ndarray:
        """Values as parts of their ranges; the middle for NaN."""
        with np.errstate(divide="ignore", invalid="ignore"):
            logarithm = np.log(values / self.low) / np.log(self.high / self.low)
        return np.nan_to_num(np.where(self.log, logarithm, (values - self.low) / (self.high - self.low)), nan=0.5)

    def values(self, unit: np.ndarray) -> np.ndarray:
        """The values at parts of their ranges."""
        unit = np.clip(unit, 0, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            logarithm = self.low * (self.high / self.low) ** unit
        return np.where(self.log, logarithm, self.low + (self.high - self.low) * unit)

    def put(self, scene: Scene, unit: np.ndarray) -> None:
        """Gives a scene the values at a point."""
        for path, place, value in zip(self.paths, self.places, self.values(unit)):
            scene.set(path, f"{place}{float(value)!r}" if place else float(value))

    def render(self, unit: np.ndarray) -> tuple[np.ndarray, float, list[float], Any]:
        """The sound at a point, its rate, the frequencies at which its partials are expected, and the result."""
        scene = self.scene.copy()
        if self.duration is not None:
            scene.set("run.duration", self.duration)
        self.put(scene, unit)
        result = scene.render(progress=False, check=False)
        sounds = result.pickups
        name = self.pickup or next(iter(sounds))
        if name not in sounds:
            raise ValueError(f"there is no pickup `{name}`; there are {', '.join(sounds)}")
        rows = [row for row in result.partials.rows if name in row["pickups"].split(" or ")]
        if not rows:
            raise ValueError(f"the pickup `{name}` is on no body with partials that could be compared")
        own = [row for row in rows if row["body"] == rows[0]["body"]]
        expected = list(takewhile(bool, (row["step_hz"] or row["theory_hz"] for row in own)))
        return np.ascontiguousarray(sounds[name]), result.sample_rate, expected[: self.partials], result

    def aim(self, target: Target) -> None:
        """Measures the target, and notes which of its features are compared."""
        read = targets.read(target)
        if isinstance(read, Mapping):
            columns = targets.columns(read)
            self.partials = min(self.partials, max(map(len, columns)))
            self.target, self.tolerance = np.full((self.partials, 3), np.nan), np.full(self.partials, CENTS)
            for i, column in enumerate(columns):
                count = min(len(column), self.partials)
                self.target[:count, i] = column[:count]
        else:
            sound, rate = read
            self.duration = min(len(sound) / rate, float(self.scene.check()["duration"]))
            _, _, expected, _ = self.render(self.start)
            ratio = targets.alignment(sound, rate, expected)
            measured = targets.measured(sound, rate, [ratio * f for f in expected])
            self.target, uncertainty = measured[:, :3], measured[:, 3]
            self.tolerance = CENTS * np.sqrt(1 + (1200 / np.log(2) * uncertainty / self.target[:, 0] / CERTAIN) ** 2)
        self.used = np.isfinite(self.target)
        if not self.used.any():
            raise ValueError("nothing of the target could be measured: no partial is where the scene has them")

    def residuals(self, unit: np.ndarray) -> np.ndarray:
        """The residuals at a point, in units of their tolerances."""
        if len(self.evaluations) >= self.runs:
            raise _Ended
        try:
            sound, rate, expected, result = self.render(unit)
        except (SceneError, RenderError) as error:
            self.enter(unit, np.full(int(self.used.sum()), FAILED), "invalid", None, str(error))
            return np.full(int(self.used.sum()), FAILED)
        found = np.full_like(self.target, np.nan)
        found[: len(expected)] = targets.measured(sound, rate, expected)[:, :3]
        self.found = found
        with np.errstate(invalid="ignore", divide="ignore"):
            cents = 1200 * np.log2(found[:, 0] / self.target[:, 0]) / self.tolerance
            decay = np.log(found[:, 1] / self.target[:, 1]) / DECAY
        level = found[:, 2] - self.target[:, 2]
        # Levels count up to a factor of the whole sound.
        known = np.isfinite(level)
        level = (level - level[known].mean() if known.any() else level) / LEVEL
        all_ = np.stack([cents, decay, level], axis=1)
        missing = ~np.isfinite(all_)
        self.enter(unit, np.where(missing, MISSING, all_)[self.used], result.verdict, result.audit["residual_max_relative"], "")
        return np.where(missing, MISSING, all_ / self.weights)[self.used]

    def weigh(self, unit: np.ndarray) -> bool:
        """Weighs the kinds of residuals by those at a point; whether that changes something."""
        before, residuals = self.weights, self.residuals(unit)
        kinds = np.nonzero(self.used)[1]
        own = [residuals[(kinds == kind) & _sounds(residuals)] for kind in range(3)]
        rms = np.array([np.sqrt(np.mean(r**2)) if r.size else 0.0 for r in own])
        self.weights = np.maximum(rms * before, 1.0)
        return bool(np.any(np.abs(np.log(self.weights / before)) > 0.1))

    def enter(self, unit: np.ndarray, residuals: np.ndarray, verdict: str, balance: float | None, reason: str) -> None:
        """Notes a run."""
        row, cost = dict(zip(self.paths, map(float, self.values(unit)))), 0.5 * float(residuals @ residuals)
        self.evaluations.append(row | {"cost": cost, "verdict": verdict, "residual": balance, "reason": reason})
        if cost < self.closest[0]:
            self.closest = (cost, unit.copy())
        if self.tell:
            self.tell(len(self.evaluations), max(len(self.evaluations), self.runs + self.confidence_runs))

    def scan(self, unit: np.ndarray, cost: Any) -> np.ndarray:
        """The best point on lines through a point, one along each parameter after the other."""
        best, lowest = unit.copy(), np.inf
        for i in range(len(unit)):
            line = np.repeat(best[None, :], SCAN, axis=0)
            line[:, i] = (np.arange(SCAN) + 0.5) / SCAN
            costs = [cost(point) for point in line]
            if min(costs) < lowest:
                best, lowest = line[np.argmin(costs)], min(costs)
        return best

    def solve(self, method: str) -> Fit:
        """Searches and measures the confidence."""
        if method not in METHODS:
            raise ValueError(f"there is no method `{method}`; there are {', '.join(METHODS)}")
        try:
            unit, ended = self.search(method), False
        except _Ended:
            unit, ended = self.closest[1], True
        self.runs = len(self.evaluations) + self.confidence_runs
        return self.judged(unit, ended)

    def search(self, method: str) -> np.ndarray:
        """The point of the least cost."""
        from scipy import optimize
        from scipy.stats import qmc

        cost = lambda unit: 0.5 * float(np.sum(self.residuals(unit) ** 2))
        n = len(self.paths)
        self.weights = np.array(START_WEIGHTS if method == "least-squares" else (1.0, 1.0, 1.0))
        points = np.vstack([self.start, qmc.Halton(n, scramble=False).random(STARTS)[1:]])
        looks = [cost(point) for point in points]
        if all(run["verdict"] == "invalid" for run in self.evaluations):
            raise ValueError(f"no value within the bounds makes a scene that runs: {self.evaluations[0]['reason']}")
        if method == "least-squares":
            descend = lambda start: optimize.least_squares(
                self.residuals, np.clip(start, 1e-6, 1 - 1e-6), bounds=(0, 1), diff_step=STEP, xtol=1e-10, ftol=1e-10, gtol=1e-12, max_nfev=60
            )
            best = descend(points[np.argmin(looks)])
            # A descent may end in a minimum that is not the lowest: of places there is one between each two nodes.
            for _ in range(n):
                lower = self.scan(best.x, cost)
                found = descend(lower)
                if not found.cost < 0.999 * best.cost:
                    break
                best = found
            for _ in range(ROUNDS):
                if not self.weigh(best.x):
                    break
                best = descend(best.x)
            return best.x
        if method == "differential-evolution":
            return optimize.differential_evolution(cost, [(0, 1)] * n, seed=1, tol=1e-10, polish=False).x
        start = points[np.argmin(looks)]
        options = {"xatol": 1e-8, "fatol": 1e-10} if method == "nelder-mead" else {"xtol": 1e-8, "ftol": 1e-12}
        return optimize.minimize(cost, start, method=method, bounds=[(0, 1)] * n, options=options).x

    def judged(self, unit: np.ndarray, ended: bool) -> Fit:
        """The fit at a point: its confidence, and whether it is one."""
        from scipy.stats import t

        n = len(self.paths)
        residuals = self.residuals(unit)
        partials = self.compared()
        step = np.where(unit > 0.5, -STEP, STEP)
        moved = np.stack([self.residuals(unit + step[i] * np.eye(n)[i]) for i in range(n)], axis=1)
        # What does not sound here, or a step beside, has no derivative and tells nothing of the parameters.
        sounds = _sounds(residuals) & _sounds(moved).all(axis=1)
        if not sounds.any():
            raise ValueError("the target was not reached: none of its partials is in the sound of any scene within the bounds")
        missing, kinds = int((~sounds).sum()), np.nonzero(self.used)[1][sounds]
        residuals, jacobian = residuals[sounds], ((moved - residuals[:, None]) / step)[sounds]
        # With no more features than parameters nothing is left over to tell how well they fit: the tolerances do.
        freedom = residuals.size - n
        variance = float(residuals @ residuals) / freedom if freedom > 0 else 1.0
        _, sizes, directions = np.linalg.svd(jacobian, full_matrices=True)
        known = np.zeros(n, dtype=bool)
        known[: sizes.size] = sizes > 1e-9 * max(sizes.max(), 1e-300)
        covariance = np.linalg.pinv(jacobian.T @ jacobian, rcond=1e-18) * variance
        undetermined = (np.abs(directions[~known]) > 1e-3).any(axis=0)
        value = self.values(unit)
        slope = np.where(self.log, value * np.log(np.where(self.log, self.high / self.low, 1)), self.high - self.low)
        half = t.ppf(0.975, max(freedom, 1)) * np.sqrt(np.maximum(np.diag(covariance), 0)) * slope
        half = np.where(undetermined, np.inf, half)
        scene = self.scene.copy()
        self.put(scene, unit)
        parameters = {path: Parameter(float(x), float(c)) for path, x, c in zip(self.paths, value, half)}
        bound = [path for path, x in zip(self.paths, unit) if x < 1e-5 or x > 1 - 1e-5]
        # In units of the tolerances.
        residuals = residuals * self.weights[kinds]
        rms = lambda kind: float(np.sqrt(np.mean(residuals[kinds == kind] ** 2))) if (kinds == kind).any() else np.nan
        off = partials["cents"]
        cents = float(np.sqrt(np.nanmean(off**2))) if np.isfinite(off).any() else np.nan
        decay, level = float(np.exp(DECAY * rms(1))), LEVEL * rms(2)
        share = lambda rows: (jacobian[rows] ** 2).sum(axis=0)
        by_level = [path for path, more in zip(self.paths, share(kinds == 2) > share(kinds != 2)) if more]
        cost, features = 0.5 * float(residuals @ residuals), int(residuals.size)
        found = Fit(scene, parameters, cost, features, missing, cents, decay, level, bound, self.evaluations, partials)
        found.reasons = self.reasons(found, by_level, ended)
        return found

    def compared(self) -> Table:
        """The partials of the target and of the last run."""
        names = ("target_hz", "hz", "cents", "target_t60_s", "t60_s")
        with np.errstate(invalid="ignore"):
            cents = 1200 * np.log2(self.found[:, 0] / self.target[:, 0])
        columns = (self.target[:, 0], self.found[:, 0], cents, self.target[:, 1], self.found[:, 1])
        return Table({"partial": i + 1, **dict(zip(names, map(float, row)))} for i, row in enumerate(zip(*columns)))

    def reasons(self, fit: Fit, by_level: list[str], ended: bool) -> list[str]:
        """Why the parameters, some decided by levels, are not those of the target."""
        reasons = [f"{path} ended at a bound, {fit.parameters[path].value:.8g}; a better value may lie beyond" for path in fit.at_bound]
        if fit.cents > MAX_CENTS:
            reasons.append(f"partials are {fit.cents:.1f} cents off at best (root mean square, limit {MAX_CENTS:g})")
        if fit.decay > MAX_DECAY:
            reasons.append(f"decay times are a factor {fit.decay:.1f} off at best (root mean square, limit {MAX_DECAY:g})")
        if by_level and fit.level > MAX_LEVEL:
            off = f"levels are {fit.level:.1f} dB off at best (root mean square, limit {MAX_LEVEL:g})"
            reasons.append(f"{off}, and decide {', '.join(by_level)}; a better value may lie beyond the bounds")
        if fit.missing > fit.features:
            reasons.append(f"{fit.missing} of the {fit.missing + fit.features} features of the target do not sound in the fitted scene")
        if reasons and ended:
            reasons.append(f"the search ended after {self.runs} runs, its limit; other bounds or start values, or more runs, may lead farther")
        unknown = [path for path, parameter in fit.parameters.items() if not np.isfinite(parameter.confidence)]
        if unknown and not reasons:
            reasons.append(f"{', '.join(unknown)} cannot be told by {counted(fit.features, 'feature')} of the target")
        return reasons


def counted(count: int, noun: str) -> str:
    """A count with its noun, which takes an s in the plural.

    >>> counted(1, "feature"), counted(2, "feature")
    ('1 feature', '2 features')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _sounds(residuals: np.ndarray) -> np.ndarray:
    """Which features are in the sound of their scenes."""
    return (residuals != MISSING) & (residuals != FAILED)


def _place(value: Any) -> str:
    """What stands before the number of a place such as ``string@0.2``."""
    return value[: value.rindex("@") + 1] if isinstance(value, str) and "@" in value else ""


def _number(value: Any) -> float:
    return float(quantity(value[len(_place(value)) :]) if isinstance(value, str) else value)
