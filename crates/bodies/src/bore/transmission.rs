//! Plane and spherical waves in a tube with losses at its walls, in the Laplace variable s: transmission matrices.
//!
//!   −p_x = Z_v U,   −U_x = Y_t p,   Z_v = (sρ/S)/F(sρr²/μ),   Y_t = (sS/ρc²)(γ − (γ − 1)F(sρC_p r²/κ))
//!
//! (Zwikker & Kosten 1949; F in `boundary_layer.rs`), p (Pa), U (m³/s), S = πr². A slice of a cone of length l, radii r₁ and
//! r₂ = r₁ + δ, takes the losses of its mean radius r̄; with w = Z_vY_t l² it is
//!
//!   ⎡p₁⎤   ⎡a  b⎤ ⎡p₂⎤    a = (r₂C − δS)/r₁,   b = Z_v l S r̄²/(r₁r₂)
//!   ⎣U₁⎦ = ⎣c  d⎦ ⎣U₂⎦    d = (r₁C + δS)/r₂,   c = Y_t l (r₁r₂S + δ²T)/r̄²
//!   C = cosh √w,   S = sinh √w/√w,   T = (C − S)/w
//!
//! A cylinder is δ = 0. All three are entire functions of w: there is no branch of a root for which a zero could be missed.
//! A hole is a shunt Z = N/D to the tube: its chimney of length h + t_m, closed or with the radiation of a flange at its end, and an inertance
//! ρt_i/S_h, with δ = b/a of hole and tube,
//!
//!   t_m = bδ(1 + 0.207δ³)/8,   t_i = b(0.82 − 0.193δ − 1.09δ² + 1.27δ³ − 0.71δ⁴)
//!
//! (Nederveen, Jansen & van Hassel 1998; Dubos et al. 1999; the small series inertance is left out). Multiplied by N its matrix has no poles.
//! Radiation, x = sr/c (Silva et al. 2009, Padé approximants that are passive at all frequencies):
//!
//!   Z_r = (ρc/S) ((d₁ − n₁)x + d₂x²)/(2 + (d₁ + n₁)x + d₂x²)
//!
//! Losses and radiation may be taken in part, λ < 1: 1 − λ(1 − F) for F, and λZ_r.

use super::{air::Air, boundary_layer::follows};
use hamiltone_numerics::complex::Complex;
use std::f64::consts::PI;

/// What the open end of a tube is surrounded by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Radiation {
    /// Nothing: the wall of the tube is thin.
    #[default]
    Unflanged,
    /// An infinite wall.
    Flanged,
}

impl Radiation {
    /// Z_r(s) of a radius r.
    fn impedance(self, s: Complex, r: f64, air: &Air) -> Complex {
        let [n1, d1, d2] = match self {
            Self::Unflanged => [0.167, 1.393, 0.457],
            Self::Flanged => [0.182, 1.825, 0.649],
        };
        let x = s * (r / air.speed);
        let square = x * x * d2;
        (x * (d1 - n1) + square) / (Complex::from(2.0) + x * (d1 + n1) + square)
            * (air.density * air.speed / (PI * r * r))
    }
}

/// A part of a tube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    /// A slice of a cone.
    Slice { length: f64, left: f64, right: f64 },
    /// A hole in the side: the radii of the tube and of the hole, the height of its chimney.
    Hole { tube: f64, radius: f64, height: f64, open: bool },
}

/// 1/n!.
const INVERSE_FACTORIALS: [f64; 22] = {
    let mut all = [1.0; 22];
    let mut n = 1;
    while n < 22 {
        all[n] = all[n - 1] / n as f64;
        n += 1;
    }
    all
};

