//! The damped harmonic oscillator.
//!
//!   m ÿ + mγ ẏ + k y = f,   k = m ω₀²   (C15 (1), (2); C19 (6), (7))
//!
//! y (m) is its displacement, m (kg) its mass, γ (1/s) its damping, ω₀ (rad/s) its
//! undamped frequency, k (N/m) its stiffness, f (N) the sum of all forces on it.
//! Undriven it decays as e^(−γt/2). Per unit area (C15 (23), C19 (55): a reed) m is
//! in kg/m², k in Pa/m and f in Pa.

use crate::{
    lumped::{self, InitialState, POSITION, VELOCITY},
    pitched::{self, FREQUENCY, PITCH},
};
use hamiltone_core::{
    body::{Body, Measure, Placed},
    operator::Operator,
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Takes, Values},
    system::{Block, System},
};
use hamiltone_numerics::math::hypot;
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
    initial: InitialState,
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
        Ok(Self { mass, stiffness, damping: 0.0, per_area: false, initial: InitialState::default() })
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
    pub fn with_initial(self, position: f64, velocity: f64) -> Result<Self, Complaint> {
        Ok(Self { initial: InitialState::new(position, velocity)?, ..self })
    }
}

impl Body for Oscillator {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let measure = if self.per_area { Measure::PerArea } else { Measure::Length };
        let placed = lumped::add(system, self.mass, self.initial, measure);
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
            number("mass", Role::Mass, "m"),
            number("mass_per_area", Role::MassPerArea, "m per unit area: forces are then pressures"),
            Parameter {
                doc: "the frequency at which it vibrates freely, √(ω₀² − γ²/4)/2π", ..FREQUENCY
            },
            PITCH,
            number("undamped_frequency", Role::Frequency, "f₀ = ω₀/2π, without damping"),
            number("angular_frequency", Role::AngularFrequency, "ω₀, undamped"),
            number("stiffness", Role::SpringStiffness, "k (Pa/m with mass_per_area)"),
            Parameter {
                takes: Takes::Number(Role::Damping, Range::NOT_NEGATIVE),
                ..number("damping", Role::Damping, "γ: free vibration decays as e^(−γt/2); 0 unless given")
            },
            number("decay_time", Role::Time, "T₆₀ = 6 ln 10/γ, in which free vibration decays by 60 dB"),
            POSITION,
            VELOCITY,
        ],
        rules: &[
            Rule::OneOf(INERTIA),
            Rule::OneOf(SPRING),
            Rule::Formerly { parameter: "frequency", meant: "undamped_frequency" },
            Rule::OneOf(LOSS),
        ],
    },
    make: |values: &Values| Ok(Box::new(read(values)?)),
};

/// A positive number that another can stand for.
const fn number(name: &'static str, role: Role, doc: &'static str) -> Parameter {
    Parameter { name, takes: Takes::Number(role, Range::POSITIVE), absent: Absent::Rule, doc }
}

/// m.
const INERTIA: OneOf =
    OneOf { states: "the mass", alternatives: &[&["mass"], &["mass_per_area"]], required: true };

/// k = m ω₀².
const SPRING: OneOf = OneOf {
    states: "the stiffness",
    alternatives: &[
        &["frequency"],
        &["pitch"],
        &["undamped_frequency"],
        &["angular_frequency"],
        &["stiffness"],
    ],
    required: true,
};

/// γ.
const LOSS: OneOf =
    OneOf { states: "the damping", alternatives: &[&["damping"], &["decay_time"]], required: false };

fn read(values: &Values) -> Result<Oscillator, Complaint> {
    let number = |name| values.required(name);
    let per_area = values.one_of(&INERTIA) == Some("mass_per_area");
    let mass = number(if per_area { "mass_per_area" } else { "mass" })?;
    let gamma = match values.one_of(&LOSS) {
        Some("decay_time") => 6.0 * LN_10 / number("decay_time")?,
        _ => values.number("damping").unwrap_or(0.0),
    };
    let spring = match (pitched::requested(values), values.one_of(&SPRING)) {
        (Some(request), _) => Oscillator::new(mass, hypot(TAU * request.frequency, 0.5 * gamma))?,
        (None, Some("angular_frequency")) => Oscillator::new(mass, number("angular_frequency")?)?,
        (None, Some("stiffness")) => Oscillator::with_stiffness(mass, number("stiffness")?)?,
        _ => Oscillator::new(mass, TAU * number("undamped_frequency")?)?,
    };
    let initial = InitialState::read(values)?;
    let body = spring.damped(gamma)?.with_initial(initial.position, initial.velocity)?;
    Ok(if per_area { body.per_area() } else { body })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::parameter::Complaints;

    fn made(given: &[(&'static str, f64)]) -> Result<Oscillator, Complaints> {
        let mut values = Values::defaults(ENTRY.kind.parameters);
        given.iter().for_each(|&(name, x)| values.set(name, x));
        ENTRY.build(&values)?;
        Ok(read(&values)?)
    }

    #[test]
    fn alternatives_are_the_same_oscillator() {
        let omega = TAU * 2500.0;
        let by_frequency = made(&[("mass", 0.05), ("frequency", 2500.0)]).unwrap();
        assert_eq!(by_frequency, Oscillator::new(0.05, omega).unwrap());
        assert_eq!(by_frequency, made(&[("mass", 0.05), ("angular_frequency", omega)]).unwrap());
        assert_eq!(by_frequency, made(&[("mass", 0.05), ("stiffness", 0.05 * (omega * omega))]).unwrap());
        let reed =
            made(&[("mass_per_area", 0.05), ("undamped_frequency", 2500.0), ("damping", 2800.0)]).unwrap();
        assert_eq!(reed, by_frequency.damped(2800.0).unwrap().per_area());
        // After T₆₀ the amplitude e^(−γt/2) is 10⁻³.
        let ringing = made(&[("mass", 1.0), ("frequency", 1.0), ("decay_time", 2.0)]).unwrap();
        assert!(((-ringing.damping * 2.0 / 2.0).exp() - 1e-3).abs() < 1e-15);
    }

    #[test]
    fn too_little_and_too_much_are_refused() {
        let complaints = |given: &[_]| -> Vec<String> {
            made(given).unwrap_err().0.iter().map(ToString::to_string).collect()
        };
        assert_eq!(
            complaints(&[("frequency", 1.0)]),
            ["needs the mass: give one of mass (kg), mass_per_area (kg/m^2)"]
        );
        let twice = [("mass", 1.0), ("mass_per_area", 1.0), ("frequency", 1.0)];
        assert_eq!(complaints(&twice), ["mass_per_area and `mass` both state the mass; give one of them"]);
        // Everything at once: no stiffness, and two ways to state the damping.
        let damped = [("mass", 1.0), ("damping", 1.0), ("decay_time", 1.0)];
        assert_eq!(complaints(&damped).len(), 2);
    }
}
