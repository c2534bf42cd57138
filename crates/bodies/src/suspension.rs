//! The suspension of a body that nothing else holds: soft springs and dampers to the ground that act on its rigid motions alone.
//!
//!   F = −Σ_s (k u_r(x_s) + r u̇_r(x_s)) Mφ_r(x_s),   u_r = Σ_j φ_j (φ_jᵀM q),   φ_jᵀMφ_k = δ_jk
//!   k = m ω_s²/n,   r = 2ζ m ω_s/n,   ω_s = 2πf_s
//!
//! m (kg) is the mass of the body, n the number of places x_s, f_s (Hz) the frequency at which it swings on its springs without
//! turning, ζ (–) the damping of this motion; φ_j are its motions without strain (a shift and a tilt between free ends) and
//! u_r(x_s) is what they move at a place. All modes that bend are orthogonal to φ_j with the mass: they are those of the
//! free body, in frequency and decay, on a grid and by modes. The two squares of the form that the places make of the φ_j are those
//! of its Cholesky factor,
//!
//!   Σ_s k u_r(x_s)² = (l₁₁η₁ + l₂₁η₂)² + (l₂₂η₂)²,   η_j = φ_jᵀM q
//!
//! Where f_s is left out it is f₁/200 of the first partial f₁. A body that its ends hold has no rigid motions, and the suspension
//! does nothing.

use crate::numerical_modes;
use hamiltone_core::{
    body::{Body, InitialMotion, Placed, Solved, Support},
    operator::Operator,
    parameter::{Absent, Complaint, Parameter, Range, Role, Table, Takes, Values},
    row::Row,
    system::{Block, System},
};
use std::f64::consts::TAU;

/// The nodes of the first partial of a uniform bar with free ends, as parts of its length: φ(x) = 0 for β = 4.7300.
const NODES: [f64; 2] = [0.224_157_522_702, 0.775_842_477_298];
/// The first partial over f_s, unless it is given.
const SOFT: f64 = 200.0;
/// A shift and a tilt whose coupling is below this part of both are not coupled: places that lie alike on both sides.
const UNCOUPLED: f64 = 1e-12;

/// The parameter.
pub(crate) const SUSPENSION: Parameter = Parameter {
    name: "suspension",
    takes: Takes::Table(Table {
        parameters: &[
            Parameter {
                name: "at",
                takes: Takes::Numbers(Role::Number, Range { min: 0.0, max: 1.0, open: false }),
                absent: Absent::Optional("the nodes of the first partial of a uniform bar: [0.2242, 0.7758]"),
                doc: "where its cords are, as fractions of the length",
            },
            Parameter {
                name: "frequency",
                takes: Takes::Number(Role::Frequency, Range { min: 1e-3, max: 1e4, open: false }),
                absent: Absent::Optional("a two hundredth of the first partial"),
                doc: "f_s: the body swings on its cords at this frequency",
            },
            Parameter {
                name: "damping_ratio",
                takes: Takes::Number(Role::Number, Range { min: 0.0, max: 10.0, open: false }),
                absent: Absent::Number(0.5),
                doc: "ζ of this motion",
            },
        ],
        rules: &[],
    }),
    absent: Absent::Optional("nothing holds it but its ends and links"),
    doc: "soft springs and dampers to the ground that keep a free body in its place; they act on shift and tilt alone and change no partial; {} takes all from defaults",
};

/// The name of the block of a body's suspension.
pub fn suspension_of(body: &str) -> String {
    format!("{body} suspension")
}

/// The body with the suspension that the values ask for, or as it is.
///
/// # Errors
/// A [`Complaint`] where the suspension has no place.
pub(crate) fn suspended(values: &Values, body: Box<dyn Body>) -> Result<Box<dyn Body>, Complaint> {
    let Some(own) = values.table(SUSPENSION.name) else { return Ok(body) };
    let at = own.list("at").map_or(NODES.to_vec(), <[f64]>::to_vec);
    if at.is_empty() {
        return Err(Complaint::new("suspension.at", "needs a place, such as [0.224, 0.776]"));
    }
    let damping = own.number("damping_ratio").unwrap_or(0.5);
    let suspended = Suspended { body, at, frequency: own.number("frequency"), damping };
    // What is wrong with its places is said with the other values.
    suspended.add_to(&mut System::default(), "")?;
    Ok(Box::new(suspended))
}

/// A body on soft springs.
struct Suspended {
    body: Box<dyn Body>,
    /// x_s/L.
    at: Vec<f64>,
    /// f_s, Hz.
    frequency: Option<f64>,
    /// ζ.
    damping: f64,
}

impl Suspended {
    /// f_s, Hz.
    fn frequency(&self, placed: &Placed) -> Result<f64, Complaint> {
        if let Some(frequency) = self.frequency {
            return Ok(frequency);
        }
        if let Some(first) = placed.representation.partial(1) {
            return Ok(first / SOFT);
        }
        // No formula gives it of an undercut bar.
        let modes = numerical_modes::lowest(&*self.body, 1, SUSPENSION.name)?;
        Ok(modes.first().map_or(0.0, |mode| mode.omega / TAU) / SOFT)
    }
}

