//! How long the shortest contact of a system lasts, and the rate that it asks for.
//!
//! A free mass m that meets a spring of stiffness k turns back after half a period,
//!
//!   T = π√(m/k),   k = V″(x),   V(x) = E
//!
//! with the stiffness of the law where it has taken up the mass's energy E = ½mv². A step of Δt changes a contact force by a
//! part of order (Δt/T)²: 20 steps a contact leave π²/4800 of it, 0.2 %. A contact of which no side is a free mass, as of a
//! string and an obstacle, and a rigid one, of which each impact is off by up to a step, have no such duration: they
//! are stepped at [`WITHOUT_DURATION`] times the rate of the sound.
//!
//! A link of stiffness k along a row c moves at most at ω = √(k cM⁻¹cᵀ); the midpoint step detunes it by (ωΔt)²/12, half a
//! cent at ωΔt = 0.059.

use hamiltone_core::{
    element::{Compliant, Element, Law},
    operator::Operator,
    row::Row,
    system::{Block, System},
};
use std::f64::consts::PI;

/// Steps in the shortest contact.
pub const STEPS_PER_CONTACT: f64 = 20.0;
/// Steps a sample for contacts without a duration.
pub const WITHOUT_DURATION: usize = 4;
/// The most steps a sample.
pub const MAX_OVERSAMPLING: usize = 16;
/// The largest ωΔt of a link.
const LINK_LIMIT: f64 = 0.059;

/// What asks for more steps than samples.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The element of this name lasts so long, s.
    Duration(String, f64),
    /// The rigid contact of this name has impacts.
    Impact(String),
    /// The compliant contact of this name has no free mass, whose speed would give a duration.
    Compliant(String),
    /// The link of this name.
    Link(String),
}

/// Steps a sample of the sound at `rate` (Hz), and why: 1, 2, 4, … up to [`MAX_OVERSAMPLING`]; `None` where one will do.
pub fn oversampling(system: &System, rate: f64) -> Option<(usize, Reason)> {
    let asked = system.elements.iter().filter_map(|element| {
        let name = || element.name.clone();
        let (factor, reason) = match duration(system, element)? {
            Some(seconds) => (STEPS_PER_CONTACT / (seconds * rate), Reason::Duration(name(), seconds)),
            None if matches!(element.law, Law::Compliant(_)) => {
                (WITHOUT_DURATION as f64, Reason::Compliant(name()))
            }
            None => (WITHOUT_DURATION as f64, Reason::Impact(name())),
        };
        Some((factor, reason))
    });
    let linked = system.blocks.iter().filter_map(|block| {
        let omega = link(system, block);
        (omega > 0.0).then(|| (omega / (LINK_LIMIT * rate), Reason::Link(block.name.clone())))
    });
    // The most demanding one decides, and is the reason that the user reads.
    let (factor, reason) = asked.chain(linked).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let steps = (1..=MAX_OVERSAMPLING).filter(|n| n.is_power_of_two());
    let steps = steps.into_iter().find(|n| *n as f64 >= factor).unwrap_or(MAX_OVERSAMPLING);
    (steps > 1).then_some((steps, reason))
}

/// How long a contact lasts, s; `None` where that is not known, or it is none.
pub fn of(system: &System, element: &Element) -> Option<f64> {
    duration(system, element).flatten()
}

/// How long a contact lasts whose coordinate `dof` meets it at this speed, m/s; `None` of an element that is no compliant
/// contact of this coordinate, or that never turns it back.
pub fn of_speed(system: &System, element: &Element, dof: usize, speed: f64) -> Option<f64> {
    let Law::Compliant(law) = &element.law else { return None };
    let weight = element.row().weight(dof);
    let mass = system.mass[dof];
    if weight == 0.0 || speed == 0.0 {
        return None;
    }
    half_period(law, 0.5 * mass * speed * speed, mass / (weight * weight))
}

/// π√(m/k) where the law has taken up the energy; `None` where it never does, or has no stiffness there.
fn half_period(law: &Compliant, energy: f64, mass: f64) -> Option<f64> {
    let stiffness = law.curvature(penetration(|x| law.energy(x), energy)?);
    (stiffness > 0.0).then(|| PI * (mass / stiffness).sqrt())
}

