//! The poles of the input impedance Z = p/U: the zeros of U(s), the flow into a bore for 1 m³/s out of it.
//!
//!   U(s, λ) = 0,   λ = 0: s = jω without losses and radiation,   λ = 1: s = −σ ± jω of the bore
//!
//! Without losses U(jω) is real, and by Foster's theorem its zeros are simple and interlace with those of p: changes of its sign on a
//! grid that is fine against their mean distance πc/L find them. From there each is followed to λ = 1: the straight
//! line through the last two places predicts, Newton's method corrects, and where it ends too far from the prediction the step of λ
//! is halved, so that no zero jumps to another. Above the cutoff of a bell, where poles are as far from the axis as from
//! each other and Z has no peaks, this finds them as well.

use super::transmission::Line;
use crate::root::root;
use hamiltone_numerics::complex::Complex;
use std::f64::consts::{PI, TAU};

/// Points of the grid for each mean distance of the frequencies.
const POINTS: f64 = 16.0;
/// The first step of λ, and the least.
const STEP: f64 = 0.25;
const LEAST_STEP: f64 = 1.0 / 256.0;
/// The most steps of Newton's method from one λ to the next, and the relative size of the last.
const CORRECTIONS: usize = 8;
const CONVERGED: f64 = 1e-9;
/// How far from its prediction a pole may be, as a part of the mean distance.
const ASIDE: f64 = 0.2;

/// The poles with positive frequencies up to `highest` (Hz), of a bore of this length (m), ω ascending. One that becomes real, or cannot be followed, is left out.
pub(super) fn poles(line: &Line, length: f64, highest: f64) -> Vec<Complex> {
    let distance = PI * line.air.speed / length;
    let mut poles: Vec<Complex> = lossless(line, length, highest)
        .into_iter()
        .filter_map(|omega| follow(line, omega, distance))
        .collect();
    poles.sort_by(|p, q| p.im.total_cmp(&q.im));
    // Two that came to the same one, as far as Newton's method can tell.
    poles.dedup_by(|p, q| (*p - *q).abs() < 1e-6 * q.abs());
    poles
}

/// ω of the zeros of U(jω, 0) up to `highest`.
fn lossless(line: &Line, length: f64, highest: f64) -> Vec<f64> {
    let flow = |f: f64| line.state(Complex::new(0.0, TAU * f), 0.0).flow.re;
    let count = (highest * 2.0 * length / line.air.speed * POINTS).ceil();
    let mut zeros = Vec::new();
    let mut before = (0.0, 1.0);
    for k in 1..=count as usize {
        let f = highest * k as f64 / count;
        let here = flow(f);
        if (here > 0.0) != (before.1 > 0.0) {
            zeros.push(TAU * root(before.0, f, flow));
        }
        before = (f, here);
    }
    zeros
}

/// The pole that jω of λ = 0 becomes.
fn follow(line: &Line, omega: f64, distance: f64) -> Option<Complex> {
    let (mut s, mut lambda, mut slope, mut step) = (Complex::new(0.0, omega), 0.0, Complex::default(), STEP);
    while lambda < 1.0 {
        let next = (lambda + step).min(1.0);
        let guess = s + slope * (next - lambda);
        match newton(line, guess, next).filter(|found| (*found - guess).abs() < ASIDE * distance) {
            Some(found) => {
                slope = (found - s) * (1.0 / (next - lambda));
                (s, lambda, step) = (found, next, 1.5 * step);
            }
            None if step > LEAST_STEP => step *= 0.5,
            None => return None,
        }
    }
    // On the real axis there are two in place of a pair, and near it there is nothing that oscillates.
    (s.im > 1e-3 * s.abs() && s.re < 0.0).then_some(s)
}

/// The zero near a guess.
fn newton(line: &Line, mut s: Complex, lambda: f64) -> Option<Complex> {
    for _ in 0..CORRECTIONS {
        let flow = |s: Complex| line.state(s, lambda).flow;
        let apart = 1e-6 * s.abs();
        let slope = (flow(s + apart.into()) - flow(s - apart.into())) * (0.5 / apart);
        let step = flow(s) / slope;
        s = s - step;
        if !(s.re.is_finite() && s.im.is_finite()) {
            return None;
        }
        if step.abs() < CONVERGED * s.abs() {
            return Some(s);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bore::{Air, Radiation, transmission::Part};

    /// A cylinder: U = cosh GL + Z_r sinh GL/Z_c. Without losses (2n − 1)πc/2L, all of them; with losses lower, and each a zero.
    #[test]
    fn poles_of_a_cylinder_are_odd_harmonics() {
        let parts = vec![Part::Slice { length: 0.66, left: 0.0075, right: 0.0075 }];
        let line = Line { parts, end: 0.0075, radiation: Radiation::Unflanged, air: Air::at(20.0).unwrap() };
        let first = PI * line.air.speed / (2.0 * 0.66);
        let found = lossless(&line, 0.66, 8000.0);
        assert_eq!(found.len(), 31);
        for (n, omega) in found.iter().enumerate() {
            assert!((omega / first / (2 * n + 1) as f64 - 1.0).abs() < 1e-12, "{n}");
        }
        let poles = poles(&line, 0.66, 8000.0);
        assert_eq!(poles.len(), 31);
        for (pole, omega) in poles.iter().zip(&found) {
            let (own, beside) = (line.state(*pole, 1.0).flow, line.state(*pole * 1.01, 1.0).flow);
            assert!(own.abs() < 1e-7 * beside.abs() && pole.im < *omega && pole.re < 0.0, "{pole:?}");
        }
    }
}