impl Body for Suspended {
    fn solved(&self) -> Vec<Solved> {
        self.body.solved()
    }

    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let placed = self.body.add_to(system, name)?;
        let length = placed.geometry.length().unwrap_or(1.0);
        let rigid = orthonormal(system, &placed);
        let rows = self.at.iter().map(|part| (part, placed.row_at([part * length, 0.0])));
        let mut places = Vec::new();
        for (part, row) in rows {
            if row.is_zero() {
                let message = format!("has the place {part}, where the body is held already");
                return Err(Complaint::new("suspension.at", message).help("leave this place out"));
            }
            let weight = |motion: &Vec<f64>| -> f64 {
                row.entries().map(|(dof, w)| w * motion[dof - placed.dofs.start]).sum()
            };
            places.push(rigid.iter().map(weight).collect::<Vec<f64>>());
        }
        if rigid.is_empty() {
            return Ok(placed);
        }
        let omega = TAU * self.frequency(&placed)?;
        let share = mass(system, &placed) / self.at.len() as f64;
        let mass = &system.mass[placed.dofs.clone()];
        let squares = factor(&places);
        let strain = |coefficients: &Vec<f64>| -> Vec<f64> {
            let momentum = |i: usize| {
                coefficients.iter().zip(&rigid).map(|(c, motion)| c * motion[i]).sum::<f64>() * mass[i]
            };
            (0..mass.len()).map(momentum).collect()
        };
        let strains: Vec<Vec<f64>> = squares.iter().map(strain).collect();
        let operator = |weight: f64| squares_of(weight, &strains);
        system.blocks.push(Block {
            name: suspension_of(name),
            dofs: placed.dofs.clone(),
            stiffness: operator(share * omega * omega),
            damping: operator(2.0 * self.damping * share * omega),
        });
        Ok(placed)
    }
}

/// The rigid motions over the coordinates of a body, φ_jᵀMφ_k = δ_jk.
fn orthonormal(system: &System, placed: &Placed) -> Vec<Vec<f64>> {
    let mass = &system.mass[placed.dofs.clone()];
    let product = |a: &[f64], b: &[f64]| mass.iter().zip(a).zip(b).map(|((m, a), b)| m * a * b).sum::<f64>();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for motion in placed.representation.rigid() {
        let mut own = vec![0.0; mass.len()];
        motion.into_iter().for_each(|(dof, value)| own[dof - placed.dofs.start] = value);
        for other in &basis {
            let part = product(&own, other);
            own.iter_mut().zip(other).for_each(|(own, other)| *own -= part * other);
        }
        let norm = product(&own, &own).sqrt();
        own.iter_mut().for_each(|own| *own /= norm);
        basis.push(own);
    }
    basis
}

/// The rows of Lᵀ of Σ_s w_s w_sᵀ = LLᵀ that are not 0, w_s what one or two rigid motions move at a place.
fn factor(places: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let sum = |i: usize, j: usize| places.iter().map(|w| w[i] * w[j]).sum::<f64>();
    let first = sum(0, 0).sqrt();
    if places.iter().any(|w| w.len() < 2) {
        return vec![vec![first]];
    }
    let (mixed, own) = (sum(0, 1), sum(1, 1));
    let mixed = if mixed.abs() > UNCOUPLED * first * own.sqrt() { mixed / first } else { 0.0 };
    let rest = own - mixed * mixed;
    let second = (rest > UNCOUPLED * own).then(|| vec![0.0, rest.sqrt()]);
    [vec![first, mixed]].into_iter().chain(second).collect()
}

/// Σ weight (cⱼ·q)²: by coordinates where each strain reads one, as those of modes do, else with all coordinates of the body, since
/// where it couples some of them they all are replaced together.
fn squares_of(weight: f64, strains: &[Vec<f64>]) -> Operator {
    let single = |strain: &Vec<f64>| strain.iter().filter(|c| **c != 0.0).count() == 1;
    if weight == 0.0 {
        return Operator::Zero;
    }
    if strains.iter().all(single) {
        let sum = |i: usize| strains.iter().map(|strain| weight * strain[i] * strain[i]).sum();
        return Operator::Diagonal((0..strains[0].len()).map(sum).collect());
    }
    let row = |strain: &Vec<f64>| Row::Sparse(strain.iter().copied().enumerate().collect());
    Operator::Strains(strains.iter().map(|strain| (weight, row(strain))).collect())
}