/// How long a contact lasts, s; `Some(None)` where it is not known, `None` of an element that is no contact.
fn duration(system: &System, element: &Element) -> Option<Option<f64>> {
    let law = match &element.law {
        Law::Resistive(_) | Law::Port(_) => return None,
        Law::Rigid { .. } | Law::Custom(_) => return Some(None),
        Law::Compliant(law) => law,
    };
    let free = element.row().entries().filter(|(i, _)| is_free(system, *i));
    let moving = free.map(|(i, c)| {
        let (mass, speed) = (system.mass[i], system.initial.velocity[i]);
        // Only initial velocities are known before a run; a mass set in motion later has no known duration.
        // c·q of a free mass m moves as a mass m/c².
        (0.5 * mass * speed * speed, mass / (c * c))
    });
    let Some((energy, mass)) = moving.filter(|(energy, _)| *energy > 0.0).max_by(|a, b| a.0.total_cmp(&b.0))
    else {
        return Some(None);
    };
    Some(half_period(law, energy, mass))
}

/// Whether a coordinate has no spring of its body: a mass that flies, or hangs on a link.
fn is_free(system: &System, dof: usize) -> bool {
    let held = |block: &Block| match &block.stiffness {
        _ if !block.dofs.contains(&dof) => false,
        // Strains are links between bodies; one to ground is taken as a link, too.
        Operator::Zero | Operator::Strains(_) => false,
        Operator::Diagonal(stiffness) => stiffness[dof - block.dofs.start] > 0.0,
        Operator::Stencils(_) => true,
    };
    !system.blocks.iter().any(held)
}

/// The largest ω of the links of a block that couple coordinates, rad/s; 0 without any.
fn link(system: &System, block: &Block) -> f64 {
    let Operator::Strains(strains) = &block.stiffness else { return 0.0 };
    // A strain of one coordinate is a spring to ground, which does not act between bodies.
    let coupled = strains.iter().filter(|(_, row)| row.entries().nth(1).is_some());
    let square = |(k, row): &(f64, Row)| {
        k * row.entries().map(|(i, c)| c * c / system.mass[block.dofs.start + i]).sum::<f64>()
    };
    coupled.map(square).fold(0.0, f64::max).sqrt()
}

/// x with V(x) = `energy`, V growing; `None` where it never is so large.
fn penetration(potential: impl Fn(f64) -> f64, energy: f64) -> Option<f64> {
    // 1 nm is shorter than any penetration of interest; a law that has not stored the energy at 1 km is taken to be bounded.
    let mut above = 1e-9;
    while potential(above) < energy {
        above *= 2.0;
        if above > 1e3 {
            return None;
        }
    }
    let mut below = 0.0;
    // The root lies in the upper half of the bracket, or below 1 nm, where its digits do not matter: 60 halvings reach the last bit.
    for _ in 0..60 {
        let middle = 0.5 * (below + above);
        if potential(middle) < energy { below = middle } else { above = middle }
    }
    // The upper end is returned, as V(above) ≥ energy holds there.
    Some(above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::{identity::Identity, ledger::Bookkeeping, potential::Potential, scheme::Scheme};

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
        fn identity(&self) -> Identity {
            Identity::of("felt").number(self.0)
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
            let mut simulation = crate::modal::modal_ec::ModalEc::default().prepare(&system, dt).unwrap();
            simulation.reset(&[]);
            loop {
                simulation.step(&[], Bookkeeping::Flows);
                steps += 1;
                if simulation.motion().q[0] <= 0.0 {
                    break;
                }
            }
            let estimated = duration(&system, &system.elements[0]).flatten().unwrap();
            let ratio = f64::from(steps) * dt / estimated;
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
        assert_eq!(oversampling(&rigid, 44_100.0), Some((WITHOUT_DURATION, Reason::Impact("felt".into()))));
        assert_eq!(oversampling(&System::default(), 44_100.0), None);
    }
}
