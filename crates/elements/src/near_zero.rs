//! Where a formula takes series near 0: where terms of it cancel there, as in exp(Bx) − 1 − Bx.
//!
//! **The judge.** With δ the bounds of the rounding of u and u′ by the program ([`crate::rounding`]) and δₛ those by the series
//! ([`crate::expansion`]), both relative to u and u′, a sum, difference or quotient u takes its series up to the ρ where
//!
//!   δₛ ≤ max(δ, 32 ε, 8p ε)
//!
//! ends, p being its least power (the p-th power has p times the rounding of x/d), at places from 10⁻¹² X to X, if that gains three binary digits somewhere. Parts come before the whole: in
//! (cosh(x/a) − 1)(x/b − tanh(x/b)) each factor has a series as long as its own scale allows. A formula whose V′ is known to
//! 32 ε everywhere is left as it is.
//!
//! **The powers.** A series with the least power p ends at C = max(28, 7p): it has as many terms as cosh z − 1 − z²/2 has with
//! powers of z below 28, whatever power of x z is. C ≤ 224 bounds its cost. Its σ is the last place at which u or u′ is not
//! known to 32 ε.

use crate::{
    expansion::{Expansion, Near},
    places,
    program::Program,
    rounding::{Rounded, UNIT},
    series::Series,
    term::SAME,
};
use hamiltone_numerics::math;

/// The least and the largest C, what of the least power C is, and up to what of C powers are known.
const CUT: f64 = 28.0;
const LONGEST: f64 = 8.0 * CUT;
const TERMS: f64 = 7.0;
const BEYOND: f64 = 1.5;
/// What the series must gain somewhere.
const GAIN: f64 = 8.0;
/// What V′ rounds where nothing cancels, in units of ε, for each power p of x. By the table of [`crate::rounding`] V = K(x/d)ᵖ has
/// 2p + 4 ≤ 4p (p ≥ 2): 3 of (x/d)′, 2(p − 1) of x/d in (x/d)ᵖ⁻¹, 1 of the power and 2 of the factor K. Twice that leaves room for a
/// second factor or term.
const EACH: f64 = 8.0;
/// The same for the powers up to p = 4, which contact laws have.
const ENOUGH: f64 = 4.0 * EACH;
/// Bounds below are of what is below the range of numbers.
const NOTHING: f64 = f64::MIN_POSITIVE / f64::EPSILON / f64::EPSILON;

/// The program with series where they are nearer, for these sides, 1 and −1, up to the reach X.
pub(crate) fn with_series(program: Program, sides: &[f64], reach: f64) -> Program {
    let rounds = |side: f64| {
        places::coarse(reach).map(move |t| side * t).any(|x| Bounds::of(&program, x).relative()[1] > ENOUGH)
    };
    if !sides.iter().any(|side| rounds(*side)) {
        return program;
    }
    let mut found = Vec::new();
    for part in program.sums() {
        let own = program.part(&part, &found);
        let near =
            [1.0, -1.0].map(|side| sides.contains(&side).then(|| expansion(&own, side, reach)).flatten());
        if near.iter().any(Option::is_some) {
            found.push((part, Near(near)));
        }
    }
    program.part(&program.all(), &found)
}

/// u and u′ at a place, and bounds of their rounding in units of ε.
struct Bounds {
    of: [f64; 2],
    rounding: [f64; 2],
}

impl Bounds {
    fn of(program: &Program, x: f64) -> Self {
        let Rounded { at, value, rate } = program.on(x, 0.0);
        Self { of: [at.to, at.rate], rounding: [value, rate] }
    }

    fn relative(&self) -> [f64; 2] {
        [0, 1].map(|i| {
            let bound = self.rounding[i] / self.of[i].abs();
            if self.rounding[i] < NOTHING {
                return 0.0;
            }
            if bound.is_finite() { bound } else { f64::INFINITY }
        })
    }

    /// Whether both are as near to each other as their bounds tell.
    fn agrees(&self, other: &Self) -> bool {
        [0, 1].iter().all(|&i| {
            let (apart, bound) = ((self.of[i] - other.of[i]).abs(), self.rounding[i] + other.rounding[i]);
            !bound.is_finite() || apart <= UNIT * bound.max(NOTHING)
        })
    }
}

/// The series of a part on a side before ρ is known.
fn longest(part: &Program, side: f64, scale: f64) -> Option<Expansion> {
    let series = |cut: f64| part.on::<Series>(side * scale, BEYOND * cut);
    let least = |series: &Series| series.terms.iter().map(|term| term.power).find(|power| *power >= SAME);
    let (mut cut, mut found) = (CUT, series(CUT));
    while least(&found).is_none() && !found.is_whole && cut < LONGEST {
        cut *= 2.0;
        found = series(cut);
    }
    let wanted = (TERMS * least(&found)?).clamp(CUT, LONGEST);
    if wanted > cut {
        (cut, found) = (wanted, series(wanted));
    }
    Expansion::of(side, scale, found.terms, found.is_whole, cut)
}

/// The series of a part on a side; `None` where it gains nothing.
fn expansion(part: &Program, side: f64, reach: f64) -> Option<Expansion> {
    let all: Vec<(f64, Bounds)> = places::coarse(reach).map(|t| (t, Bounds::of(part, side * t))).collect();
    let rounds = |(_, direct): &&(f64, Bounds)| direct.relative().iter().any(|bound| *bound > ENOUGH);
    let scale = all.iter().rfind(rounds)?.0;
    let mut expansion = longest(part, side, math::pow(2.0, math::log2(scale).round()))?;
    let enough = ENOUGH.max(EACH * expansion.least());
    let mut gain = 0.0_f64;
    for (t, direct) in all {
        let x = side * t;
        let slope = expansion.slope(x, 0.0);
        let own = Bounds { of: [slope.to, slope.rate], rounding: expansion.rounding(x) };
        let (from, to) = (direct.relative(), own.relative());
        if !([0, 1].iter().all(|&i| to[i] <= from[i].max(enough)) && own.agrees(&direct)) {
            break;
        }
        expansion.reach = t;
        gain = [0, 1].iter().filter(|&&i| from[i] > ENOUGH).fold(gain, |gain, &i| gain.max(from[i] / to[i]));
    }
    (gain >= GAIN).then_some(expansion)
}
