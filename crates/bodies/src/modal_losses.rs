//! The losses that a body can follow mode by mode, as a scene states them.
//!
//!   σ = πf/Q,   1/Q = 1/Q_air + 1/Q_ve + 1/Q_te
//!   1/Q_air = R/2πμf,   R = 2πη + 2πd√(πηρf)          friction with the air, Stokes
//!   1/Q_ve = 4π²μEIδf²/τ²                            viscoelasticity of the material
//!   1/Q_te                                           thermoelasticity, dislocations: a constant
//!
//! Valette & Cuesta 1993; Issanchou, Bilbao, Le Carrou, Touzé & Doaré 2017. μ (kg/m) mass per length, d (m) diameter,
//! EI (N m²) bending stiffness, τ (N) tension, δ (–) the loss angle; η = 1.8·10⁻⁵ kg/(m s) and ρ = 1.2 kg/m³ of air at
//! 20 °C. Or of any body by a table of decay times, straight between its points in the logarithms and constant beyond,
//!
//!   σ = 3 ln 10/T₆₀(f)

use crate::{
    losses::{D1, D3, T60, losses, wave},
    modal::Modal,
};
use hamiltone_core::parameter::{
    Absent, Complaint, OneOf, Parameter, Range, Role, Rule, Table, Takes, Values,
};
use hamiltone_numerics::math::{exp, log, square};
use std::f64::consts::{LN_10, PI};

/// η of air, kg/(m s).
const VISCOSITY: f64 = 1.8e-5;
/// ρ of air, kg/m³.
const AIR: f64 = 1.2;

/// d₁ and d₃, decay times, or a string's quality factors.
pub(crate) const STRING_LOSS: Parameter = Parameter {
    name: "loss",
    takes: Takes::Table(Table {
        parameters: &[
            D1,
            D3,
            T60,
            Parameter {
                name: "quality",
                takes: Takes::Table(Table {
                    parameters: &[
                        Parameter {
                            name: "diameter",
                            takes: Takes::Number(Role::Length, Range { min: 1e-5, max: 0.1, open: false }),
                            absent: Absent::Optional("no friction with the air"),
                            doc: "d: the string's friction with still air",
                        },
                        part("viscoelastic", "δ_ve: the loss angle of the material"),
                        part("thermoelastic", "1/Q_te: the same for every partial"),
                    ],
                    rules: &[],
                }),
                absent: Absent::Rule,
                doc: "1/Q = 1/Q_air + 1/Q_ve + 1/Q_te (Valette & Cuesta 1993)",
            },
        ],
        rules: &[Rule::OneOf(OneOf {
            states: "the losses",
            alternatives: &[&["d1", "d3"], &["t60"], &["quality"]],
            required: false,
        })],
    }),
    absent: Absent::Optional("no losses"),
    doc: "d₁ and d₃, decay times, or quality factors",
};

const fn part(name: &'static str, doc: &'static str) -> Parameter {
    Parameter {
        name,
        takes: Takes::Number(Role::Number, Range { min: 0.0, max: 1.0, open: false }),
        absent: Absent::Number(0.0),
        doc,
    }
}

/// A law of σ by frequency.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Law {
    /// log f and log σ, f ascending.
    Times(Vec<(f64, f64)>),
    /// σ = (d₁ + d₃k²)/2 with k of waves for c² and κ².
    Waves { d1: f64, d3: f64, c2: f64, kappa2: f64 },
    /// d, δ and 1/Q_te of a string.
    Quality { wire: Wire, diameter: f64, viscoelastic: f64, thermoelastic: f64 },
}

/// What a law of quality factors depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wire {
    /// μ, kg/m.
    pub density: f64,
    /// τ, N.
    pub tension: f64,
    /// EI, N m².
    pub bending: f64,
}

impl Law {
    /// The law that `loss` states, if it is one that needs modes; quality factors are those of a `wire`.
    ///
    /// # Errors
    /// A [`Complaint`] where it states several, the body has no modes, or numbers make no law.
    pub fn read(loss: Option<&Values>, wire: Option<Wire>, modal: bool) -> Result<Option<Self>, Complaint> {
        let Some(loss) = loss else { return Ok(None) };
        let (times, quality) = (loss.pairs("t60"), loss.table("quality"));
        let times = times.filter(|pairs| pairs.len() > 2);
        if quality.or(times.and(Some(loss))).is_none() {
            return Ok(None);
        }
        if !modal {
            let message = "takes one or two pairs, or more with method = \"modal\"";
            return Err(Complaint::new("loss.t60", message));
        }
        if let (Some(quality), Some(wire)) = (quality, wire) {
            return Ok(Some(Law::Quality {
                wire,
                diameter: quality.number("diameter").unwrap_or(0.0),
                viscoelastic: quality.number("viscoelastic").unwrap_or(0.0),
                thermoelastic: quality.number("thermoelastic").unwrap_or(0.0),
            }));
        }
        let pairs = times.unwrap_or_default();
        if !pairs.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(Complaint::new(
                "loss.t60",
                "takes more than two pairs with their frequencies ascending",
            ));
        }
        Ok(Some(Law::times(pairs)))
    }

    /// Of pairs (f, T₆₀) with f ascending.
    fn times(pairs: &[(f64, f64)]) -> Self {
        Law::Times(pairs.iter().map(|(f, t)| (log(*f), log(3.0 * LN_10 / t))).collect())
    }

    /// Of two decay times that no d₁ and d₃ give: modes may decay as between them. `None` where there are no two times
    /// of different frequencies.
    fn of_steep_times(loss: Option<&Values>) -> Option<Self> {
        let mut pairs = loss?.pairs("t60")?.to_vec();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        (pairs.len() == 2 && pairs[0].0 < pairs[1].0).then(|| Law::times(&pairs))
    }

    /// σ (1/s) at the frequency f, Hz.
    pub fn sigma(&self, f: f64) -> f64 {
        match self {
            Law::Times(points) => exp(between(points, log(f))),
            Law::Waves { d1, d3, c2, kappa2 } => 0.5 * (d1 + d3 * wave(*c2, *kappa2, f)),
            Law::Quality { wire, diameter, viscoelastic, thermoelastic } => {
                let Wire { density, tension, bending } = *wire;
                let still = match *diameter > 0.0 {
                    true => 2.0 * PI * (VISCOSITY + diameter * (PI * VISCOSITY * AIR * f).sqrt()),
                    false => 0.0,
                };
                let air = still / (2.0 * PI * density * f);
                let material = 4.0 * PI * PI * density * bending * viscoelastic * square(f / tension);
                PI * f * (air + material + thermoelastic)
            }
        }
    }
}