/// C, S and T of w.
fn waves(w: Complex) -> [Complex; 3] {
    if w.square() > 1.0 {
        let root = w.sqrt();
        let grows = root.exp();
        let falls = Complex::from(1.0) / grows;
        let (c, s) = ((grows + falls) * 0.5, (grows - falls) * 0.5 / root);
        return [c, s, (c - s) / w];
    }
    // Σ wᵏ/(2k)!, Σ wᵏ/(2k + 1)! and Σ (2k + 2)wᵏ/(2k + 3)!, up to 1/20!: below |w| = 1 the differences for S and T would cancel.
    let mut sums = [Complex::default(); 3];
    for k in (0..10).rev() {
        let of = |n: usize| INVERSE_FACTORIALS[2 * k + n];
        let next = [of(0), of(1), of(3) * (2 * k + 2) as f64];
        sums.iter_mut().zip(next).for_each(|(sum, next)| *sum = *sum * w + next.into());
    }
    sums
}

/// Pressure and flow at a place, for a flow of 1 m³/s out of the open end, and the flow out of the end and all open holes right of the place:
/// all three times one number, ∏N of the holes.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub pressure: Complex,
    pub flow: Complex,
    pub out: Complex,
}

/// A tube with an open right end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// From left to right.
    pub parts: Vec<Part>,
    /// The radius at the open end, m.
    pub end: f64,
    pub radiation: Radiation,
    pub air: Air,
}

impl Line {
    /// What is at the left end, at s and λ.
    pub fn state(&self, s: Complex, lambda: f64) -> State {
        let pressure = self.radiation.impedance(s, self.end, &self.air) * lambda;
        let end = State { pressure, flow: 1.0.into(), out: 1.0.into() };
        self.parts.iter().rev().fold(end, |state, part| match *part {
            Part::Slice { length, left, right } => {
                let [a, b, c, d] = self.slice(s, lambda, [length, left, right]);
                let State { pressure: p, flow: u, out } = state;
                State { pressure: a * p + b * u, flow: c * p + d * u, out }
            }
            Part::Hole { tube, radius, height, open } => {
                let [n, d] = self.shunt(s, lambda, tube, radius, height, open);
                let State { pressure, flow, out } = state;
                let escapes = if open { pressure / s } else { Complex::default() };
                State { pressure: pressure * n, flow: flow * n + pressure * d, out: out * n + escapes }
            }
        })
    }

    /// Z = p/U at the left end.
    pub fn impedance(&self, s: Complex) -> Complex {
        let State { pressure, flow, .. } = self.state(s, 1.0);
        pressure / flow
    }

    /// a, b, c and d of a slice of a cone: length, radii.
    fn slice(&self, s: Complex, lambda: f64, [length, left, right]: [f64; 3]) -> [Complex; 4] {
        let Air { density, speed, viscosity, conductivity, heat, ratio } = self.air;
        let (mean, delta) = (0.5 * (left + right), right - left);
        let (area, square) = (PI * mean * mean, mean * mean);
        let [mut inertia, mut compliance] =
            [s * (density / area * length), s * (area / (density * speed * speed) * length)];
        if lambda > 0.0 {
            let one = Complex::from(1.0);
            let part = |z: f64| (one - follows(s * z)) * lambda;
            inertia = inertia / (one - part(density * square / viscosity));
            compliance = compliance * (one + part(density * heat * square / conductivity) * (ratio - 1.0));
        }
        let [c, sh, t] = waves(inertia * compliance);
        [
            c * (right / left) - sh * (delta / left),
            inertia * sh * (square / (left * right)),
            compliance * (sh * (left * right / square) + t * (delta * delta / square)),
            c * (left / right) + sh * (delta / right),
        ]
    }

