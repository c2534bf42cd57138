//! Which values instruments have: the one table of plausible sizes, and the unit that was probably meant beside it.
//!
//! A range of a [`Parameter`](super::Parameter) is what the program accepts; a usual range is what a builder of instruments
//! would expect. A value outside is no error: it gives a warning, with the same number in the unit that would make it
//! usual. The ranges reach beyond known instruments, so that a warning is a mistake or a test: strings have 0.03 g/m (thin gut)
//! to 0.3 kg/m (bass of a piano, and 1 kg/m stands in normalised models), mallets and hammers milligrams to a kilogram, sticks
//! speeds of some 10 m/s.

use super::{range::Range, role::Role};

/// What is usual for a role.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usual {
    /// The magnitudes that are usual, SI; 0 is always usual.
    pub range: Range,
    /// Smaller or larger units of the same, and how many SI units each is.
    pub units: &'static [(&'static str, f64)],
}

const METRES: &[(&str, f64)] = &[("mm", 1e-3), ("cm", 1e-2), ("µm", 1e-6)];

const fn usual(min: f64, max: f64, units: &'static [(&'static str, f64)]) -> Option<Usual> {
    Some(Usual { range: Range { min, max, open: false }, units })
}

impl Role {
    /// The magnitudes that instruments have; `None` where everything is usual, or it depends on other parameters.
    pub fn usual(self) -> Option<Usual> {
        match self {
            Role::Length => usual(1e-6, 20.0, METRES),
            Role::Displacement => usual(0.0, 1.0, METRES),
            Role::Velocity => usual(0.0, 100.0, &[("mm/s", 1e-3), ("cm/s", 1e-2)]),
            Role::WaveSpeed => usual(1.0, 10_000.0, &[("km/s", 1e3)]),
            Role::Frequency => usual(0.1, 100_000.0, &[("mHz", 1e-3), ("kHz", 1e3)]),
            Role::Mass => usual(1e-6, 10.0, &[("g", 1e-3), ("mg", 1e-6), ("kg", 1.0)]),
            Role::LinearDensity => usual(1e-5, 1.0, &[("g/m", 1e-3), ("mg/m", 1e-6)]),
            Role::SurfaceDensity => usual(1e-3, 500.0, &[("g/m^2", 1e-3)]),
            Role::Density => usual(0.05, 25_000.0, &[("g/cm^3", 1e3)]),
            Role::Modulus => usual(1e4, 2e12, &[("GPa", 1e9), ("MPa", 1e6), ("kPa", 1e3)]),
            Role::Tension => usual(1e-2, 20_000.0, &[("mN", 1e-3), ("kN", 1e3)]),
            Role::SurfaceTension => usual(1.0, 100_000.0, &[("kN/m", 1e3), ("mN/m", 1e-3)]),
            _ => None,
        }
    }
}

impl Usual {
    /// Whether the magnitude of `x` is usual.
    pub fn holds(&self, x: f64) -> bool {
        x == 0.0 || self.range.holds(x.abs())
    }

    /// The first unit in which the number `x` would be usual.
    pub fn instead(&self, x: f64) -> Option<&'static str> {
        self.units.iter().find(|(_, factor)| self.holds(x * factor)).map(|(unit, _)| *unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What users typed without a unit, and what they meant.
    #[test]
    fn numbers_without_a_unit_are_recognised() {
        for (role, number, meant) in [
            (Role::Length, 650.0, Some("mm")),
            (Role::Displacement, 3.0, Some("mm")),
            (Role::LinearDensity, 6.0, Some("g/m")),
            (Role::Mass, 25.0, Some("g")),
            (Role::Modulus, 16.0, Some("GPa")),
            (Role::Velocity, -150.0, Some("mm/s")),
            (Role::Tension, 1e12, None),
        ] {
            let usual = role.usual().unwrap();
            assert!(!usual.holds(number) && usual.instead(number) == meant, "{role:?} {number}");
        }
        let held =
            [(Role::Length, 0.65), (Role::Displacement, 0.0), (Role::Velocity, -20.0), (Role::Mass, 1.2)];
        assert!(held.iter().all(|(role, x)| role.usual().unwrap().holds(*x)));
    }
}
