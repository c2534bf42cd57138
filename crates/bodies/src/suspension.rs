//! The suspension of a body that nothing else holds: soft springs and dampers to the ground at some places.
//!
//!   f_s = −k u(x_s) − r u̇(x_s),   k = m ω_s²/n,   r = 2ζ m ω_s/n,   ω_s = 2πf_s
//!
//! m (kg) is the mass of the body, n the number of places x_s, f_s (Hz) the frequency at which it would swing on its springs
//! without bending, ζ (–) the damping of this motion. A partial of frequency f moves by
//!
//!   Δf/f = Σ_s φ(x_s)² m f_s²/(2 n m_k f²) ≤ 2 (f_s/f)²
//!
//! of a bar with free ends, φ² m/m_k being at most 4 (at its ends). Where f_s is left out it is f₁/200, which is 0.087 cents
//! of the first partial f₁ at most, and less of the others. At the nodes of the first partial it is not moved at all.

use crate::numerical_modes;
use hamiltone_core::{
    body::{Body, InitialMotion, InitialValue, Placed, Readout, Representation, Sample, Solved, Support},
    geometry::Position,
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
                absent: Absent::Optional(
                    "a two hundredth of the first partial: no partial moves by 0.1 cent",
                ),
                doc: "f_s: the body would swing on its cords at this frequency",
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
    doc: "soft springs and dampers to the ground that keep a free body in its place; {} takes all from defaults",
};

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

impl Body for Suspended {
    fn solved(&self) -> Vec<Solved> {
        self.body.solved()
    }

    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let placed = self.body.add_to(system, name)?;
        let length = placed.geometry.length().unwrap_or(1.0);
        let first = match placed.representation.partial(1) {
            Some(first) => first,
            // No formula gives it of an undercut bar.
            None => {
                let modes = numerical_modes::lowest(&*self.body, 1, SUSPENSION.name)?;
                modes.first().map_or(0.0, |mode| mode.omega / TAU)
            }
        };
        let frequency = self.frequency.unwrap_or(first / SOFT);
        let is_soft = frequency < first * (1.0 + 1e-9) / SOFT;
        let (mass, share) = (mass(system, &placed), 1.0 / self.at.len() as f64);
        let omega = TAU * frequency;
        for (s, part) in self.at.iter().enumerate() {
            let row = placed.row_at([part * length, 0.0]);
            if row.is_zero() {
                let message = format!("has the place {part}, where the body is held already");
                return Err(Complaint::new("suspension.at", message).help("leave this place out"));
            }
            let (stiffness, loss) = (mass * omega * omega * share, 2.0 * self.damping * mass * omega * share);
            // A block of the body itself, unlike that of a link: it reaches into no other.
            let own = Row::Sparse(row.entries().map(|(dof, w)| (dof - placed.dofs.start, w)).collect());
            let strain = |weight: f64| match weight {
                0.0 => Operator::Zero,
                weight => Operator::Strains(vec![(weight, own.clone())]),
            };
            system.blocks.push(Block {
                name: format!("{name} suspension {}", s + 1),
                dofs: placed.dofs.clone(),
                stiffness: strain(stiffness),
                damping: strain(loss),
            });
        }
        Ok(Placed { representation: Box::new(Held { body: placed.representation, is_soft }), ..placed })
    }
}

/// A body on its suspension: all is as without, but that its own modes are coupled by the springs and are modes no more.
struct Held {
    body: Box<dyn Representation>,
    /// Whether it moves no partial by 0.1 cent, so that the theory of the body is its own.
    is_soft: bool,
}

impl Representation for Held {
    fn row(&self, at: Position) -> Row {
        self.body.row(at)
    }

    fn readouts(&self) -> &'static [Readout] {
        self.body.readouts()
    }

    fn readout(&self, name: &str, at: Position) -> Row {
        self.body.readout(name, at)
    }

    fn samples(&self) -> Vec<Sample> {
        self.body.samples()
    }

    fn resolution(&self) -> f64 {
        self.body.resolution()
    }

    fn project(&self, motion: &InitialMotion<'_>) -> Vec<InitialValue> {
        self.body.project(motion)
    }

    fn partial(&self, k: usize) -> Option<f64> {
        self.body.partial(k).filter(|_| self.is_soft)
    }
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
    use crate::Bar;
    use hamiltone_core::geometry::Place;

    /// The bar of a xylophone: m = 0.21 kg, on a grid and by its modes.
    fn bodies() -> [Box<dyn Body>; 2] {
        let bar = Bar::new(0.35, 0.6, 60.0).unwrap();
        [Box::new(bar.on_grid(100).unwrap()), Box::new(bar.by_modes(20, 24).unwrap())]
    }

    /// Moved as one it swings at f_s: uᵀKu/uᵀMu = ω_s², to the roundings of 100 terms.
    #[test]
    fn its_frequency_is_that_of_the_rigid_motion() {
        for body in bodies() {
            let (at, frequency) = (NODES.to_vec(), Some(2.0));
            let mut system = System::default();
            let placed = Suspended { body, at, frequency, damping: 0.5 }.add_to(&mut system, "bar").unwrap();
            let support = Support::Whole { corners: Vec::new() };
            let moved =
                placed.representation.project(&InitialMotion { at: Box::new(|_| (1.0, 0.0)), support });
            let mut q = vec![0.0; system.size()];
            moved.iter().for_each(|value| q[value.dof] = value.position);
            let (k, r) = (system.stiffness_form(&q, &q), system.damping_form(&q));
            assert!((mass(&system, &placed) / 0.21 - 1.0).abs() < 1e-12);
            assert!((k / (0.21 * (TAU * 2.0).powi(2)) - 1.0).abs() < 1e-11, "{k}");
            assert!((r / (0.21 * TAU * 2.0) - 1.0).abs() < 1e-11, "{r}");
        }
    }

    /// Where f_s is left out no place moves a partial by 0.1 cent, to first order in K.
    #[test]
    fn no_default_moves_a_partial_by_a_tenth_of_a_cent() {
        let [_, modal] = bodies();
        for at in [0.0, 0.1, 0.2242, 0.4, 0.5] {
            let [_, body] = bodies();
            let mut system = System::default();
            let at = vec![at, 1.0 - at];
            let placed =
                Suspended { body, at, frequency: None, damping: 0.5 }.add_to(&mut system, "bar").unwrap();
            let mut free = System::default();
            modal.add_to(&mut free, "bar").unwrap();
            for k in placed.dofs.start + 2..placed.dofs.end {
                let mut q = vec![0.0; system.size()];
                q[k] = 1.0;
                let ratio = system.stiffness_form(&q, &q) / free.stiffness_form(&q, &q);
                assert!(ratio >= 1.0 && 600.0 * ratio.log2() < 0.1, "{k}: {}", 600.0 * ratio.log2());
            }
        }
    }

    /// φ = 0 at the nodes: to the digits that are written there.
    #[test]
    fn the_nodes_are_those_of_the_first_partial() {
        let [_, modal] = bodies();
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
