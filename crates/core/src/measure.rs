//! What the coordinates of a body are measured in, and up to which frequency a sound is heard.

/// The limit of hearing, Hz.
pub const HIGHEST_AUDIBLE: f64 = 20_000.0;

/// What a body's positions q and forces are measured in; their product is its energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// q in m, forces in N, energies in J.
    Length,
    /// q in m, forces in Pa, energies in J/m²: a body per unit area.
    PerArea,
    /// q in m³, a volume displaced; forces in Pa, energies in J: the air in a tube.
    Volume,
    /// q in Pa s, the integral of a pressure over time; forces in m³/s, energies in J: the air of a bore, driven at its mouthpiece.
    Pressure,
}

impl Measure {
    /// Whether its positions say how far something moves, so that what is solid can touch it: not of air.
    pub fn moves(self) -> bool {
        matches!(self, Measure::Length | Measure::PerArea)
    }

    /// The unit of its positions.
    pub fn position(self) -> &'static str {
        match self {
            Measure::Length | Measure::PerArea => "m",
            Measure::Volume => "m^3",
            Measure::Pressure => "Pa s",
        }
    }

    /// What its positions are, in words.
    pub fn position_name(self) -> &'static str {
        match self {
            Measure::Length | Measure::PerArea => "displacement",
            Measure::Volume => "volume displaced",
            Measure::Pressure => "integral of the pressure",
        }
    }

    /// The unit of its momenta, mass times velocity.
    pub fn momentum(self) -> &'static str {
        match self {
            Measure::Length => "kg·m/s",
            Measure::PerArea | Measure::Volume => "kg/(m·s)",
            Measure::Pressure => "m^3",
        }
    }

    /// The unit of its velocities.
    pub fn velocity(self) -> &'static str {
        match self {
            Measure::Length | Measure::PerArea => "m/s",
            Measure::Volume => "m^3/s",
            Measure::Pressure => "Pa",
        }
    }

    /// The unit of forces on it.
    pub fn force(self) -> &'static str {
        match self {
            Measure::Length => "N",
            Measure::PerArea | Measure::Volume => "Pa",
            Measure::Pressure => "m^3/s",
        }
    }

    /// The unit of its energies.
    pub fn energy(self) -> &'static str {
        match self {
            Measure::Length | Measure::Volume | Measure::Pressure => "J",
            Measure::PerArea => "J/m^2",
        }
    }
}