/// The law that the `loss` of a body by its modes states, or its d₁ (1/s) and d₃ (m²/s), for waves of ω² = c²k² + κ²k⁴;
/// quality factors are those of a `wire`. Where modes are found `numerically`, one or two times make a law as well: the
/// operator of a grid would take from its modes what was not asked for.
///
/// # Errors
/// A [`Complaint`] where it states several, or numbers make no losses.
pub(crate) fn read(
    loss: Option<&Values>,
    wire: Option<Wire>,
    c2: f64,
    kappa2: f64,
    numerically: bool,
) -> Result<(Option<Law>, [f64; 2]), Complaint> {
    let law = Law::read(loss, wire, true)?;
    if law.is_some() {
        return Ok((law, [0.0; 2]));
    }
    let times = loss.is_some_and(|loss| loss.pairs("t60").is_some());
    match losses(loss, c2, kappa2) {
        Ok((d1, d3)) if numerically && times => Ok((Some(Law::Waves { d1, d3, c2, kappa2 }), [0.0; 2])),
        Ok((d1, d3)) => Ok((None, [d1, d3])),
        Err(complaint) => Law::of_steep_times(loss).map(|law| (Some(law), [0.0; 2])).ok_or(complaint),
    }
}

impl Modal {
    /// The same body with its losses by the law, where there is one.
    pub(crate) fn following(self, law: Option<&Law>) -> Self {
        match law {
            Some(law) => self.with_decay(|f| law.sigma(f)),
            None => self,
        }
    }
}

/// The value at x of straight lines through the points, constant beyond.
fn between(points: &[(f64, f64)], x: f64) -> f64 {
    match points.iter().position(|point| point.0 > x) {
        Some(0) => points[0].1,
        None => points[points.len() - 1].1,
        Some(i) => {
            let ((a, p), (b, q)) = (points[i - 1], points[i]);
            p + (q - p) * (x - a) / (b - a)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each part alone, by its own formula; the law is their sum.
    #[test]
    fn quality_factors_add_up() {
        let wire = Wire { density: 6.69e-3, tension: 191.6, bending: 5.06e-4 };
        let sigma = |quality: &[(&'static str, f64)], f: f64| {
            let mut table = Values::default();
            quality.iter().for_each(|&(name, x)| table.set(name, x));
            let loss = Values::default().with("quality", table);
            Law::read(Some(&loss), Some(wire), true).unwrap().unwrap().sigma(f)
        };
        let f = 440.0;
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 8.0 * f64::EPSILON, "{a} {b}");
        // σ = R/2μ, and π f/Q.
        let r = 2.0 * PI * 1.8e-5 + 2.0 * PI * 1e-3 * (PI * 1.8e-5 * 1.2 * f).sqrt();
        close(sigma(&[("diameter", 1e-3)], f), r / (2.0 * 6.69e-3));
        let ve = 4.0 * PI.powi(3) * 6.69e-3 * 5.06e-4 * 4.5e-3 * f.powi(3) / (191.6 * 191.6);
        close(sigma(&[("viscoelastic", 4.5e-3)], f), ve);
        close(sigma(&[("thermoelastic", 2e-4)], f), PI * f * 2e-4);
        let all = [("diameter", 1e-3), ("viscoelastic", 4.5e-3), ("thermoelastic", 2e-4)];
        close(sigma(&all, f), r / (2.0 * 6.69e-3) + ve + PI * f * 2e-4);
    }

    #[test]
    fn decay_times_are_straight_in_the_logarithms() {
        let loss = Values::default().with("t60", vec![(100.0, 4.0), (400.0, 1.0), (1000.0, 1.0)]);
        let law = Law::read(Some(&loss), None, true).unwrap().unwrap();
        for (f, t60) in [(50.0, 4.0), (100.0, 4.0), (200.0, 2.0), (400.0, 1.0), (600.0, 1.0), (5000.0, 1.0)] {
            let t = 3.0 * LN_10 / law.sigma(f);
            assert!((t / t60 - 1.0).abs() < 1e-14, "{f}: {t}");
        }
        assert_eq!(Law::read(Some(&loss), None, false).unwrap_err().parameter, "loss.t60");
        assert_eq!(Law::read(Some(&Values::default().with("d1", 1.0)), None, true), Ok(None));
    }
}
