//! Partials of a string whose end a body carries, and the tension at which it sounds as asked.
//!
//!   1/C(s) + k(s) = 0,   C(s) = Σ φ²/(ms² + Rs + K) of the body,   k(s) = κ + Σ Kₙbₙ²(1 − Kₙ/(mₙs² + Rₙs + Kₙ)) of the string
//!
//! s = −σ + jω: one pole near each partial of the string alone, whose frequency the body changes and whose energy it takes. To first order
//! the shift is −jω 2Zf C(jω)·jω of a string of the impedance Z and frequency f: downwards where the body is a spring there, upwards where
//! it is a mass (Weinreich 1977). Each string is looked at alone on its body: unisons and other strings move its poles further.
//!
//! The pole is followed from that of the string alone while the coupling λk grows from λ = 0 to 1.

use hamiltone_core::{
    body::Standing,
    operator::Operator,
    row::Row,
    system::{Block, System},
};
use hamiltone_numerics::{complex::Complex, math::square};
use std::f64::consts::TAU;

/// A mode: kg, kg/s, N/m, and what it is worth at the place: φ of a body, b of a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarriedMode {
    /// m, kg.
    pub mass: f64,
    /// R, kg/s.
    pub damping: f64,
    /// K, N/m.
    pub stiffness: f64,
    /// φ or b.
    pub weight: f64,
}

impl CarriedMode {
    /// ms² + Rs + K.
    fn at(&self, s: Complex) -> Complex {
        s * s * self.mass + s * self.damping + self.stiffness.into()
    }

    /// Its pole with ω > 0, or its slower one.
    fn pole(&self) -> Complex {
        let sigma = 0.5 * self.damping / self.mass;
        let square = self.stiffness / self.mass - sigma * sigma;
        if square > 0.0 {
            Complex::new(-sigma, square.sqrt())
        } else {
            Complex::new((-square).sqrt() - sigma, 0.0)
        }
    }
}

/// A pole of a string on its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial {
    /// Hz.
    pub frequency: f64,
    /// σ, 1/s.
    pub decay: f64,
}

/// In so many parts the coupling grows.
const PARTS: usize = 24;
/// Newton steps for each of them.
const STEPS: usize = 30;
/// How well s is found, relative to it, and what is taken where rounding leaves more.
const TOLERANCE: f64 = 1e-13;
const USABLE: f64 = 1e-9;
/// So many tensions are tried.
const TENSIONS: usize = 60;
/// How well the frequency is met: 10⁻⁹ cents.
const MET: f64 = 1e-12;

/// The modes of a system under a row, without links; `None` where springs of a grid couple them.
fn modes(system: &System, row: &Row) -> Option<Vec<CarriedMode>> {
    let stiffness = diagonal(system, row, |block| &block.stiffness)?;
    let damping = diagonal(system, row, |block| &block.damping)?;
    let mode = |(i, weight): (usize, f64)| CarriedMode {
        mass: system.mass[i],
        damping: damping[i],
        stiffness: stiffness[i],
        weight,
    };
    Some(row.entries().filter(|(_, w)| *w != 0.0).map(mode).collect())
}

/// The diagonal of K or R, unless a grid couples coordinates of the row. Links and suspensions detune a body as they do a real one: they are left
/// out, as of every other theory of its partials.
fn diagonal(system: &System, row: &Row, part: impl Fn(&Block) -> &Operator) -> Option<Vec<f64>> {
    let mut diagonal = vec![0.0; system.size()];
    for block in &system.blocks {
        match part(block) {
            Operator::Diagonal(k) => {
                diagonal[block.dofs.clone()].iter_mut().zip(k).for_each(|(d, k)| *d += k)
            }
            Operator::Stencils(_) if row.entries().any(|(i, w)| w != 0.0 && block.dofs.contains(&i)) => {
                return None;
            }
            Operator::Zero | Operator::Strains(_) | Operator::Stencils(_) => {}
        }
    }
    Some(diagonal)
}

/// A string on a body, each by its modes.
#[derive(Clone, Debug)]
pub struct Carried {
    string: Vec<CarriedMode>,
    body: Vec<CarriedMode>,
    straight: f64,
}

impl Carried {
    /// The string `standing` of `system`, whose `end` (0 left, 1 right) is carried by the place with this row; κ is `straight`, N/m.
    /// `None` where one of them has no modes.
    pub fn new(system: &System, standing: &Standing, end: usize, place: &Row, straight: f64) -> Option<Self> {
        let lift = Row::Dense { first: standing.first, weights: standing.lifts[end].clone() };
        let (string, body) = (modes(system, &lift)?, modes(system, place)?);
        (!string.is_empty() && !body.is_empty()).then_some(Self { string, body, straight })
    }

    /// The pole near partial n = 1, 2, … of the string alone; `None` where it is not found.
    pub fn partial(&self, n: usize) -> Option<Partial> {
        let own = self.string.get(n.checked_sub(1)?)?;
        let mut s = own.pole();
        for part in 1..=PARTS {
            s = self.near(own, s, square(part as f64 / PARTS as f64))?;
        }
        (s.im > 0.0).then(|| Partial { frequency: s.im / TAU, decay: -s.re })
    }

    /// The root near s at the coupling λ, by Newton's method. All of it is multiplied by the string's own mode, whose pole it is at λ = 0.
    fn near(&self, own: &CarriedMode, mut s: Complex, lambda: f64) -> Option<Complex> {
        let mut missed = f64::INFINITY;
        for _ in 0..STEPS {
            let here = self.residual(own, s, lambda);
            let apart = 1e-7 * s.square().sqrt().max(1.0);
            let (before, after) = (s - apart.into(), s + apart.into());
            let rise = self.residual(own, after, lambda) - self.residual(own, before, lambda);
            let slope = rise * (0.5 / apart);
            let step = here / slope;
            if !(step.re.is_finite() && step.im.is_finite()) {
                return None;
            }
            s = s - step;
            missed = step.square() / s.square();
            if missed <= square(TOLERANCE) {
                break;
            }
        }
        (missed <= square(USABLE)).then_some(s)
    }

