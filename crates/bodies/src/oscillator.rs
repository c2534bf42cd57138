//! The damped harmonic oscillator.
//!
//!   m ÿ + mγ ẏ + k y = f,   k = m ω₀²   (C15 (1), (2); C19 (6), (7))
//!
//! y (m) is its displacement, m (kg) its mass, γ (1/s) its damping, ω₀ (rad/s) its
//! undamped frequency, k (N/m) its stiffness, f (N) the sum of all forces on it.
//! Undriven it decays as e^(−γt/2). Per unit area (C15 (23), C19 (55): a reed) m is
//! in kg/m², k in Pa/m and f in Pa.

use crate::lumped::{self, POSITION, Start, VELOCITY};
use hamiltone_core::{
    body::{Body, Measure, Placed},
    operator::Operator,
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Takes, Values},
    system::{Block, System},
};
use std::f64::consts::{LN_10, TAU};

/// m ÿ + mγ ẏ + k y = f.
///
/// ```
/// use hamiltone_bodies::Oscillator;
/// use hamiltone_core::{body::Body, system::System};
///
/// // The clarinet reed of C19 §3, per unit area.
/// let reed = Oscillator::new(0.05, std::f64::consts::TAU * 2500.0)?.damped(2800.0)?.per_area();
/// let mut system = System::default();
/// assert_eq!(reed.add_to(&mut system, "reed")?.measure.force(), "Pa");
/// # Ok::<(), hamiltone_core::parameter::Complaint>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    mass: f64,
    stiffness: f64,
    damping: f64,
    per_area: bool,
    start: Start,
}

impl Oscillator {
    /// An undamped oscillator of mass m > 0 (kg) and angular frequency ω₀ > 0 (rad/s), at rest at 0: k = m ω₀².
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive, or k overflows.
    pub fn new(mass: f64, angular_frequency: f64) -> Result<Self, Complaint> {
        let omega = Range::POSITIVE.check("angular_frequency", angular_frequency)?;
        Self::with_stiffness(mass, mass * (omega * omega))
    }

    /// An undamped oscillator of mass m > 0 (kg) and stiffness k > 0 (N/m), at rest at 0.
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive.
    pub fn with_stiffness(mass: f64, stiffness: f64) -> Result<Self, Complaint> {
        let mass = Range::POSITIVE.check("mass", mass)?;
        let stiffness = Range::POSITIVE.check("stiffness", stiffness)?;
        Ok(Self { mass, stiffness, damping: 0.0, per_area: false, start: Start::default() })
    }

    /// The same oscillator with damping γ ≥ 0, 1/s.
    ///
    /// # Errors
    /// A [`Complaint`] where γ is negative or not finite.
    pub fn damped(self, damping: f64) -> Result<Self, Complaint> {
        Ok(Self { damping: Range::NOT_NEGATIVE.check("damping", damping)?, ..self })
    }

    /// The same oscillator with its mass, stiffness and forces per unit area: kg/m², Pa/m, Pa.
    pub fn per_area(self) -> Self {
        Self { per_area: true, ..self }
    }

    /// The same oscillator with a displacement (m) and velocity (m/s) at t = 0.
    ///
    /// # Errors
    /// A [`Complaint`] where one is not finite.
    pub fn starting(self, position: f64, velocity: f64) -> Result<Self, Complaint> {
        Ok(Self { start: Start::new(position, velocity)?, ..self })
    }
}

impl Body for Oscillator {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let measure = if self.per_area { Measure::PerArea } else { Measure::Length };
        let placed = lumped::add(system, self.mass, self.start, measure);
        let damping = match self.damping {
            0.0 => Operator::Zero,
            gamma => Operator::Diagonal(vec![self.mass * gamma]),
        };
        let stiffness = Operator::Diagonal(vec![self.stiffness]);
        system.blocks.push(Block { name: name.into(), dofs: placed.dofs.clone(), stiffness, damping });
        Ok(placed)
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "oscillator",
        summary: "damped harmonic oscillator, also per unit area: a reed, a lip, one mode",
        equation: "m ÿ + mγ ẏ + k y = f,  k = m ω₀²",
        source: "C15 (1), (2), (23); C19 (6), (7), (55)",
        parameters: &[
            number("mass", "kg", "mass_per_area must be given", "m"),
            number(
                "mass_per_area",
                "kg/m^2",
                "mass must be given",
                "m per unit area: forces are then pressures",
            ),
            number("frequency", "Hz", "angular_frequency or stiffness must be given", "f₀ = ω₀/2π, undamped"),
            number("angular_frequency", "rad/s", "frequency or stiffness must be given", "ω₀, undamped"),
            number(
                "stiffness",
                "N/m",
                "frequency or angular_frequency must be given",
                "k (Pa/m with mass_per_area, then as a plain number)",
            ),
            Parameter {
                takes: Takes::Number("1/s", Range::NOT_NEGATIVE),
                ..number(
                    "damping",
                    "",
                    "0, unless decay_time is given",
                    "γ: free vibration decays as e^(−γt/2)",
                )
            },
            number(
                "decay_time",
                "s",
                "damping holds",
                "T₆₀ = 6 ln 10/γ, in which free vibration falls by 60 dB",
            ),
            POSITION,
            VELOCITY,
        ],
    },
    make: |values: &Values| Ok(Box::new(read(values)?)),
};

