//! Links between modes, as force laws along their rows: they are not among the poles.
//!
//!   f = κx  (stored ½κx²),     f = rẋ
//!
//! The diagonal of K and R is the modes' own.

use crate::interaction::{ForceLaw, Interaction};
use hamiltone_core::{
    element::{Compliant, Resistive},
    identity::Identity,
    operator::Operator,
    parameter::DriveQuantity,
    potential::Potential,
    refusal::Refusal,
    resistance::Resistance,
    row::Row,
    system::{Block, System},
};

/// V = ½κx².
#[derive(Debug)]
struct LinkSpring(f64);

impl Potential for LinkSpring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.0 * (x * x)
    }

    fn force(&self, x: f64) -> f64 {
        self.0 * x
    }

    fn curvature(&self, _: f64) -> f64 {
        self.0
    }

    fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
        (self.0 * (x + 0.5 * s), 0.5 * self.0)
    }

    fn identity(&self) -> Identity {
        Identity::of("spring").number(self.0)
    }
}

/// f = rẋ.
#[derive(Debug)]
struct Dashpot(f64);

impl Resistance for Dashpot {
    fn force(&self, rate: f64, _: f64) -> (f64, f64) {
        (self.0 * rate, self.0)
    }

    fn control(&self) -> (&'static str, DriveQuantity) {
        ("resistance", DriveQuantity::Resistance)
    }

    fn identity(&self) -> Identity {
        Identity::of("dashpot").number(self.0)
    }
}

/// The linear part of a system, taken apart.
pub(crate) struct LinearParts {
    /// The diagonals of K and R.
    pub stiffness: Vec<f64>,
    pub damping: Vec<f64>,
    /// What couples coordinates, numbered from the system's elements on.
    pub links: Vec<Interaction>,
}

/// Takes the linear part of `system` apart.
///
/// # Errors
/// Where the operator of a grid couples coordinates: `scheme` has no modes of it.
pub(crate) fn take_apart(scheme: &'static str, system: &System) -> Result<LinearParts, Refusal> {
    let zero = || vec![0.0; system.size()];
    let (mut stiffness, mut damping, mut links) = (zero(), zero(), Vec::new());
    let mut add = |row: Row, law: ForceLaw| {
        // Behind the elements, so that numbers of inputs and outputs stay what they are.
        let element = system.elements.len() + links.len();
        links.push(Interaction { element, row, gap: 0.0, law });
    };
    for block in &system.blocks {
        let grid = |Grid| Refusal::NotCovered { scheme, what: vec![format!("the grid of `{}`", block.name)] };
        each(block, &block.stiffness, &mut stiffness, |k, row| {
            // A spring acts on both sides: there is no onset below which it could be passed over.
            add(row, ForceLaw::Compliant(Compliant::new(LinkSpring(k)), f64::NEG_INFINITY));
        })
        .map_err(grid)?;
        each(block, &block.damping, &mut damping, |r, row| {
            add(row, ForceLaw::Resistive(Resistive::new(Dashpot(r), 0.0)));
        })
        .map_err(grid)?;
    }
    Ok(LinearParts { stiffness, damping, links })
}

/// The operator of a grid, which has no diagonal.
struct Grid;

/// Adds the squares of one coordinate to the diagonal, and gives the others to `link`.
fn each(
    block: &Block,
    operator: &Operator,
    diagonal: &mut [f64],
    mut link: impl FnMut(f64, Row),
) -> Result<(), Grid> {
    if matches!(operator, Operator::Stencils(_)) {
        return Err(Grid);
    }
    for (weight, strain) in operator.squares() {
        let row = strain.moved(block.dofs.start);
        // Whether there is a second coordinate is all that is asked.
        let first: Vec<(usize, f64)> = row.entries().take(2).collect();
        match first[..] {
            [] => {}
            [(i, w)] => diagonal[i] += weight * w * w,
            _ => link(weight, row),
        }
    }
    Ok(())
}
