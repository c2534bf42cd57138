//! What surfaces by their modes share.
//!
//!   u(x, y, t) = Σ φ_k(x, y) q_k(t),   m_k = ∫∫ ρh φ_k² dx dy,   σ_k = (d₁ + d₃k²)/2
//!
//! k² (1/m²) is minus the Laplacian of φ_k over φ_k; see `modal.rs` for the rest.

use crate::{
    losses::losses,
    modal::{Mode, append},
    modal_grid::HEARD,
    modal_losses::Law,
};
use hamiltone_core::{
    body::{Measure, Place, Placed},
    parameter::{Absent, Complaint, Parameter, Range, Role, Takes, Values},
    row::Row,
    system::System,
};

/// The most modes unless more are asked for.
const USUAL: usize = 300;
/// The most modes.
const MOST: f64 = 5000.0;

/// How many.
pub(crate) const MODES: Parameter = Parameter {
    name: "modes",
    takes: Takes::Number(Role::Count, Range { min: 1.0, max: MOST, open: false }),
    absent: Absent::Optional("those below 20 kHz, 300 at most"),
    doc: "how many modes, the lowest, a whole number",
};

/// How many modes of these frequencies the values ask for; `frequencies` is handed how many there are at most.
pub(crate) fn count(values: &Values, frequencies: impl Fn(usize) -> Vec<f64>) -> usize {
    let heard = || frequencies(USUAL).into_iter().filter(|f| *f <= HEARD).count().max(1);
    values.count("modes").unwrap_or_else(heard)
}

/// σ by frequency f (Hz) and k², for waves of ω² = c²k² + κ²k⁴.
pub(crate) fn damping(
    values: &Values,
    c2: f64,
    kappa2: f64,
) -> Result<impl Fn(f64, f64) -> f64 + use<>, Complaint> {
    let loss = values.table("loss");
    let law = Law::read(loss, None, true)?;
    let (d1, d3) = match law {
        None => losses(loss, c2, kappa2)?,
        Some(_) => (0.0, 0.0),
    };
    Ok(move |f: f64, k2: f64| law.as_ref().map_or(0.5 * (d1 + d3 * k2), |law| law.sigma(f)))
}

/// Appends the modes; `shapes` are their values at a place.
pub(crate) fn add(
    system: &mut System,
    name: &str,
    modes: &[Mode],
    shapes: impl Fn(Place) -> Result<Vec<f64>, String> + Send + Sync + 'static,
) -> Result<Placed, Complaint> {
    let first = append(system, name, modes)?;
    Ok(Placed {
        dofs: first..first + modes.len(),
        measure: Measure::Length,
        locate: Box::new(move |place| Ok(Row::Dense { first, weights: shapes(place)? })),
        heard: Vec::new(),
        extent: None,
    })
}