/// The mass that moves where the whole body moves as one, kg.
fn mass(system: &System, placed: &Placed) -> f64 {
    let support = Support::Whole { corners: Vec::new() };
    let values = placed.representation.project(&InitialMotion { at: Box::new(|_| (1.0, 0.0)), support });
    values.iter().map(|value| system.mass[value.dof] * value.position * value.position).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Bar, TimoshenkoBar,
        reduction::{Component, Keep, reduce},
    };
    use hamiltone_core::geometry::Place;

    /// The bar of a xylophone: m = 0.21 kg, on a grid and by its modes; undercut, and thick.
    fn bodies() -> [Box<dyn Body>; 4] {
        let bar = Bar::new(0.35, 0.6, 60.0).unwrap();
        let undercut = bar.clone().shaped(|x: f64| if (0.12..0.2).contains(&x) { 0.5 } else { 1.0 });
        let thick = TimoshenkoBar::new(0.35, [0.6, 2e-5], [4e5, 60.0]).unwrap();
        [
            Box::new(bar.on_grid(100).unwrap()),
            Box::new(bar.by_modes(20, 24).unwrap()),
            Box::new(undercut.on_grid(100).unwrap()),
            Box::new(thick.on_grid(100).unwrap()),
        ]
    }

    /// ω and σ of the lowest modes of a body, suspended or not.
    fn modes(body: &dyn Body, supports: Vec<usize>) -> Vec<(f64, f64)> {
        let mut system = System::default();
        let dofs = body.add_to(&mut system, "bar").unwrap().dofs.collect();
        let component =
            Component { name: "bar".into(), dofs, keep: Keep::Lowest(10), losses: Vec::new(), supports };
        let modes = reduce(&system, &[component]).unwrap().components.remove(0).modes;
        modes.into_iter().map(|mode| (mode.omega, mode.sigma)).collect()
    }

    /// Moved as one it swings at f_s: uᵀKu/uᵀMu = ω_s², to the roundings of 100 terms. An uneven bar is moved to its
    /// centre of mass alike.
    #[test]
    fn its_frequency_is_that_of_the_rigid_motion() {
        for body in bodies().into_iter().take(3) {
            let (at, frequency) = (NODES.to_vec(), Some(2.0));
            let mut system = System::default();
            let placed = Suspended { body, at, frequency, damping: 0.5 }.add_to(&mut system, "bar").unwrap();
            let support = Support::Whole { corners: Vec::new() };
            let moved =
                placed.representation.project(&InitialMotion { at: Box::new(|_| (1.0, 0.0)), support });
            let mut q = vec![0.0; system.size()];
            moved.iter().for_each(|value| q[value.dof] = value.position);
            let (k, r) = (system.stiffness_form(&q, &q), system.damping_form(&q));
            let mass = mass(&system, &placed);
            assert!((k / (mass * (TAU * 2.0).powi(2)) - 1.0).abs() < 1e-10, "{k}");
            assert!((r / (mass * TAU * 2.0) - 1.0).abs() < 1e-10, "{r}");
        }
    }

    /// The operators of the suspension on modes that bend: less than 1e-13 of what they are on a rigid motion of the same norm, for
    /// any places and however stiff the springs. Mode k of 100 intervals is orthogonal to lines to the error of its iteration.
    #[test]
    fn bent_modes_keep_frequency_and_decay() {
        for at in [NODES.to_vec(), vec![0.0, 1.0], vec![0.1, 0.4], vec![0.3]] {
            for (body, again) in bodies().into_iter().zip(bodies()) {
                let free = modes(&*again, Vec::new());
                let held = Suspended { body, at: at.clone(), frequency: Some(300.0), damping: 2.0 };
                // Part of the eigenproblem, and apart from it.
                for supports in [vec![], vec![1]] {
                    let held = modes(&held, supports);
                    for (omega, sigma) in &free[2..8] {
                        let near = |mode: &&(f64, f64)| (mode.0 / omega - 1.0).abs() < 1e-9;
                        let found =
                            held.iter().find(near).unwrap_or_else(|| panic!("{at:?} {omega} {held:?}"));
                        assert!((found.1 - sigma).abs() < 1e-9 * TAU * 300.0, "{at:?}: {} {sigma}", found.1);
                    }
                }
            }
        }
    }

    /// On two cords no motion is left without a spring, on one a rotation about it.
    #[test]
    fn two_places_hold_a_body() {
        for (at, free) in [(NODES.to_vec(), 0), (vec![0.3, 0.9], 0), (vec![0.02, 0.1], 0), (vec![0.3], 1)] {
            for body in bodies() {
                let held = Suspended { body, at: at.clone(), frequency: None, damping: 0.5 };
                let modes = modes(&held, vec![1]);
                assert_eq!(modes.iter().filter(|mode| mode.0 < 1e-3).count(), free, "{at:?}: {modes:?}");
            }
        }
    }

    /// φ = 0 at the nodes: to the digits that are written there.
    #[test]
    fn the_nodes_are_those_of_the_first_partial() {
        let [_, modal, ..] = bodies();
        let placed = modal.add_to(&mut System::default(), "bar").unwrap();
        for node in NODES {
            let row = placed.row(Place::Fraction(node)).unwrap();
            assert!(row.weight(2).abs() < 1e-11, "{}", row.weight(2));
        }
    }

    #[test]
    fn a_held_place_is_refused() {
        let string = crate::StiffString::new(1.0, 1e-3, 100.0).unwrap().by_modes(5, 8).unwrap();
        let (at, frequency) = (vec![0.5, 0.0], Some(1.0));
        let held = Suspended { body: Box::new(string), at, frequency, damping: 0.5 };
        let refused = held.add_to(&mut System::default(), "string").err().unwrap();
        assert_eq!(refused.parameter, "suspension.at");
    }
}