    /// N and D of a hole, Z = N/D; both over s of an open one, so that they are real and imaginary without losses like those of a closed one.
    fn shunt(&self, s: Complex, lambda: f64, tube: f64, r: f64, height: f64, open: bool) -> [Complex; 2] {
        let delta = r / tube;
        let square = delta * delta;
        let matching = r * delta * (1.0 + 0.207 * square * delta) / 8.0;
        let inner = r * (0.82 - 0.193 * delta + square * (-1.09 + delta * (1.27 - 0.71 * delta)));
        let [a, b, c, d] = self.slice(s, lambda, [height + matching, r, r]);
        let mass = s * (self.air.density * inner / (PI * r * r));
        if !open {
            return [a + mass * c, c];
        }
        let load = Radiation::Flanged.impedance(s, r, &self.air) * lambda;
        let below = c * load + d;
        [(a * load + b + mass * below) / s, below / s]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn line(parts: Vec<Part>, end: f64) -> Line {
        Line { parts, end, radiation: Radiation::Unflanged, air: Air::at(20.0).unwrap() }
    }

    fn slice(length: f64, left: f64, right: f64) -> Part {
        Part::Slice { length, left, right }
    }

    /// Without losses: Z = j(ρc/S) tan kL of an open cylinder; U/p = (S₁/jρc)(cot kL + 1/kx₁) of an open cone with its apex at x₁ left of it.
    #[test]
    fn lossless_limits_are_those_of_textbooks() {
        for f in [3.0, 130.0, 871.0, 4400.0] {
            let s = Complex::new(0.0, TAU * f);
            let (air, k) = (Air::at(20.0).unwrap(), TAU * f / Air::at(20.0).unwrap().speed);
            let z = |line: &Line| {
                let State { pressure, flow, .. } = line.state(s, 0.0);
                pressure / flow
            };
            let own = z(&line(vec![slice(0.4, 0.01, 0.01); 2], 0.01)).im;
            let exact = air.density * air.speed / (PI * 1e-4) * (k * 0.8).tan();
            assert!((own / exact - 1.0).abs() < 1e-11, "{f} Hz: {own} {exact}");
            let cone = line(vec![slice(0.3, 0.01, 0.02), slice(0.6, 0.02, 0.04)], 0.04);
            let own = Complex::from(1.0) / z(&cone);
            let exact = -(1.0 / (k * 0.9).tan() + 1.0 / (k * 0.3)) * PI * 1e-4 / (air.density * air.speed);
            assert!((own.im / exact - 1.0).abs() < 1e-10, "{f} Hz: {own:?} {exact}");
        }
    }

    /// Reciprocity: ad − bc = 1, for short and long slices and anywhere in the plane.
    #[test]
    fn matrices_have_the_determinant_1() {
        let line = line(Vec::new(), 0.01);
        for s in [Complex::new(-40.0, 900.0), Complex::new(0.0, 3e4), Complex::new(-3000.0, 2e4)] {
            for cone in [[1e-3, 0.004, 0.0042], [0.02, 0.01, 0.02], [0.7, 0.01, 0.01]] {
                let [a, b, c, d] = line.slice(s, 1.0, cone);
                let off = a * d - b * c - 1.0.into();
                assert!(off.abs() < 1e-13 * (a * d).abs().max(1.0), "{off:?}");
            }
        }
    }

    /// Poiseuille: p/U → 8μL/πr⁴ at low frequencies.
    #[test]
    fn slow_flow_is_poiseuilles() {
        let narrow = line(vec![slice(0.1, 1e-3, 1e-3)], 1e-3);
        let z = narrow.impedance(Complex::new(0.0, 0.01)).re;
        let exact = 8.0 * narrow.air.viscosity * 0.1 / (PI * 1e-12);
        assert!((z / exact - 1.0).abs() < 1e-6, "{z} {exact}");
    }

    /// All that flows into a short tube at low frequencies comes out of it, through whatever openings.
    #[test]
    fn what_flows_in_flows_out() {
        let hole = |open| Part::Hole { tube: 0.01, radius: 0.004, height: 0.003, open };
        for open in [false, true] {
            let State { flow, out, .. } =
                line(vec![slice(0.02, 0.01, 0.01), hole(open), slice(0.03, 0.01, 0.01)], 0.01)
                    .state(Complex::new(0.0, 1.0), 1.0);
            assert!((out / flow - 1.0.into()).abs() < 1e-6, "{out:?} {flow:?}");
        }
    }
}