    /// D/C + λDk with D = ms² + Rs + K of the string's own mode.
    fn residual(&self, own: &CarriedMode, s: Complex, lambda: f64) -> Complex {
        let d = own.at(s);
        let compliance: Complex =
            self.body.iter().map(|mode| Complex::from(square(mode.weight)) / mode.at(s)).sum();
        let others = self.string.iter().filter(|mode| !std::ptr::eq(*mode, own));
        // 1 − K/(ms² + Rs + K) without the cancellation: (ms² + Rs)/(ms² + Rs + K).
        let follows = |mode: &CarriedMode| {
            let moving = s * (s * mode.mass + mode.damping.into());
            moving * (mode.stiffness * square(mode.weight)) / (moving + mode.stiffness.into())
        };
        let rest: Complex = others.map(follows).sum();
        let moving = s * (s * own.mass + own.damping.into());
        let itself = moving * (own.stiffness * square(own.weight));
        d / compliance + (d * (rest + self.straight.into()) + itself) * lambda
    }

    /// The same string under a tension that is changed by a factor.
    #[must_use]
    pub fn at_tension(&self, by_tension: &[f64], factor: f64) -> Self {
        let mut tuned = self.clone();
        for (mode, part) in tuned.string.iter_mut().zip(by_tension) {
            mode.stiffness += (factor - 1.0) * part;
        }
        tuned.straight *= factor;
        tuned
    }

    /// The factor of the tension at which partial 1 is at `frequency` (Hz), `by_tension` being the part of each Kₙ that is proportional
    /// to it, N/m; `None` where none is found.
    pub fn tension(&self, by_tension: &[f64], frequency: f64) -> Option<f64> {
        let mut factor = 1.0;
        for _ in 0..TENSIONS {
            let ratio = frequency / self.at_tension(by_tension, factor).partial(1)?.frequency;
            if (ratio - 1.0).abs() <= MET {
                return Some(factor);
            }
            // ω² is nearly proportional to the tension.
            factor *= square(ratio);
            if !(0.25..=4.0).contains(&factor) {
                return None;
            }
        }
        None
    }
}

/// Changes the tension of a string in its system by a factor: `by_tension` is the part of its springs that is proportional to it, N/m.
pub fn retension(system: &mut System, first: usize, by_tension: &[f64], factor: f64) {
    for block in system.blocks.iter_mut().filter(|block| block.dofs.start == first) {
        if let Operator::Diagonal(k) = &mut block.stiffness {
            k.iter_mut().zip(by_tension).for_each(|(k, part)| *k += (factor - 1.0) * part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string() -> Vec<CarriedMode> {
        // C4: 0.66 m, 6.26 g/m, 747 N.
        let mode = |n: usize| {
            let k = n as f64 * std::f64::consts::PI / 0.66;
            let sign = if n % 2 == 1 { 1.0 } else { -1.0 };
            CarriedMode {
                mass: 0.5 * 6.26e-3 * 0.66,
                damping: 0.0,
                stiffness: 0.5 * 0.66 * 747.0 * k * k,
                weight: sign * 2.0 / (n as f64 * std::f64::consts::PI),
            }
        };
        (1..=40).map(mode).collect()
    }

    /// A body that is a spring lowers a string, one that is a mass raises it, by 2Zf Im Y/ω of the frequency to first order; a resistance takes
    /// σ = 2fZ Re Y.
    #[test]
    fn a_body_shifts_and_damps_a_string_by_its_mobility() {
        let body = |mass: f64, damping: f64, stiffness: f64| {
            vec![CarriedMode { mass, damping, stiffness, weight: 1.0 }]
        };
        let z = (747.0_f64 * 6.26e-3).sqrt();
        let alone = string()[0].pole().im;
        let f = alone / TAU;
        for (body, mobility) in [
            (body(1e-9, 0.0, 4e6), Complex::new(0.0, alone / 4e6)),
            (body(5.0, 0.0, 1e-3), Complex::new(0.0, -1.0 / (5.0 * alone))),
            (body(1e-9, 2e3, 1e-3), Complex::new(1.0 / 2e3, 0.0)),
        ] {
            let carried = Carried { string: string(), body, straight: 747.0 / 0.66 };
            let partial = carried.partial(1).expect("a pole");
            let (shift, decay) = (-2.0 * z * f * mobility.im, 2.0 * z * f * mobility.re);
            // To first order in the mobility times the impedance, and 40 modes of the string.
            assert!(
                (TAU * partial.frequency - alone - shift).abs() <= 0.03 * shift.abs() + 0.01,
                "{partial:?} {shift}"
            );
            assert!((partial.decay - decay).abs() <= 0.03 * decay + 1e-3, "{partial:?} {decay}");
        }
    }

    #[test]
    fn a_string_is_tuned_on_its_body() {
        let body = vec![CarriedMode {
            mass: 3.0,
            damping: 100.0,
            stiffness: 3.0 * square(TAU * 250.0),
            weight: 1.0,
        }];
        let carried = Carried { string: string(), body, straight: 747.0 / 0.66 };
        let by_tension: Vec<f64> = string().iter().map(|mode| mode.stiffness).collect();
        let factor = carried.tension(&by_tension, 261.6).expect("a tension");
        let frequency = carried.at_tension(&by_tension, factor).partial(1).expect("a pole").frequency;
        assert!((frequency / 261.6 - 1.0).abs() <= 2.0 * MET, "{frequency}");
    }
}
