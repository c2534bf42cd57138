//! What a steady force does to a body: its displacement, and its static compliance at a place,
//!
//!   K u = cᵀ,   c K⁻¹cᵀ   (m/N)
//!
//! with the stiffness K of the body itself and of what joins it to the ground: its displacement at rest by a unit force.
//! What other bodies do to it – links and contacts with them – is left out. Where K is singular, since nothing holds the
//! body, there is none.

use hamiltone_core::{
    body::{InitialValue, Placed},
    operator::Operator,
    row::Row,
    system::{Block, System},
};
use hamiltone_numerics::banded::Band;
use std::collections::BTreeSet;

/// A pivot of LDLᵀ below this part of the diagonal, times the number of rows, is a rounding of 0.
const SINGULAR: f64 = 16.0 * f64::EPSILON;
/// The most multiplications that it may take: about a second.
const MAX_OPERATIONS: f64 = 1e9;

/// c K⁻¹cᵀ at a row of a body, m/N (m/Pa where its forces are pressures).
///
/// # Errors
/// Why there is none: the rest of a sentence that begins with the parameter that needs it.
pub fn of(system: &System, body: &Placed, row: &Row) -> Result<f64, String> {
    let (weights, u) = solved(system, body, row, &BTreeSet::new())?;
    Ok(weights.iter().zip(&u).map(|(c, u)| c * u).sum())
}

/// u = K⁻¹cᵀ of a row of a body, m/N, by its coordinates; blocks of the system in `without` hold nothing.
///
/// # Errors
/// As of [`of`].
pub fn displacement(
    system: &System,
    body: &Placed,
    row: &Row,
    without: &BTreeSet<usize>,
) -> Result<Vec<InitialValue>, String> {
    let (_, u) = solved(system, body, row, without)?;
    let value = |(dof, position)| InitialValue { dof, position, velocity: 0.0 };
    Ok(body.dofs.clone().zip(u).map(value).collect())
}

/// cᵀ and K⁻¹cᵀ by the coordinates of the body.
fn solved(
    system: &System,
    body: &Placed,
    row: &Row,
    without: &BTreeSet<usize>,
) -> Result<(Vec<f64>, Vec<f64>), String> {
    if !body.measure.moves() {
        return Err("applies to bodies with a displacement; the coordinate of air is none".into());
    }
    let (first, size) = (body.dofs.start, body.dofs.len());
    let within = |(number, block): &(usize, &Block)| {
        first <= block.dofs.start && block.dofs.end <= body.dofs.end && !without.contains(number)
    };
    let operators =
        || system.blocks.iter().enumerate().filter(within).map(|(_, b)| (b.dofs.start - first, &b.stiffness));
    let half = operators().map(|(_, operator): (usize, &Operator)| operator.half_bandwidth()).max();
    let half = half.unwrap_or(0).min(size.saturating_sub(1));
    if size as f64 * (half as f64 + 1.0) * (half as f64 + 1.0) > MAX_OPERATIONS {
        return Err(format!("is not turned into a force: the body has {size} coupled coordinates"));
    }
    let mut stiffness = Band::zero(size, half);
    operators().for_each(|(offset, operator)| operator.assemble(1.0, offset, &mut stiffness));
    let diagonal: Vec<f64> = (0..size).map(|i| stiffness.get(i, i)).collect();
    let factored = stiffness.factor();
    let held = |(pivot, diagonal): (f64, f64)| pivot > SINGULAR * size as f64 * diagonal;
    if !factored.pivots().zip(diagonal).all(held) {
        return Err("has no meaning: neither its ends nor springs to the ground hold the body against shifting and turning, or so little that rounding hides it: a steady force moves it without end".into());
    }
    let mut force = vec![0.0; size];
    row.for_each(|i, weight| force[i - first] += weight);
    let weights = force.clone();
    factored.solve(&mut force);
    Ok((weights, force))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_bodies::{Bar, Oscillator, StiffString};
    use hamiltone_core::{body::Body, geometry::Place};

    fn at(body: &dyn Body, place: Place) -> Result<f64, String> {
        let mut system = System::default();
        // Another body before it, which does not count.
        Oscillator::new(1.0, 1.0).unwrap().add_to(&mut system, "other").unwrap();
        let placed = body.add_to(&mut system, "body").unwrap();
        of(&system, &placed, &placed.row(place).unwrap())
    }

    /// A string of tension T yields x(L − x)/(LT): exactly at the nodes of a grid, by modes up to those left out, whose
    /// sum is below 2L/(π²T N).
    #[test]
    fn a_string_yields_as_a_triangle() {
        let (length, tension) = (0.5, 80.0);
        let string = StiffString::new(length, 1e-3, tension).unwrap();
        let exact = 0.25 * 0.75 * length / tension;
        let grid = at(&string.on_grid(64).unwrap(), Place::Fraction(0.25)).unwrap();
        // A condition number of 64² times eps.
        assert!((grid / exact - 1.0).abs() < 4096.0 * f64::EPSILON, "{grid} {exact}");
        let modes = at(&string.by_modes(50, 64).unwrap(), Place::Fraction(0.25)).unwrap();
        let left_out =
            2.0 * length / (hamiltone_numerics::math::square(std::f64::consts::PI) * tension * 50.0);
        assert!(modes < exact && modes > exact - left_out, "{modes} {exact}");
    }

    #[test]
    fn a_spring_yields_by_one_over_its_stiffness() {
        // k = m ω² = 32 N/m.
        assert_eq!(at(&Oscillator::new(0.5, 8.0).unwrap(), Place::Whole), Ok(0.03125));
    }

    #[test]
    fn what_nothing_holds_has_none() {
        let free = Bar::new(0.4, 1.0, 10.0).unwrap();
        for body in [&free.on_grid(60).unwrap() as &dyn Body, &free.by_modes(5, 8).unwrap()] {
            assert!(at(body, Place::Fraction(0.3)).unwrap_err().contains("hold the body against shifting"));
        }
    }
}
