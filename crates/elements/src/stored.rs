//! Laws as data, which a file of a resolved instrument keeps.
//!
//! A law is kept by the kind of its type and with the numbers that it steps with: read again, it gives the same bits. A [`crate::Formula`] and laws of
//! other crates are not kept.

use crate::{
    Bow, CentreLimited, ElastoPlasticBow, Jet, LinearDamper, OddPower, Power, SprungBow, Table, ThermalBow,
    Valve,
};
use hamiltone_core::{
    element::{Compliant, Law, LossLaw, Resistive},
    port::{Port, Ported},
    potential::Potential,
    resistance::Resistance,
};
use serde::{Deserialize, Serialize};
use std::{any::Any, sync::Arc};

/// A law of one of the kinds of this crate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredLaw(Kind);

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Kind {
    Compliant { potential: StoredPotential, scale: f64, loss: f64, loss_law: LossLaw },
    Rigid { restitution: f64 },
    Resistive { resistance: StoredResistance, control: f64, scale: f64 },
    Port { port: StoredPort, control: f64 },
}

/// The types that implement a contract, and the way from a law behind the contract to its type and back.
macro_rules! kinds {
    ($stored:ident, $contract:path, $($kind:ident($type:ty)),+) => {
        #[derive(Clone, Debug, Serialize, Deserialize)]
        enum $stored { $($kind($type)),+ }

        impl $stored {
            fn of(law: &Arc<dyn $contract>) -> Option<Self> {
                let law: &dyn Any = law.as_ref();
                let found = None;
                $(let found = found.or_else(|| law.downcast_ref::<$type>().cloned().map(Self::$kind));)+
                found
            }

            fn law(self) -> Arc<dyn $contract> {
                match self { $(Self::$kind(law) => Arc::new(law)),+ }
            }
        }
    };
}

kinds!(
    StoredPotential,
    Potential,
    Power(Power),
    OddPower(OddPower),
    CentreLimited(CentreLimited),
    Table(Table)
);
kinds!(StoredResistance, Resistance, Damper(LinearDamper));
kinds!(
    StoredPort,
    Port,
    Bow(Bow),
    Thermal(ThermalBow),
    ElastoPlastic(ElastoPlasticBow),
    Sprung(SprungBow<Bow>),
    SprungThermal(SprungBow<ThermalBow>),
    SprungElastoPlastic(SprungBow<ElastoPlasticBow>),
    Valve(Valve),
    Jet(Jet)
);

impl StoredLaw {
    /// A law as data; `None` of one that is not kept.
    pub fn of(law: &Law) -> Option<Self> {
        Some(Self(match law {
            Law::Compliant(Compliant { potential, scale, loss, loss_law }) => {
                let potential = StoredPotential::of(potential)?;
                Kind::Compliant { potential, scale: *scale, loss: *loss, loss_law: *loss_law }
            }
            Law::Rigid { restitution } => Kind::Rigid { restitution: *restitution },
            Law::Resistive(Resistive { resistance, control, scale }) => {
                let resistance = StoredResistance::of(resistance)?;
                Kind::Resistive { resistance, control: *control, scale: *scale }
            }
            Law::Port(Ported { port, control }) => {
                Kind::Port { port: StoredPort::of(port)?, control: *control }
            }
            Law::Custom(_) => return None,
        }))
    }

    /// The law again.
    pub fn law(self) -> Law {
        match self.0 {
            Kind::Compliant { potential, scale, loss, loss_law } => {
                Law::Compliant(Compliant { potential: potential.law(), scale, loss, loss_law })
            }
            Kind::Rigid { restitution } => Law::Rigid { restitution },
            Kind::Resistive { resistance, control, scale } => {
                Law::Resistive(Resistive { resistance: resistance.law(), control, scale })
            }
            Kind::Port { port, control } => Law::Port(Ported { port: port.law(), control }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Friction, catalogue};
    use hamiltone_core::parameter::Values;

    /// Every kind of law, with numbers of its own, is the same law again; a formula is none of them.
    #[test]
    fn laws_are_kept() {
        let numbers = |kind: &str| match kind {
            "power" => vec![("stiffness", 1e9), ("exponent", 2.3)],
            "hertz" => vec![("stiffness", 1e9)],
            "felt" => vec![("stiffness", 1e9), ("exponent", 2.5), ("relaxation", 1e-4)],
            "odd-power" => vec![("stiffness", 1e9), ("exponent", 3.0)],
            "centre-limited" => vec![("stiffness", 1e9), ("exponent", 1.5), ("clearance", 1e-3)],
            "rattle" => vec![("stiffness", 1e9), ("length", 1e-3)],
            "rigid" => vec![("restitution", 0.3)],
            "damper" => vec![("resistance", 2.0)],
            _ => Vec::new(),
        };
        for entry in catalogue() {
            let given = numbers(entry.kind.name).into_iter();
            let values =
                given.fold(Values::defaults(entry.kind.parameters), |all, (name, x)| all.with(name, x));
            let values = match entry.kind.name {
                "formula" => values.with("potential", "1e9*x^2"),
                "table" => values.with("points", vec![(0.0, 0.0), (1e-3, 1.0), (2e-3, 5.0)]),
                _ => values,
            };
            let law =
                entry.build(&values).unwrap_or_else(|wrong| panic!("{}: {wrong:?}", entry.kind.name)).law;
            let again = StoredLaw::of(&law).map(StoredLaw::law);
            let wanted = (entry.kind.name != "formula").then(|| format!("{law:?}"));
            assert_eq!(again.map(|law| format!("{law:?}")), wanted, "{}", entry.kind.name);
        }
        let bow = Bow { friction: Friction::SteadySliding };
        let sprung = Law::Port(Ported::new(SprungBow { bow, hair: 1e4 }, 0.0));
        let again = StoredLaw::of(&sprung).map(StoredLaw::law);
        assert_eq!(again.map(|law| format!("{law:?}")), Some(format!("{sprung:?}")));
    }
}
