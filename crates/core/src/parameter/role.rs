//! What a number means. Its SI unit follows, also where that depends on the place at which a force acts.
//!
//! Three kinds of bodies have their forces in different units, and what acts along a body has them per length:
//!
//! | | at a place | along a body |
//! |---|---|---|
//! | force of a body in N | N | N/m |
//! | of a body per unit area, of the air in a tube | Pa | Pa/m |
//! | stiffness K of f = K x^α | N/m^α | N/m^(α+1) |

use crate::measure::Measure;
use std::borrow::Cow;

/// The physical quantity that a parameter states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A plain number: a ratio, a factor, an exponent.
    Number,
    /// A whole number: how many of something.
    Count,
    /// An odd whole number.
    Odd,
    /// The size of a body, or a distance along it, m.
    Length,
    /// The size of a surface, m².
    Area,
    /// What a cavity holds, m³.
    Volume,
    /// How far something moves or stands off, m.
    Displacement,
    /// The velocity of something that moves, m/s.
    Velocity,
    /// The speed of waves, m/s.
    WaveSpeed,
    /// A duration or decay time, s.
    Time,
    /// Cycles per second, Hz.
    Frequency,
    /// Samples per second, a whole number, Hz.
    SampleRate,
    /// An angle per second, rad/s.
    AngularFrequency,
    /// A rate of decay, 1/s.
    Damping,
    /// A loss d₃ that grows with the square of the wave number, m²/s.
    Diffusivity,
    /// κ = √(EI/ρA) of a stiff string, m²/s.
    StiffnessCoefficient,
    /// EI of a bar, N m².
    BendingStiffness,
    /// kg.
    Mass,
    /// The mass of a body whose forces are pressures, kg/m²: it makes the whole body one per unit area.
    MassPerArea,
    /// The mass of a string per length, kg/m.
    LinearDensity,
    /// The mass of a surface per area, kg/m².
    SurfaceDensity,
    /// The mass of a material per volume, kg/m³.
    Density,
    /// The modulus of a material, Pa.
    Modulus,
    /// The tension of a string, N.
    Tension,
    /// The tension of a membrane per length of a cut, N/m.
    SurfaceTension,
    /// The stiffness of a body's own spring, N/m; Pa/m where its mass is per unit area.
    SpringStiffness,
    /// The value of a drive: a force on a body, or what the drive does instead ([`Forces::drive`]).
    Drive,
    /// The force of a law between bodies: N, over a length along a body.
    ContactForce,
    /// The stiffness of a spring between bodies: force over displacement.
    Stiffness,
    /// The stiffness K of a force K x^(3/2) between round bodies.
    HertzStiffness,
    /// The stiffness K of a force K x^α between bodies, α being the parameter of this name.
    PowerStiffness(&'static str),
    /// The resistance r of a damper between bodies: force over velocity.
    Resistance,
    /// Hunt and Crossley's loss coefficient μ, s/m.
    ContactLoss,
    /// A time in which the force of a felt relaxes, s.
    Relaxation,
    /// A ratio of amplitudes a as 20 log₁₀ a, dB.
    Level,
    /// A force at full scale of a sound, N.
    Force,
    /// A pressure, Pa.
    Pressure,
    /// A volume flow, m³/s.
    Flow,
}

/// In what the forces are counted where a part acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forces {
    /// What the body is measured in.
    pub measure: Measure,
    /// Whether the part acts all along the body, so that its forces are per length.
    pub per_length: bool,
    /// What the value of a drive is where it is no force: the motion of a reference, or the control of an element.
    pub drive: Option<DriveQuantity>,
}

/// What the value of a drive can be besides a force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriveQuantity {
    /// The position of a moving reference, m.
    Reference,
    /// The rate of a reference, m/s.
    Rate,
    /// The pressure in the mouth of a player, Pa.
    Pressure,
    /// A force, N: what presses a bow or a brake.
    Force,
    /// The opening of a reed or of lips, m.
    Opening,
    /// A branch of a port, a number from 0.
    Branch,
    /// A part of the path along which the rows of a port move, from 0 to 1.
    Path,
    /// What is added to the tension of a string, N.
    Tension,
    /// What is added to the tension of a membrane, N/m.
    SurfaceTension,
    /// The control of a resistive element in the unit of this role.
    Resistance,
    /// A plain number, or a control whose unit is none of the above.
    Number,
}

impl DriveQuantity {
    /// The role with the same unit.
    fn role(self) -> Role {
        match self {
            DriveQuantity::Reference | DriveQuantity::Opening => Role::Displacement,
            DriveQuantity::Rate => Role::Velocity,
            DriveQuantity::Pressure => Role::Pressure,
            DriveQuantity::Force => Role::Force,
            DriveQuantity::Tension => Role::Tension,
            DriveQuantity::SurfaceTension => Role::SurfaceTension,
            DriveQuantity::Resistance => Role::Resistance,
            DriveQuantity::Branch | DriveQuantity::Path | DriveQuantity::Number => Role::Number,
        }
    }
}

impl Forces {
    /// N, at one place.
    pub const NEWTON: Self = Self { measure: Measure::Length, per_length: false, drive: None };
}

