//! A link: a linear spring and damper between two places.
//!
//!   f = −k x − r ẋ,   x = c·q = first − second
//!
//! x (m) is the elongation, k (N/m) the stiffness, r (N s/m) the loss, f (N) the
//! force on the first; the second feels −f. One strain, so that xᵀKx = k(c·x)² ≥ 0.

use hamiltone_core::{
    operator::Operator,
    parameter::{Absent, Complaint, Kind, Parameter, Range, Role, Takes},
    row::Row,
    system::{Block, System},
};

/// Adds the link along `row` = first − second.
///
/// ```
/// use hamiltone_bodies::{Mass, link};
/// use hamiltone_core::{body::Body, geometry::Place, system::System};
///
/// let mut system = System::default();
/// let left = Mass::new(0.1)?.add_to(&mut system, "left")?.row(Place::Whole)?;
/// let right = Mass::new(0.2)?.add_to(&mut system, "right")?.row(Place::Whole)?;
/// link::add_to(&mut system, "spring", left.minus(&right), 1e3, 0.5)?;
/// assert_eq!(system.stiffness_form(&[0.01, 0.0], &[0.01, 0.0]), 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A [`Complaint`] where k or r is negative or not finite.
pub fn add_to(system: &mut System, name: &str, row: Row, stiffness: f64, loss: f64) -> Result<(), Complaint> {
    let strain = |weight: f64| match weight {
        0.0 => Operator::Zero,
        weight => Operator::Strains(vec![(weight, row.clone())]),
    };
    let stiffness = strain(Range::NOT_NEGATIVE.check("stiffness", stiffness)?);
    let damping = strain(Range::NOT_NEGATIVE.check("loss", loss)?);
    system.blocks.push(Block { name: name.into(), dofs: 0..system.size(), stiffness, damping });
    Ok(())
}

/// What a link is and what can be set.
pub fn kind() -> &'static Kind {
    &Kind {
        name: "link",
        summary: "linear spring and damper between two places",
        equation: "f = −k x − r ẋ,  x = first − second",
        source: "Hooke's spring and Newton's dashpot in parallel (Kelvin–Voigt)",
        parameters: &[
            Parameter {
                name: "stiffness",
                takes: Takes::Number(Role::Stiffness, Range::NOT_NEGATIVE),
                absent: Absent::Number(0.0),
                doc: "k",
            },
            Parameter {
                name: "loss",
                takes: Takes::Number(Role::Resistance, Range::NOT_NEGATIVE),
                absent: Absent::Number(0.0),
                doc: "r",
            },
        ],
        rules: &[],
    }
}
