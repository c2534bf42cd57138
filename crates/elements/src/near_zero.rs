//! Where a formula takes series near 0: where terms of it cancel there, as in exp(Bx) − 1 − Bx.
//!
//! **The judge.** With δ the bounds of the rounding of u and u′ by the program ([`crate::rounding`]) and δₛ those by the series
//! ([`crate::expansion`]), both relative to u and u′, a sum, difference or quotient u takes its series up to the ρ where
//!
//!   δₛ ≤ max(δ, 32 ε)
//!
//! ends, at places from 10⁻¹² X to X, if that gains three binary digits somewhere. Parts come before the whole: in
//! (cosh(x/a) − 1)(x/b − tanh(x/b)) each factor has a series as long as its own scale allows. A formula whose V′ is known to
//! 32 ε everywhere is left as it is.

use crate::{
    expansion::{Expansion, Near},
    program::Program,
    rounding::Rounded,
    series::Series,
};
use hamiltone_numerics::math;

/// Places a decade, and decades.
const PLACES: (i32, i32) = (10, 12);
/// What the series must gain somewhere.
const GAIN: f64 = 8.0;
/// What sums of powers and products round, in units of ε of the force: nothing cancels.
const ENOUGH: f64 = 32.0;
/// How much farther from each other than both bounds series and program may be: functions and divided differences round more than
/// once.
const APART: f64 = 64.0 * f64::EPSILON;

/// The program with series where they are nearer, for these sides, 1 and −1, up to the reach X.
pub(crate) fn with_series(program: Program, sides: &[f64], reach: f64) -> Program {
    let rounds = |side: f64| {
        places(reach).map(move |t| side * t).any(|x| Bounds::of(&program, x).relative()[1] > ENOUGH)
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

fn places(reach: f64) -> impl Iterator<Item = f64> {
    let (each, decades) = PLACES;
    (0..=each * decades)
        .map(move |k| reach * math::pow(10.0, f64::from(k - each * decades) / f64::from(each)))
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
            if bound.is_finite() { bound } else { f64::INFINITY }
        })
    }

    /// Whether both are as near to each other as their bounds tell.
    fn agrees(&self, other: &Self) -> bool {
        [0, 1].iter().all(|&i| {
            let (apart, bound) = ((self.of[i] - other.of[i]).abs(), self.rounding[i] + other.rounding[i]);
            !bound.is_finite() || apart <= APART * bound
        })
    }
}

/// The series of a part on a side; `None` where it gains nothing.
fn expansion(part: &Program, side: f64, reach: f64) -> Option<Expansion> {
    let Series { terms, is_whole } = part.on(side, 0.0);
    let mut expansion = Expansion::of(side, terms, is_whole)?;
    let mut gain = 0.0_f64;
    for t in places(reach) {
        let (x, direct) = (side * t, Bounds::of(part, side * t));
        let slope = expansion.slope(x, 0.0);
        let own = Bounds { of: [slope.to, slope.rate], rounding: expansion.rounding(x) };
        let (from, to) = (direct.relative(), own.relative());
        if !([0, 1].iter().all(|&i| to[i] <= from[i].max(ENOUGH)) && own.agrees(&direct)) {
            break;
        }
        expansion.reach = t;
        gain = [0, 1].iter().filter(|&&i| from[i] > ENOUGH).fold(gain, |gain, &i| gain.max(from[i] / to[i]));
    }
    (gain >= GAIN).then_some(expansion)
}