impl Role {
    /// The SI unit where forces are counted so, `""` for a plain number; `number` looks up the exponent that a power
    /// law takes from another parameter, and without it there is no unit.
    pub fn unit(self, forces: Forces, number: impl Fn(&str) -> Option<f64>) -> Option<Cow<'static, str>> {
        let force = forces.measure.force();
        let length = if forces.per_length { 1.0 } else { 0.0 };
        let unit = match self {
            Role::Drive => match forces.drive.map(DriveQuantity::role) {
                Some(role) if role != Role::Drive => return role.unit(forces, number),
                _ => over(force, "", length),
            },
            Role::ContactForce => over(force, "", length),
            Role::Stiffness => over(force, "", length + 1.0),
            Role::HertzStiffness => over(force, "", length + 1.5),
            Role::PowerStiffness(exponent) => over(force, "", length + number(exponent)?),
            Role::Resistance => over(force, " s", length + 1.0),
            Role::SpringStiffness => over(force, "", 1.0),
            _ => Cow::Borrowed(self.fixed_unit()),
        };
        Some(unit)
    }

    /// The unit for tables of parameters: for forces in N at one place, the exponent by its name.
    pub fn symbol(self) -> Cow<'static, str> {
        match self {
            Role::PowerStiffness(name) => Cow::Owned(format!("N/m^{name}")),
            _ => self.unit(Forces::NEWTON, |_| None).unwrap_or_default(),
        }
    }

    /// Whether its numbers are whole.
    pub fn is_whole(self) -> bool {
        matches!(self, Role::Count | Role::Odd | Role::SampleRate)
    }

    /// Whether its unit depends on how forces are counted.
    pub fn depends_on_forces(self) -> bool {
        use Role::{
            ContactForce, Drive, HertzStiffness, PowerStiffness, Resistance, SpringStiffness, Stiffness,
        };
        let of_law = matches!(self, HertzStiffness | PowerStiffness(_));
        of_law || matches!(self, ContactForce | Drive | Stiffness | Resistance | SpringStiffness)
    }

    /// Whether its numbers are per length along a body.
    pub fn is_strength(self) -> bool {
        self.depends_on_forces() && self != Role::SpringStiffness
    }

    /// The parameter that gives the exponent of its unit, if one does.
    pub fn exponent(self) -> Option<&'static str> {
        match self {
            Role::PowerStiffness(name) => Some(name),
            _ => None,
        }
    }

    /// The unit of a role that does not depend on forces.
    fn fixed_unit(self) -> &'static str {
        match self {
            Role::Length | Role::Displacement => "m",
            Role::Area => "m^2",
            Role::Volume => "m^3",
            Role::Velocity | Role::WaveSpeed => "m/s",
            Role::Time | Role::Relaxation => "s",
            Role::Frequency | Role::SampleRate => "Hz",
            Role::AngularFrequency => "rad/s",
            Role::Damping => "1/s",
            Role::Diffusivity | Role::StiffnessCoefficient => "m^2/s",
            Role::BendingStiffness => "N m^2",
            Role::Mass => "kg",
            Role::MassPerArea | Role::SurfaceDensity => "kg/m^2",
            Role::LinearDensity => "kg/m",
            Role::Density => "kg/m^3",
            Role::Modulus => "Pa",
            Role::Tension => "N",
            Role::SurfaceTension => "N/m",
            Role::ContactLoss => "s/m",
            Role::Level => "dB",
            Role::Force => "N",
            Role::Pressure => "Pa",
            Role::Flow => "m^3/s",
            Role::Number
            | Role::Count
            | Role::Odd
            | Role::Drive
            | Role::ContactForce
            | Role::Stiffness
            | Role::HertzStiffness
            | Role::PowerStiffness(_)
            | Role::Resistance
            | Role::SpringStiffness => "",
        }
    }
}

/// `force` times `factor` over this power of a metre.
fn over(force: &str, factor: &str, power: f64) -> Cow<'static, str> {
    Cow::Owned(match power {
        0.0 => format!("{force}{factor}"),
        1.0 => format!("{force}{factor}/m"),
        _ => format!("{force}{factor}/m^{power}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_follow_the_body_and_its_length() {
        let unit = |measure, per_length, role: Role| {
            role.unit(Forces { measure, per_length, drive: None }, |_| Some(1.5)).unwrap().into_owned()
        };
        let (newton, pascal) = (Measure::Length, Measure::PerArea);
        let law = Role::PowerStiffness("exponent");
        assert_eq!(unit(newton, false, law), "N/m^1.5");
        assert_eq!(unit(newton, true, law), "N/m^2.5");
        assert_eq!(unit(pascal, false, law), "Pa/m^1.5");
        assert_eq!(unit(newton, true, Role::HertzStiffness), "N/m^2.5");
        assert_eq!(unit(newton, false, Role::Stiffness), "N/m");
        assert_eq!(unit(newton, true, Role::Drive), "N/m");
        assert_eq!(unit(Measure::Volume, false, Role::Resistance), "Pa s/m");
        assert_eq!(unit(pascal, true, Role::SpringStiffness), "Pa/m");
        for (role, own) in [
            (Role::MassPerArea, "kg/m^2"),
            (Role::SurfaceDensity, "kg/m^2"),
            (Role::Tension, "N"),
            (Role::BendingStiffness, "N m^2"),
            (Role::SurfaceTension, "N/m"),
            (Role::ContactLoss, "s/m"),
            (Role::Diffusivity, "m^2/s"),
            (Role::Level, "dB"),
            (Role::Force, "N"),
            (Role::Pressure, "Pa"),
            (Role::Flow, "m^3/s"),
        ] {
            assert_eq!(unit(pascal, true, role), own);
        }
        let pressed = Forces { drive: Some(DriveQuantity::Force), ..Forces::NEWTON };
        assert_eq!(Role::Drive.unit(pressed, |_| None).unwrap(), "N");
        assert_eq!(law.unit(Forces::NEWTON, |_| None), None);
        assert_eq!(law.symbol(), "N/m^exponent");
    }
}