/// A positive number that another can stand for.
const fn number(
    name: &'static str,
    unit: &'static str,
    otherwise: &'static str,
    doc: &'static str,
) -> Parameter {
    Parameter { name, takes: Takes::Number(unit, Range::POSITIVE), absent: Absent::Optional(otherwise), doc }
}

fn read(values: &Values) -> Result<Oscillator, Complaint> {
    let (mass, per_area) = match ["mass", "mass_per_area"].map(|name| values.number(name)) {
        [Some(mass), None] => (mass, false),
        [None, Some(mass)] => (mass, true),
        [None, None] => return Err(Complaint::new("mass", "or mass_per_area must be given")),
        [Some(_), Some(_)] => return Err(Complaint::new("mass", "or mass_per_area must be given, not both")),
    };
    let spring = match ["frequency", "angular_frequency", "stiffness"].map(|name| values.number(name)) {
        [Some(frequency), None, None] => Oscillator::new(mass, TAU * frequency)?,
        [None, Some(omega), None] => Oscillator::new(mass, omega)?,
        [None, None, Some(stiffness)] => Oscillator::with_stiffness(mass, stiffness)?,
        _ => {
            let message = "or angular_frequency or stiffness must be given, and only one of them";
            return Err(Complaint::new("frequency", message));
        }
    };
    let gamma = match ["damping", "decay_time"].map(|name| values.number(name)) {
        [damping, None] => damping.unwrap_or(0.0),
        [None, Some(decay_time)] => 6.0 * LN_10 / decay_time,
        [Some(_), Some(_)] => return Err(Complaint::new("damping", "or decay_time may be given, not both")),
    };
    let start = Start::read(values)?;
    let body = spring.damped(gamma)?.starting(start.position, start.velocity)?;
    Ok(if per_area { body.per_area() } else { body })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(given: &[(&'static str, f64)]) -> Result<Oscillator, Complaint> {
        let mut values = Values::defaults(ENTRY.kind.parameters);
        values.numbers.extend(given.iter().copied());
        read(&values)
    }

    #[test]
    fn alternatives_are_the_same_oscillator() {
        let omega = TAU * 2500.0;
        let by_frequency = made(&[("mass", 0.05), ("frequency", 2500.0)]).unwrap();
        assert_eq!(by_frequency, Oscillator::new(0.05, omega).unwrap());
        assert_eq!(by_frequency, made(&[("mass", 0.05), ("angular_frequency", omega)]).unwrap());
        assert_eq!(by_frequency, made(&[("mass", 0.05), ("stiffness", 0.05 * (omega * omega))]).unwrap());
        let reed = made(&[("mass_per_area", 0.05), ("frequency", 2500.0), ("damping", 2800.0)]).unwrap();
        assert_eq!(reed, by_frequency.damped(2800.0).unwrap().per_area());
        // After T₆₀ the amplitude e^(−γt/2) is 10⁻³.
        let ringing = made(&[("mass", 1.0), ("frequency", 1.0), ("decay_time", 2.0)]).unwrap();
        assert!(((-ringing.damping * 2.0 / 2.0).exp() - 1e-3).abs() < 1e-15);
    }

    #[test]
    fn too_little_and_too_much_are_refused() {
        let complaint = |given: &[_]| made(given).unwrap_err().parameter;
        assert_eq!(complaint(&[("frequency", 1.0)]), "mass");
        assert_eq!(complaint(&[("mass", 1.0), ("mass_per_area", 1.0), ("frequency", 1.0)]), "mass");
        assert_eq!(complaint(&[("mass", 1.0)]), "frequency");
        assert_eq!(complaint(&[("mass", 1.0), ("frequency", 1.0), ("stiffness", 1.0)]), "frequency");
        let damped = [("mass", 1.0), ("frequency", 1.0), ("damping", 1.0), ("decay_time", 1.0)];
        assert_eq!(complaint(&damped), "damping");
    }
}
