//! How long the shortest contact of a system lasts, and the rate that it asks for.
//!
//! A free mass m that meets a spring of stiffness k turns back after half a period,
//!
//!   T = π√(m/k),   k = V″(x),   V(x) = E
//!
//! with the stiffness of the law where it has taken up the mass's energy E = ½mv². A step of Δt changes a contact force by a
//! part of order (Δt/T)²: 20 steps a contact leave π²/4800 of it, 0.2 %. A contact of which no side is a free mass, as of a
//! string and an obstacle, and a rigid one, of which each impact is off by up to a step, are told from no duration: they
//! are stepped at [`MANY`] times the rate of the sound.

use hamiltone_core::{
    element::{Element, Law},
    system::System,
};
use std::f64::consts::PI;

/// Steps in the shortest contact.
pub const STEPS: f64 = 20.0;
/// Steps a sample for contacts without a duration.
pub const MANY: usize = 4;
/// The most steps a sample.
pub const MOST: usize = 16;

/// What asks for more steps than samples.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The element of this name lasts so long, s.
    Duration(String, f64),
    /// The element of this name has no duration of its own.
    Impact(String),
}

/// Steps a sample of the sound at `rate` (Hz), and why: 1, 2, 4, … up to [`MOST`]; `None` where one will do.
pub fn oversampling(system: &System, rate: f64) -> Option<(usize, Reason)> {
    let asked = system.elements.iter().filter_map(|element| {
        let (factor, reason) = match duration(system, element)? {
            Some(seconds) => (STEPS / (seconds * rate), Reason::Duration(element.name.clone(), seconds)),
            None => (MANY as f64, Reason::Impact(element.name.clone())),
        };
        Some((factor, reason))
    });
    let (factor, reason) = asked.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let steps = (1..=MOST).filter(|n| n.is_power_of_two()).find(|n| *n as f64 >= factor).unwrap_or(MOST);
    (steps > 1).then_some((steps, reason))
}

/// How long a contact lasts, s; `Some(None)` where nothing tells, `None` of an element that is no contact.
fn duration(system: &System, element: &Element) -> Option<Option<f64>> {
    let law = match &element.law {
        Law::Resistive(_) => return None,
        Law::Rigid { .. } | Law::Custom(_) => return Some(None),
        Law::Compliant(law) => law,
    };
    let free = element.row().entries().filter(|(i, _)| is_free(system, *i));
    let moving = free.map(|(i, c)| {
        let (mass, speed) = (system.mass[i], system.initial.velocity[i]);
        // c·q of a free mass m moves as a mass m/c².
        (0.5 * mass * speed * speed, mass / (c * c))
    });
    let Some((energy, mass)) = moving.filter(|(energy, _)| *energy > 0.0).max_by(|a, b| a.0.total_cmp(&b.0))
    else {
        return Some(None);
    };
    let deepest = penetration(|x| law.energy(x), energy)?;
    let stiffness = law.curvature(deepest);
    Some((stiffness > 0.0).then(|| PI * (mass / stiffness).sqrt()))
}

/// Whether a coordinate has no spring of its own: a mass that flies.
fn is_free(system: &System, dof: usize) -> bool {
    let held = |block: &hamiltone_core::system::Block| {
        block.dofs.contains(&dof) && {
            let mut unit = vec![0.0; block.dofs.len()];
            unit[dof - block.dofs.start] = 1.0;
            block.stiffness.form(&unit) > 0.0
        }
    };
    !system.blocks.iter().any(held)
}

/// x with V(x) = `energy`, V growing; `None` where it never is so large.
fn penetration(potential: impl Fn(f64) -> f64, energy: f64) -> Option<f64> {
    let mut above = 1e-9;
    while potential(above) < energy {
        above *= 2.0;
        if above > 1e3 {
            return None;
        }
    }
    let mut below = 0.0;
    for _ in 0..60 {
        let middle = 0.5 * (below + above);
        if potential(middle) < energy { below = middle } else { above = middle }
    }
    Some(above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::{
        element::Compliant, ledger::Bookkeeping, potential::Potential, row::Row, scheme::Scheme,
    };

    /// V = ⅓·k x³ of x > 0.
    #[derive(Debug)]
    struct Felt(f64);

    impl Potential for Felt {
        fn energy(&self, x: f64) -> f64 {
            self.0 * x.max(0.0) * x.max(0.0) * x.max(0.0) / 3.0
        }
        fn force(&self, x: f64) -> f64 {
            self.0 * x.max(0.0) * x.max(0.0)
        }
        fn curvature(&self, x: f64) -> f64 {
            2.0 * self.0 * x.max(0.0)
        }
        fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
            let middle = x + 0.5 * s;
            if s == 0.0 {
                return (self.force(middle), 0.5 * self.curvature(middle));
            }
            ((self.energy(x + s) - self.energy(x)) / s, 0.5 * self.curvature(middle))
        }
        fn onset(&self) -> f64 {
            0.0
        }
    }

    fn hammer(mass: f64, speed: f64, stiffness: f64) -> System {
        let mut system = System::default();
        system.add_dof(mass, 0.0, speed);
        let law = Law::Compliant(Compliant::new(Felt(stiffness)));
        system.elements.push(Element::new("felt", Row::unit(0), 0.0, law));
        system
    }

    /// The duration is that of a run to a factor of 1.5: the spring hardens on the way.
    #[test]
    fn a_contact_lasts_about_so_long() {
        for (mass, speed, stiffness) in [(8e-3, 2.0, 1e9), (8e-3, 0.2, 1e9), (0.1, 5.0, 1e11)] {
            let system = hammer(mass, speed, stiffness);
            let (dt, mut steps) = (1e-7, 0);
            let mut simulation = crate::modal_ec::ModalEc::default().prepare(&system, dt).unwrap();
            simulation.reset(&[]);
            loop {
                simulation.step(&[], Bookkeeping::Off);
                steps += 1;
                if simulation.motion().q[0] <= 0.0 {
                    break;
                }
            }
            let told = duration(&system, &system.elements[0]).flatten().unwrap();
            let ratio = f64::from(steps) * dt / told;
            assert!((1.0..1.6).contains(&ratio), "{ratio}");
        }
    }

    #[test]
    fn stiff_contacts_ask_for_more_steps() {
        let soft = hammer(8e-3, 0.2, 1e7);
        assert_eq!(oversampling(&soft, 44_100.0), None);
        let stiff = oversampling(&hammer(8e-3, 5.0, 1e10), 44_100.0);
        assert!(matches!(stiff, Some((8, Reason::Duration(..)))), "{stiff:?}");
        let mut rigid = hammer(8e-3, 5.0, 1e12);
        rigid.elements[0].law = Law::Rigid { restitution: 0.5 };
        assert_eq!(oversampling(&rigid, 44_100.0), Some((MANY, Reason::Impact("felt".into()))));
        assert_eq!(oversampling(&System::default(), 44_100.0), None);
    }
}
